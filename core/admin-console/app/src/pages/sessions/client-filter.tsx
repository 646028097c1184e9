import { useQuery } from '@tanstack/react-query';
import { clientSessionsOf } from '../../api/sessions.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts as sessionsTexts } from './texts.ts';

/** Filters the list by one of the clients that have sessions, each shown with their number. */
export function ClientFilter(props: { realm: string; client: string; onClient: (id: string) => void }) {
  const { realm, client, onClient } = props;
  const sessions = useTexts(sessionsTexts);
  const { data = [] } = useQuery(clientSessionsOf(realm));
  const isListed = client === '' || data.some(({ id }) => id === client);
  return (
    <label className="filter">
      <span className="unseen">{sessions.client}</span>
      <select value={client} onChange={({ target }) => onClient(target.value)}>
        <option value="">{sessions.anyClient}</option>
        {!isListed && <option value={client}>{client}</option>}
        {[...data]
          .sort((a, b) => a.clientId.localeCompare(b.clientId))
          .map(({ id, clientId, active, offline }) => (
            <option key={id} value={id}>
              {sessions.counted(clientId, Number(active) + Number(offline))}
            </option>
          ))}
      </select>
    </label>
  );
}

import type { TokenEvent, TokenHistory } from '../../api/action-tokens.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../action-tokens/texts.ts';

const TONES = {
  issued: 'neutral',
  failed: 'bad',
  followed: 'neutral',
  refused: 'warning',
  used: 'good',
  revoked: 'bad',
  ended: 'bad',
} as const;

/** The history of a link, oldest first, with a note on events that may be missing. */
export function TokenHistoryTable({ token }: { token: TokenHistory }) {
  const told = useTexts(texts);
  const columns: readonly Column<TokenEvent>[] = [
    { title: told.when, show: ({ time }) => <Time at={time} /> },
    { title: told.what, show: (happening) => <What happening={happening} /> },
    { title: told.by, show: ({ by, clientId }) => (by === undefined ? clientId : <Admin by={by} />) },
    { title: told.from, isMinor: true, show: ({ ipAddress }) => ipAddress },
  ];
  return (
    <section>
      <h2>{told.history}</h2>
      {!token.eventsEnabled && <p className="help section-lead">{told.noEvents}</p>}
      {!token.adminEventsEnabled && <p className="help section-lead">{told.noAdminEvents}</p>}
      {!token.isComplete && <p className="help section-lead">{told.incomplete}</p>}
      {token.history.length === 0 ? (
        <p className="nothing">{told.noHistory}</p>
      ) : (
        <div className="tokens">
          <DataTable caption={told.history} columns={columns} rows={token.history} keyOf={({ event }) => event} />
        </div>
      )}
    </section>
  );
}

function What({ happening: { what, error, reason } }: { happening: TokenEvent }) {
  const told = useTexts(texts);
  const why = [error, reason].filter((one) => one !== undefined).join(': ');
  return (
    <>
      <Badge tone={TONES[what]}>{told.happenings[what]}</Badge>
      {why !== '' && <small> {why}</small>}
    </>
  );
}

/** An admin, by name if the user may see users of the admin's realm. */
function Admin({ by: { userId, username, realm } }: { by: NonNullable<TokenEvent['by']> }) {
  const told = useTexts(texts);
  return realm === undefined ? told.otherAdmin : told.byAdmin(username ?? userId, realm);
}

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
  const strings = useTexts(texts);
  const columns: readonly Column<TokenEvent>[] = [
    { title: strings.when, show: ({ time }) => <Time at={time} /> },
    { title: strings.what, show: (happening) => <EventName happening={happening} /> },
    { title: strings.by, show: ({ by, clientId }) => (by === undefined ? clientId : <Admin by={by} />) },
    { title: strings.from, isMinor: true, show: ({ ipAddress }) => ipAddress },
  ];
  return (
    <section>
      <h2>{strings.history}</h2>
      {!token.eventsEnabled && <p className="help section-lead">{strings.noEvents}</p>}
      {!token.adminEventsEnabled && <p className="help section-lead">{strings.noAdminEvents}</p>}
      {!token.isComplete && <p className="help section-lead">{strings.incomplete}</p>}
      {token.history.length === 0 ? (
        <p className="nothing">{strings.noHistory}</p>
      ) : (
        <div className="tokens">
          <DataTable caption={strings.history} columns={columns} rows={token.history} keyOf={({ event }) => event} />
        </div>
      )}
    </section>
  );
}

function EventName({ happening: { what, error, reason } }: { happening: TokenEvent }) {
  const strings = useTexts(texts);
  const cause = [error, reason].filter((one) => one !== undefined).join(': ');
  return (
    <>
      <Badge tone={TONES[what]}>{strings.happenings[what]}</Badge>
      {cause !== '' && <small> {cause}</small>}
    </>
  );
}

/** An admin, by name if the user may see users of the admin's realm. */
function Admin({ by: { userId, username, realm } }: { by: NonNullable<TokenEvent['by']> }) {
  const strings = useTexts(texts);
  return realm === undefined ? strings.otherAdmin : strings.byAdmin(username ?? userId, realm);
}

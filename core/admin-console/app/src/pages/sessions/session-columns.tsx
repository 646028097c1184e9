import type { UserSession } from '../../api/sessions.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import type { SessionTexts } from './texts.ts';

/** The columns of a session, without its user. */
export function sessionColumns(sessions: SessionTexts, none: string): readonly Column<UserSession>[] {
  return [
    { title: sessions.start, show: ({ start }) => <Time at={start} /> },
    {
      title: sessions.clients,
      show: ({ clients }) => Object.values(clients).sort().join(', ') || <small>{sessions.noClients}</small>,
    },
    { title: sessions.address, isMinor: true, show: ({ ipAddress }) => ipAddress ?? none },
    { title: sessions.lastUse, isMinor: true, show: ({ lastAccess }) => <Time at={lastAccess} /> },
  ];
}

/** The column that ends a session. */
export function endColumn(
  sessions: SessionTexts,
  {
    isBusy,
    nameOf,
    onEnd,
  }: { isBusy: boolean; nameOf: (session: UserSession) => string; onEnd: (session: UserSession) => void },
): Column<UserSession> {
  return {
    title: sessions.end,
    isAction: true,
    show: (session) => (
      <button
        type="button"
        aria-label={(session.type === 'OFFLINE' ? sessions.endOfflineOf : sessions.endOf)(nameOf(session))}
        disabled={isBusy}
        onClick={() => onEnd(session)}
      >
        {sessions.end}
      </button>
    ),
  };
}

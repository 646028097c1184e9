import { BACKEND_PID, BEGIN, ROLLBACK } from './postgresql-dialect.js';
import type { Session } from './session.js';

/** Number of attempts to see another process of the server, because other clients of the pooler also take them. */
const ATTEMPTS = 5;

/** Returns the process ID of the server that answers now. */
async function serverPid(session: Session): Promise<number> {
  const [answer] = await session.send([BACKEND_PID]);
  return Number(answer?.rows[0]?.pid);
}

/**
 * True if a connection pooler gives each transaction of a connection any process of the server. Then settings and
 * prepared statements of one connection disappear, and apply to others.
 * @param openAnother opens another connection to the same database
 */
export async function isSharedPerTransaction(session: Session, openAnother: () => Promise<Session>): Promise<boolean> {
  const pid = await serverPid(session);
  // Without a pooler, the server announces the process itself.
  if (pid === session.announcedPid) return false;
  const other = await openAnother();
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A process in a transaction cannot be given to another connection, so that connection gets another process.
      await other.send([BEGIN]);
      const taken = await serverPid(other);
      const meanwhile = await serverPid(session);
      await other.send([ROLLBACK]);
      if (taken === pid || meanwhile !== pid) return true;
    }
    return false;
  } finally {
    await other.end();
  }
}

import { NO_TIME_LIMIT } from './postgresql-dialect.js';
import type { Session } from './session.js';
import { PIECES_OF_USER, USER_INDEX } from './user-pieces.js';

/** Whether it is there and complete, and whether somebody is making it: while they wait for others, by the table alone. */
const STATE =
  'SELECT CASE WHEN i.indisvalid THEN 1 ELSE 0 END AS valid, ' +
  '(SELECT count(*) FROM pg_stat_progress_create_index p WHERE p.relid = i.indrelid) AS makers ' +
  `FROM pg_index i WHERE i.indexrelid = to_regclass('${USER_INDEX}')`;
/** It waits for transactions that began before, and nobody waits for it. */
const WAITING = 'SET lock_timeout = 0';
/** Each list of new rows is read by every search until the server has put it in its place. */
const MAKE = `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${USER_INDEX} ON users USING gin (${PIECES_OF_USER}) WITH (gin_pending_list_limit = 1024)`;
const REMOVE = `DROP INDEX CONCURRENTLY IF EXISTS ${USER_INDEX}`;
/** Only then does the server know how common each piece is. */
const ANALYZE = 'ANALYZE users';

/**
 * Makes the index of user searches, on a connection of its own: what it does takes minutes for a million users. The server goes on
 * with it when the host ends. What is left of an attempt that failed is removed first.
 * @param open a connection
 * @param signal cuts it
 */
export async function indexUsers(open: () => Promise<Session>, signal?: AbortSignal): Promise<boolean> {
  const session = await open();
  const cut = () => session.destroy('the host ends');
  signal?.addEventListener('abort', cut);
  try {
    const [answer] = await session.send([STATE]);
    const state = answer?.rows[0];
    if (Number(state?.valid) === 1) return true;
    if (Number(state?.makers) > 0) return false;
    await session.send([NO_TIME_LIMIT]);
    await session.send([WAITING]);
    if (state !== undefined) await session.send([REMOVE]);
    await session.send([MAKE]);
    await session.send([ANALYZE]);
    return true;
  } finally {
    signal?.removeEventListener('abort', cut);
    await session.end();
  }
}

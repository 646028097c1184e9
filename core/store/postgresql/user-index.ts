import { NO_TIME_LIMIT } from './postgresql-dialect.js';
import type { Session } from './session.js';
import { PIECES_OF_USER, TEXT_INDEXES, USER_INDEX } from './user-pieces.js';

/**
 * Whether the index exists and is complete, and whether another connection is building it. While the build waits for
 * locks, the progress view names only the table.
 */
const state = (name: string) =>
  'SELECT CASE WHEN i.indisvalid THEN 1 ELSE 0 END AS valid, ' +
  '(SELECT count(*) FROM pg_stat_progress_create_index p WHERE p.relid = i.indrelid) AS makers ' +
  `FROM pg_index i WHERE i.indexrelid = to_regclass('${name}')`;
/** It waits for transactions that began before. No other statement waits for it. */
const WAITING = 'SET lock_timeout = 0';
/** Indexes by name. Every search reads the list of pending rows until the server merges it, so the list is short. */
const INDEXES: ReadonlyMap<string, string> = new Map([
  ...TEXT_INDEXES,
  [USER_INDEX, `users USING gin (${PIECES_OF_USER}) WITH (gin_pending_list_limit = 1024)`],
]);
/** Only then does the server know how common each piece is, and that it need not look at the rows of an index. */
const LEARN = 'VACUUM (ANALYZE) users';

/**
 * Builds the indexes of user searches, on a connection of its own: this takes minutes for a million users. The server
 * continues if the host ends. Remains of a failed attempt are removed first.
 * @param open opens a connection
 * @param signal stops waiting
 */
export async function indexUsers(open: () => Promise<Session>, signal?: AbortSignal): Promise<boolean> {
  const session = await open();
  const cut = () => session.destroy('the host ends');
  signal?.addEventListener('abort', cut);
  try {
    let made = 0;
    for (const [name, definition] of INDEXES) {
      const [answer] = await session.send([state(name)]);
      const found = answer?.rows[0];
      if (Number(found?.valid) === 1) continue;
      if (Number(found?.makers) > 0) return false;
      await session.send([NO_TIME_LIMIT]);
      await session.send([WAITING]);
      if (found !== undefined) await session.send([`DROP INDEX CONCURRENTLY IF EXISTS ${name}`]);
      await session.send([`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${definition}`]);
      made += 1;
    }
    if (made > 0) await session.send([LEARN]);
    return true;
  } finally {
    signal?.removeEventListener('abort', cut);
    await session.end();
  }
}

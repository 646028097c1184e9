import { NO_TIME_LIMIT } from './postgresql-dialect.js';
import type { Session } from './session.js';
import { PIECES_OF_USER, TEXT_INDEXES, USER_INDEX } from './user-pieces.js';

/**
 * Selects whether an index exists and is complete, and whether another connection is building it. While that build
 * waits for locks, the progress view only shows the table, not the index.
 */
const selectState = (name: string) =>
  'SELECT CASE WHEN i.indisvalid THEN 1 ELSE 0 END AS valid, ' +
  '(SELECT count(*) FROM pg_stat_progress_create_index p WHERE p.relid = i.indrelid) AS makers ' +
  `FROM pg_index i WHERE i.indexrelid = to_regclass('${name}')`;
/** The build waits for transactions that began before it. No other statement waits for the build. */
const NO_LOCK_TIMEOUT = 'SET lock_timeout = 0';
/**
 * The indexes, by name. Every search reads the list of pending rows until the server merges it, so the list is kept
 * short.
 */
const INDEXES: ReadonlyMap<string, string> = new Map([
  ...TEXT_INDEXES,
  [USER_INDEX, `users USING gin (${PIECES_OF_USER}) WITH (gin_pending_list_limit = 1024)`],
]);
/** This gives the server statistics of how common each piece is, and that index-only scans need not read the rows. */
const COLLECT_STATISTICS = 'VACUUM (ANALYZE) users';

/**
 * Builds the indexes for user searches, on a separate connection, because this takes minutes for a million users. If
 * the host ends, the server continues. Remains of a failed attempt are removed first.
 * @param open opens a connection
 * @param signal stops waiting
 * @returns true if the indexes are complete; false if another connection builds one of them
 */
export async function indexUsers(open: () => Promise<Session>, signal?: AbortSignal): Promise<boolean> {
  const session = await open();
  const destroySession = () => session.destroy('the host ends');
  signal?.addEventListener('abort', destroySession);
  try {
    let createdCount = 0;
    for (const [name, definition] of INDEXES) {
      const [answer] = await session.send([selectState(name)]);
      const indexState = answer?.rows[0];
      if (Number(indexState?.valid) === 1) continue;
      if (Number(indexState?.makers) > 0) return false;
      await session.send([NO_TIME_LIMIT]);
      await session.send([NO_LOCK_TIMEOUT]);
      if (indexState !== undefined) await session.send([`DROP INDEX CONCURRENTLY IF EXISTS ${name}`]);
      await session.send([`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${definition}`]);
      createdCount += 1;
    }
    if (createdCount > 0) await session.send([COLLECT_STATISTICS]);
    return true;
  } finally {
    signal?.removeEventListener('abort', destroySession);
    await session.end();
  }
}

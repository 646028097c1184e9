import { ALL_PROGRESS, type CopyState } from '../copy/copy-database.js';
import { selectTable } from './postgresql-dialect.js';
import type { Session } from './session.js';

/**
 * Reads the progress of an unfinished copy; undefined if there is none. It does not abort a surrounding transaction.
 */
export async function readCopyProgress(session: Session): Promise<CopyState | undefined> {
  const [table] = await session.send([selectTable('store_copy')]);
  if (table?.rows.length !== 1) return undefined;
  const [answer] = await session.send([ALL_PROGRESS]);
  const rows = (answer?.rows ?? []) as unknown as readonly { name: string; said: string }[];
  return new Map(rows.map(({ name, said }) => [name, said]));
}

import { ALL_PROGRESS, type CopyState } from '../copy/copy-database.js';
import { tableThere } from './postgresql-dialect.js';
import type { Session } from './session.js';

/** The stored progress of an unfinished copy; undefined if there is none. Does not abort a transaction. */
export async function copyProgressIn(session: Session): Promise<CopyState | undefined> {
  const [there] = await session.send([tableThere('store_copy')]);
  if (there?.rows.length !== 1) return undefined;
  const [answer] = await session.send([ALL_PROGRESS]);
  const rows = (answer?.rows ?? []) as unknown as readonly { name: string; said: string }[];
  return new Map(rows.map(({ name, said }) => [name, said]));
}

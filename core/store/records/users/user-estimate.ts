import type { Reader } from '../../engine/engine.js';
import type { UserFilter } from '../../store.js';
import { userConditions } from './user-conditions.js';

/** Tables with fewer rows are read completely. */
const MIN_ROWS = 20_000;

/**
 * Estimates from random rows how many users match.
 * @param sampleSize number of random rows
 * @returns undefined if the table is small, or its size is unknown
 */
export async function estimateMatches(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  sampleSize: number,
): Promise<{ readonly users: number; readonly matches: number } | undefined> {
  const { users } = reader.dialect;
  const rows = Number((await reader.get<{ rows: number }>(users.rows))?.rows ?? 0);
  if (rows < MIN_ROWS) return undefined;
  const { where, parameters } = userConditions(reader.dialect, realm, filter);
  const [sample] = await reader.all<{ looked: number; matches: number | null }>(
    `SELECT count(*) AS looked, SUM(CASE WHEN ${where} THEN 1 ELSE 0 END) AS matches FROM ${users.randomRows(`$${parameters.length + 1}`, sampleSize)}`,
    ...parameters,
    rows,
  );
  const { looked = 0, matches } = sample ?? {};
  if (Number(looked) === 0) return undefined;
  return { users: Math.round((Number(matches) / Number(looked)) * rows), matches: Number(matches) };
}

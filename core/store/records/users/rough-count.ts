import type { Reader } from '../../engine/engine.js';
import type { RoughCount, UserFilter } from '../../store.js';
import { byIndex } from './page-by-index.js';
import { estimateOf } from './user-estimate.js';
import { countIn, fewUsers, indexedPieces, isFew, parts } from './user-search.js';

/** Maximum number of users that are counted exactly. */
const EXACT_TO = 10_000;
/** Random rows of an estimate. */
const SAMPLED = 5000;
/** Minimum number of matching rows among them: fewer make a poor estimate. */
const LEAST_MATCHES = 50;

/** How many users match: exactly up to ten thousand; beyond, an estimate. */
export async function countRoughly(reader: Reader, realm: string, filter: UserFilter): Promise<RoughCount> {
  const few = await fewUsers(reader, realm, filter);
  if (few !== undefined) return exactly(await countIn(reader, few));
  const estimate = await estimateOf(reader, realm, filter, SAMPLED);
  // A number that may be below ten thousand is counted.
  if (estimate !== undefined && estimate.matches >= LEAST_MATCHES && estimate.users >= 2 * EXACT_TO) {
    return { count: estimate.users, isEstimate: true };
  }
  const counted = await countUpTo(reader, realm, filter);
  if (counted <= EXACT_TO) return exactly(counted);
  if (estimate !== undefined) return { count: Math.max(estimate.users, counted), isEstimate: true };
  return exactly(await countUpTo(reader, realm, filter, Number.POSITIVE_INFINITY));
}

function exactly(count: number): RoughCount {
  return { count, isEstimate: false };
}

/** @returns more than `most` if there are more */
async function countUpTo(reader: Reader, realm: string, filter: UserFilter, most = EXACT_TO): Promise<number> {
  const pieces = await indexedPieces(reader, filter);
  if (pieces !== undefined && Number.isFinite(most) && (await isFew(reader, realm, filter, pieces))) {
    return countIn(reader, byIndex(reader, realm, filter, pieces), most + 1);
  }
  let count = 0;
  for await (const part of parts(reader, realm, filter)) {
    count += part.users ?? (await countIn(reader, part));
    if (count > most) break;
  }
  return count;
}

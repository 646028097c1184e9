import type { Reader } from '../../engine/engine.js';
import type { RoughCount, UserFilter } from '../../store.js';
import { searchByIndex } from './page-by-index.js';
import { singleQueryOf } from './single-query.js';
import { estimateMatches } from './user-estimate.js';
import { countIn, haveFewHits, indexedPieces, searchParts } from './user-search.js';

/** Maximum number of users that are counted exactly. */
const MAX_EXACT = 10_000;
/** Number of random rows for an estimate. */
const SAMPLE_SIZE = 5000;
/** Minimum number of matching rows among the sampled rows. With fewer, the estimate is poor. */
const MIN_MATCHES = 50;

/** Counts the users that match: exactly up to ten thousand; above that, an estimate if the store has one. */
export async function countRoughly(reader: Reader, realm: string, filter: UserFilter): Promise<RoughCount> {
  const singleQuery = await singleQueryOf(reader, realm, filter);
  if (singleQuery !== undefined) return exactCount(await countIn(reader, singleQuery));
  const estimate = await estimateMatches(reader, realm, filter, SAMPLE_SIZE);
  // If the count may be below `MAX_EXACT`, count exactly.
  if (estimate !== undefined && estimate.matches >= MIN_MATCHES && estimate.users >= 2 * MAX_EXACT) {
    return { count: estimate.users, isEstimate: true };
  }
  const counted = await countUpTo(reader, realm, filter);
  if (counted <= MAX_EXACT) return exactCount(counted);
  if (estimate !== undefined) return { count: Math.max(estimate.users, counted), isEstimate: true };
  return exactCount(await countUpTo(reader, realm, filter, Number.POSITIVE_INFINITY));
}

function exactCount(count: number): RoughCount {
  return { count, isEstimate: false };
}

/**
 * Counts users until there are more than `limit`.
 * @returns a number above `limit` if there are more
 */
async function countUpTo(reader: Reader, realm: string, filter: UserFilter, limit = MAX_EXACT): Promise<number> {
  const searchPieces = await indexedPieces(reader, filter);
  if (
    searchPieces !== undefined &&
    Number.isFinite(limit) &&
    (await haveFewHits(reader, realm, filter, searchPieces))
  ) {
    return countIn(reader, searchByIndex(reader, realm, filter, searchPieces), limit + 1);
  }
  let count = 0;
  for await (const part of searchParts(reader, realm, filter)) {
    count += part.users ?? (await countIn(reader, part));
    if (count > limit) break;
  }
  return count;
}

import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import { INDEX_ROWS_PER_STEP, keyRanges } from '../../engine/ranges.js';
import type { UserFilter } from '../../store.js';
import {
  areManyTexts,
  isNear,
  type PrefixWithTexts,
  pageByPrefix,
  prefixOf,
  type TextPrefix,
  withSharedTexts,
} from './beginnings.js';
import { afterUsername, type Page, pageByIndex, pageOfManyHits, readPage, type Search } from './page-by-index.js';
import { piecesOf } from './pieces.js';
import { singleQueryOf } from './single-query.js';
import { createBinder, userConditions } from './user-conditions.js';
import { estimateMatches } from './user-estimate.js';

/** Number of random rows for the estimate whether many users match. */
const SAMPLE_SIZE = 1500;
/**
 * Number of users that are read in the order of the page before an index is used. If many match, some are among these.
 */
const FIRST_SCANNED = 1000;
/**
 * The same number if an index has all matching users in order. Using the index costs about as much as reading this
 * many.
 */
const FIRST_SCANNED_BY_PREFIX = 500;
/** The same number if that index has many texts to read. */
const MAX_SCANNED_BY_PREFIX = 3500;
/** If many users match, at least this many are read before the index is used: the matches may be far behind. */
const MIN_SCANNED = 15_000;
/**
 * Maximum number of index hits that one statement may read. This blocks the main thread, or the server, about as long
 * as reading `MIN_SCANNED` users.
 */
export const MAX_INDEX_HITS = 20_000;

/** Returns the users of one page, ordered by username. */
export async function findUsers<Row>(reader: Reader, realm: string, filter: UserFilter, page: Page): Promise<Row[]> {
  const singleQuery = await singleQueryOf(reader, realm, filter);
  // Usernames are in lower case, so `lower` changes nothing. It prevents the use of an index in that order, which would
  // read every user.
  if (singleQuery !== undefined)
    return readPage(reader, afterUsername(singleQuery, page.after), 'lower(u.username)', page);
  const pieces = await indexedPieces(reader, filter);
  const beginning = pieces && isNear(page) ? prefixOf(filter) : undefined;
  if (beginning !== undefined) return [...(await findByPrefix<Row>(reader, realm, beginning, filter, page))];
  let hits: number | undefined;
  let isTried = false;
  for await (const { found, scanned, matched, isWhole } of scanInOrder<Row>(
    reader,
    realm,
    filter,
    page,
    pieces && FIRST_SCANNED,
  )) {
    if (isWhole) return found;
    if (pieces === undefined) continue;
    hits ??= await estimateHits(reader, realm, filter, pieces);
    if (hits < MAX_INDEX_HITS) return pageByIndex<Row>(reader, realm, filter, pieces, page);
    // If none of the users that were read matched, the matches are far behind. Reading a hit of the index costs at
    // least as much as reading a user in order. So in another process the same number of users is read first, and no
    // page takes more than twice the necessary time.
    if (scanned < MIN_SCANNED || isTried || !(matched === 0 || (reader.isShared && scanned >= hits))) continue;
    isTried = true;
    const pageOfHits = isNear(page) ? await pageOfManyHits<Row>(reader, realm, filter, pieces, page) : undefined;
    if (pageOfHits !== undefined) return pageOfHits;
    if (reader.isShared) return pageByIndex<Row>(reader, realm, filter, pieces, page);
  }
  return [];
}

/** The part of a page that was found in the order of usernames. */
interface OrderedProgress<Row> {
  readonly found: Row[];
  /** The number of users that were read, and how many of them match. */
  readonly scanned: number;
  readonly matched: number;
  readonly isWhole: boolean;
}

/** Yields the page as far as it is known after each range of users. The last one is complete. */
async function* scanInOrder<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  page: Page,
  firstPartRows?: number,
): AsyncGenerator<OrderedProgress<Row>> {
  const { first, max, after } = page;
  const users: Row[] = [];
  let skip = first;
  let looked = 0;
  const pageUsers = first === 0 ? Math.max(1, max) : undefined;
  for await (const part of searchParts(reader, realm, filter, after, firstPartRows, pageUsers)) {
    const matchesInPart = skip === 0 ? 0 : (part.users ?? (await countIn(reader, part)));
    if (matchesInPart > skip || skip === 0) {
      users.push(
        ...(await readPage<Row>(reader, part, 'u.username', { ...page, first: skip, max: max - users.length })),
      );
    }
    skip = Math.max(0, skip - matchesInPart);
    looked += part.rows;
    yield {
      found: users,
      scanned: looked,
      matched: first - skip + users.length,
      isWhole: users.length >= max || part.isLast,
    };
  }
}

/** Returns a page of the users who have a text with this prefix. */
async function findByPrefix<Row>(
  reader: Reader,
  realm: string,
  beginning: TextPrefix,
  filter: UserFilter,
  page: Page,
): Promise<readonly Row[]> {
  if (beginning.end === undefined) {
    return pageByPrefix<Row>(reader, realm, await withSharedTexts(reader, realm, beginning), page);
  }
  let texts: PrefixWithTexts | undefined;
  for await (const { found, scanned: looked, isWhole } of scanInOrder<Row>(
    reader,
    realm,
    filter,
    page,
    FIRST_SCANNED_BY_PREFIX,
  )) {
    if (isWhole) return found;
    if (texts === undefined) {
      texts = await withSharedTexts(reader, realm, beginning);
      if (await areManyTexts(reader, realm, texts)) continue;
    } else if (looked < MAX_SCANNED_BY_PREFIX) continue;
    return pageByPrefix<Row>(reader, realm, texts, page);
  }
  return [];
}

export async function countUsers(reader: Reader, realm: string, filter: UserFilter | undefined): Promise<number> {
  if (filter === undefined) {
    return countIn(reader, { from: 'users u', where: 'u.realm = $1', parameters: [realm] });
  }
  const singleQuery = await singleQueryOf(reader, realm, filter);
  if (singleQuery !== undefined) return countIn(reader, singleQuery);
  let count = 0;
  for await (const part of searchParts(reader, realm, filter)) count += part.users ?? (await countIn(reader, part));
  return count;
}

export async function countIn(reader: Reader, { from, where, parameters }: Search, limit?: number): Promise<number> {
  const some =
    limit === undefined ? `${from} WHERE ${where}` : `(SELECT 1 FROM ${from} WHERE ${where} LIMIT ${limit}) few`;
  // This uses `all`, which may take long in every engine; `get` is for fast reads of single rows.
  return (await reader.all<{ users: number }>(`SELECT count(*) AS users FROM ${some}`, ...parameters))[0]?.users ?? 0;
}

/**
 * Returns the pieces with which the index finds matching users; undefined if the filter has none, or the index is not
 * complete.
 */
export async function indexedPieces(reader: Reader, filter: UserFilter): Promise<readonly string[] | undefined> {
  const pieces = piecesOf(filter);
  if (pieces.length === 0) return undefined;
  return (await reader.get(reader.dialect.users.isIndexed)) === undefined ? undefined : pieces;
}

/** True if few users have the pieces. */
export async function haveFewHits(...hitArguments: Parameters<typeof estimateHits>): Promise<boolean> {
  return (await estimateHits(...hitArguments)) < MAX_INDEX_HITS;
}

/**
 * Estimates how many users have the pieces, either counted in the index up to `MAX_INDEX_HITS`, or from random rows.
 */
async function estimateHits(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
): Promise<number> {
  const parameters: Parameter[] = [];
  const sql = reader.dialect.users.countSql(pieces, MAX_INDEX_HITS, createBinder(parameters));
  if (sql !== undefined) return (await reader.get<{ users: number }>(sql, ...parameters))?.users ?? 0;
  return (await estimateMatches(reader, realm, filter, SAMPLE_SIZE))?.users ?? 0;
}

/** A part of a search, with the number of its users if that is known. */
interface SearchPart extends Search {
  readonly users: number | undefined;
  /** The number of the realm's rows in it, whether they match or not; 0 for the last part. */
  readonly rows: number;
  readonly isLast: boolean;
}

/**
 * Yields the parts of a search.
 * @param firstPartRows rows of the first part; by default as many as do not delay other requests
 * @param pageUsers users of the page; if all users match, it is the size of the first part
 */
export async function* searchParts(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  after = '',
  firstPartRows?: number,
  pageUsers?: number,
): AsyncGenerator<SearchPart> {
  const { where, parameters } = userConditions(reader.dialect, realm, filter);
  const range = `u.username > $${parameters.length + 1} AND u.username <= $${parameters.length + 2}`;
  // If the index covers all conditions, it alone gives the parts and their sizes.
  const isIndexed = where === userConditions(reader.dialect, realm, {}).where;
  const users = isIndexed
    ? { table: 'users u', key: 'u.username', where, step: INDEX_ROWS_PER_STEP }
    : { table: 'users', key: 'username' };
  for await (const { after: from, upTo, rows } of keyRanges(reader, realm, {
    ...users,
    after,
    begin: firstPartRows ?? (isIndexed ? pageUsers : undefined),
  })) {
    yield {
      from: 'users u',
      where: `${where} AND ${range}`,
      parameters: [...parameters, from, upTo],
      users: isIndexed ? rows : undefined,
      rows: rows ?? 0,
      isLast: rows === undefined,
    };
  }
}

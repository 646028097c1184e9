import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import { INDEX_STEP, keyRanges } from '../../engine/ranges.js';
import type { UserFilter } from '../../store.js';
import {
  areManyTexts,
  type Beginning,
  type Begun,
  beginningOf,
  isNear,
  pageByBeginning,
  withSharedTexts,
} from './beginnings.js';
import { afterUsername, type Page, pageByIndex, pageFarBehind, pick, type Search } from './page-by-index.js';
import { piecesOf } from './pieces.js';
import { binding, userConditions } from './user-conditions.js';
import { estimateOf } from './user-estimate.js';

/**
 * Maximum number of holders of a role, or members of a group, that are looked up individually; for more, all users are
 * read.
 */
const FEW_HOLDERS = 1000;
/** Random rows of the estimate whether many users match. */
const SAMPLED = 1500;
/** Users that are read in the order of the page before an index is used: if many match, some are among them. */
const LOOKED_AT_FIRST = 1000;
/** The same if an index has all matching users in order, which costs about as much for this number. */
const BEGUN_FIRST = 500;
/** The same if that index has many texts to read. */
const BEGUN_MORE = 3500;
/** If many match, at least this many are read before the index is used anyway: the matches may be far behind. */
const LOOKED_AT = 15_000;
/**
 * Hits of the index that one statement may read. It occupies the main thread, or the server, about as long as
 * `LOOKED_AT`.
 */
export const MANY = 20_000;

/** The users of one page, ordered by username. */
export async function findUsers<Row>(reader: Reader, realm: string, filter: UserFilter, page: Page): Promise<Row[]> {
  const few = await fewUsers(reader, realm, filter);
  // Usernames are in lower case; an index in their order would lead past every user.
  if (few !== undefined) return pick(reader, afterUsername(few, page.after), 'lower(u.username)', page);
  const pieces = await indexedPieces(reader, filter);
  const beginning = pieces && isNear(page) ? beginningOf(filter) : undefined;
  if (beginning !== undefined) return [...(await findBegun<Row>(reader, realm, beginning, filter, page))];
  let hits: number | undefined;
  let isTried = false;
  for await (const { found, looked, matched, isWhole } of inOrder<Row>(
    reader,
    realm,
    filter,
    page,
    pieces && LOOKED_AT_FIRST,
  )) {
    if (isWhole) return found;
    if (pieces === undefined) continue;
    hits ??= await roughHits(reader, realm, filter, pieces);
    if (hits < MANY) return pageByIndex<Row>(reader, realm, filter, pieces, page);
    // If none of these hits matched, the matches are far behind. Reading a hit of the index costs no less than reading
    // a user in order. So in another process the same number of users is read first, and no page takes more than twice
    // the necessary time.
    if (looked < LOOKED_AT || isTried || !(matched === 0 || (reader.isShared && looked >= hits))) continue;
    isTried = true;
    const far = isNear(page) ? await pageFarBehind<Row>(reader, realm, filter, pieces, page) : undefined;
    if (far !== undefined) return far;
    if (reader.isShared) return pageByIndex<Row>(reader, realm, filter, pieces, page);
  }
  return [];
}

/** A page as far as it is found in the order of usernames. */
interface InOrder<Row> {
  readonly found: Row[];
  /** Users that were looked at, and how many of them match. */
  readonly looked: number;
  readonly matched: number;
  readonly isWhole: boolean;
}

/** Yields the page so far after each range of users; the last one is complete. */
async function* inOrder<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  page: Page,
  begin?: number,
): AsyncGenerator<InOrder<Row>> {
  const { first, max, after } = page;
  const found: Row[] = [];
  let skip = first;
  let looked = 0;
  const wanted = first === 0 ? Math.max(1, max) : undefined;
  for await (const part of parts(reader, realm, filter, after, begin, wanted)) {
    const here = skip === 0 ? 0 : (part.users ?? (await countIn(reader, part)));
    if (here > skip || skip === 0) {
      found.push(...(await pick<Row>(reader, part, 'u.username', { ...page, first: skip, max: max - found.length })));
    }
    skip = Math.max(0, skip - here);
    looked += part.rows;
    yield { found, looked, matched: first - skip + found.length, isWhole: found.length >= max || part.isLast };
  }
}

/** The page of those who have a text that begins so. */
async function findBegun<Row>(
  reader: Reader,
  realm: string,
  beginning: Beginning,
  filter: UserFilter,
  page: Page,
): Promise<readonly Row[]> {
  if (beginning.below === undefined) {
    return pageByBeginning<Row>(reader, realm, await withSharedTexts(reader, realm, beginning), page);
  }
  let texts: Begun | undefined;
  for await (const { found, looked, isWhole } of inOrder<Row>(reader, realm, filter, page, BEGUN_FIRST)) {
    if (isWhole) return found;
    if (texts === undefined) {
      texts = await withSharedTexts(reader, realm, beginning);
      if (await areManyTexts(reader, realm, texts)) continue;
    } else if (looked < BEGUN_MORE) continue;
    return pageByBeginning<Row>(reader, realm, texts, page);
  }
  return [];
}

export async function countUsers(reader: Reader, realm: string, filter: UserFilter | undefined): Promise<number> {
  if (filter === undefined) {
    return countIn(reader, { from: 'users u', where: 'u.realm = $1', parameters: [realm] });
  }
  const few = await fewUsers(reader, realm, filter);
  if (few !== undefined) return countIn(reader, few);
  let count = 0;
  for await (const part of parts(reader, realm, filter)) count += part.users ?? (await countIn(reader, part));
  return count;
}

export async function countIn(reader: Reader, { from, where, parameters }: Search, limit?: number): Promise<number> {
  const some =
    limit === undefined ? `${from} WHERE ${where}` : `(SELECT 1 FROM ${from} WHERE ${where} LIMIT ${limit}) few`;
  // It uses `all`, which may take long in every engine; `get` is for single rows.
  return (await reader.all<{ users: number }>(`SELECT count(*) AS users FROM ${some}`, ...parameters))[0]?.users ?? 0;
}

/** The pieces by which an index finds matching users; undefined if it cannot, or is not built yet. */
export async function indexedPieces(reader: Reader, filter: UserFilter): Promise<readonly string[] | undefined> {
  const pieces = piecesOf(filter);
  if (pieces.length === 0) return undefined;
  return (await reader.get(reader.dialect.users.isIndexed)) === undefined ? undefined : pieces;
}

/** Whether few have the pieces. */
export async function isFew(...asked: Parameters<typeof roughHits>): Promise<boolean> {
  return (await roughHits(...asked)) < MANY;
}

/** Estimates how many users have the pieces: counted by the index up to `MANY`, or from random rows. */
async function roughHits(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
): Promise<number> {
  const parameters: Parameter[] = [];
  const sql = reader.dialect.users.counting(pieces, MANY, binding(parameters));
  if (sql !== undefined) return (await reader.get<{ users: number }>(sql, ...parameters))?.users ?? 0;
  return (await estimateOf(reader, realm, filter, SAMPLED))?.users ?? 0;
}

/** The search as one query, if an index leads to few rows. */
export async function fewUsers(reader: Reader, realm: string, filter: UserFilter): Promise<Search | undefined> {
  const search = { from: 'users u', ...userConditions(reader.dialect, realm, filter) };
  const { holds, exact, username, email } = filter;
  if (exact === true && (username !== undefined || email !== undefined)) return search;
  if (holds === undefined) return undefined;
  const { kind, clientId = '', name } = holds;
  const few = await reader.get<{ holders: number }>(
    'SELECT count(*) AS holders FROM (SELECT 1 FROM user_holdings ' +
      'WHERE realm = $1 AND kind = $2 AND container = $3 AND name = $4 LIMIT $5) AS few',
    realm,
    kind,
    clientId,
    name,
    FEW_HOLDERS + 1,
  );
  if (few !== undefined && few.holders > FEW_HOLDERS) return undefined;
  const { holds: _, ...others } = filter;
  const { where, parameters } = userConditions(reader.dialect, realm, others);
  const [atKind, atClient, atName] = [1, 2, 3].map((offset) => `$${parameters.length + offset}`);
  return {
    // A cross join fixes the order: from the holders to the users.
    from: 'user_holdings o CROSS JOIN users u',
    where:
      `o.realm = $1 AND o.kind = ${atKind} AND o.container = ${atClient} AND o.name = ${atName} ` +
      `AND u.id = o.user_id AND ${where}`,
    parameters: [...parameters, kind, clientId, name],
  };
}

/** A part of a search, with its number of users if that is known. */
interface Part extends Search {
  readonly users: number | undefined;
  /** Rows of the realm in it, whether they match or not; 0 for the last one. */
  readonly rows: number;
  readonly isLast: boolean;
}

/**
 * @param begin rows of the first part; by default as many as do not delay other requests
 * @param wanted users of the page: if all match, it is the size of the first part
 */
export async function* parts(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  after = '',
  begin?: number,
  wanted?: number,
): AsyncGenerator<Part> {
  const { where, parameters } = userConditions(reader.dialect, realm, filter);
  const range = `u.username > $${parameters.length + 1} AND u.username <= $${parameters.length + 2}`;
  // If the index covers all conditions, it leads from part to part.
  const isIndexed = where === userConditions(reader.dialect, realm, {}).where;
  const users = isIndexed
    ? { table: 'users u', key: 'u.username', where, step: INDEX_STEP }
    : { table: 'users', key: 'username' };
  for await (const { after: from, upTo, rows } of keyRanges(reader, realm, {
    ...users,
    after,
    begin: begin ?? (isIndexed ? wanted : undefined),
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

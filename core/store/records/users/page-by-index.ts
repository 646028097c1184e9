import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import { createBinder, userConditions } from './user-conditions.js';

/** Maximum number of index entries that one statement reads. */
const PLACES_PER_STATEMENT = 20_000;
/** How many hits of the index are sorted before they are checked, as a multiple of the page's end. */
const HITS_FACTOR = 4;

export interface Page {
  readonly columns: string;
  readonly first: number;
  readonly max: number;
  /** Only usernames after this one. */
  readonly after: string;
}

/** A query of users `u`, with the realm as `$1`. */
export interface Search {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

/** Returns a page of a search. */
export async function readPage<Row>(
  reader: Reader,
  search: Search,
  order: string,
  { columns, max, first }: Page,
): Promise<Row[]> {
  const { from, where, parameters } = search;
  const limit = `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`;
  const sql = `SELECT ${columnsOfUser(columns)} FROM ${from} WHERE ${where} ORDER BY ${order} ${limit}`;
  return [...(await reader.all<Row>(sql, ...parameters, max, first))];
}

/** Prefixes the columns with `u.`. */
export function columnsOfUser(columns: string): string {
  return columns.replace(/\w+/g, 'u.$&');
}

/** Returns the search for users who have the pieces and match the filter. */
export function searchByIndex(reader: Reader, realm: string, filter: UserFilter, pieces: readonly string[]): Search {
  const conditions = userConditions(reader.dialect, realm, filter);
  const parameters = [...conditions.parameters];
  const { from, where } = reader.dialect.users.having(pieces, createBinder(parameters));
  return { from, where: `${where} AND ${conditions.where}`, parameters };
}

/** Restricts a search to usernames after this one. */
export function afterUsername(search: Search, after: string): Search {
  if (after === '') return search;
  const parameters = [...search.parameters];
  const where = `${search.where} AND u.username > ${createBinder(parameters)(after)}`;
  return { ...search, where, parameters };
}

function beforeUsername(search: Search, username: string): Search {
  const parameters = [...search.parameters];
  return { ...search, where: `${search.where} AND u.username < ${createBinder(parameters)(username)}`, parameters };
}

/** Returns a page of the users who have the pieces, wherever they are in the order of usernames. */
export async function pageByIndex<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  { columns, first, max, after }: Page,
): Promise<Row[]> {
  const { from, where, parameters } = afterUsername(searchByIndex(reader, realm, filter, pieces), after);
  const sql =
    // Materialized, so that no planner tries the order of usernames first.
    `WITH found AS MATERIALIZED (SELECT u.id, u.username FROM ${from} WHERE ${where}), ` +
    `page AS (SELECT id FROM found ORDER BY username LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) ` +
    `SELECT ${columnsOfUser(columns)} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`;
  return [...(await reader.all<Row>(sql, ...parameters, max, first))];
}

/**
 * Returns the same page if many users have the pieces. Nearly all of these match, so the first ones are sorted before
 * they are checked.
 *
 * @returns undefined if too few of them match
 */
export async function pageOfManyHits<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  page: Page,
): Promise<Row[] | undefined> {
  const { first, max, after } = page;
  const hitLimit = HITS_FACTOR * (first + max);
  const conditions = userConditions(reader.dialect, realm, filter);
  const { others } = reader.dialect.users;
  // Users who are not indexed yet are checked at once, because they may not have the pieces.
  const unindexedHits =
    others === undefined ? [] : await hitsOf(reader, afterUsername({ from: others, ...conditions }, after), hitLimit);
  const hits = await firstHits(reader, realm, pieces, { after, most: hitLimit, waiting: unindexedHits });
  const parameters = [...conditions.parameters];
  const ids = reader.dialect.elements(createBinder(parameters)(JSON.stringify(hits.map(({ id }) => id))), 'h');
  const search = { from: `${ids} CROSS JOIN users u`, where: `u.id = h.value AND ${conditions.where}`, parameters };
  const users = await readPage<Row>(reader, search, 'u.username', page);
  return users.length === max || hits.length < hitLimit ? users : undefined;
}

interface Hit {
  readonly id: string;
  readonly username: string;
}

function hitsOf(reader: Reader, search: Search, limit: number): Promise<Hit[]> {
  return readPage<Hit>(reader, search, 'u.username', { columns: 'id, username', first: 0, max: limit, after: '' });
}

/** Compares usernames as databases do, by code points. JavaScript compares surrogates instead. */
function byUsername(first: Hit, second: Hit): number {
  return Buffer.compare(Buffer.from(first.username), Buffer.from(second.username));
}

/**
 * Returns the first users who have the pieces, in the order of usernames.
 * @param waiting users who are not in the index yet
 */
async function firstHits(
  reader: Reader,
  realm: string,
  pieces: readonly string[],
  { after, most, waiting }: { readonly after: string; readonly most: number; readonly waiting: readonly Hit[] },
): Promise<readonly Hit[]> {
  const parameters: Parameter[] = [realm];
  const { from, places } = reader.dialect.users.indexedHits(pieces, createBinder(parameters));
  let hits = waiting;
  const addHits = async (range?: { readonly from: number; readonly upTo: number }) => {
    const values = [...parameters];
    const bind = createBinder(values);
    const inRange = range === undefined ? '' : ` AND u.place > ${bind(range.from)} AND u.place <= ${bind(range.upTo)}`;
    const search = { from, where: `u.realm = $1${inRange}`, parameters: values };
    const lastHit = hits.length < most ? undefined : hits.at(-1);
    const limited = lastHit === undefined ? search : beforeUsername(search, lastHit.username);
    const newHits = await hitsOf(reader, afterUsername(limited, after), most);
    // A user who was not indexed may have been indexed in the meantime.
    const byId = new Map([...hits, ...newHits].map((hit) => [hit.id, hit]));
    hits = [...byId.values()].sort(byUsername).slice(0, most);
  };
  if (places === undefined) await addHits();
  else {
    const last = (await reader.get<{ places: number }>(places))?.places ?? 0;
    for (let place = 0; place < last; place += PLACES_PER_STATEMENT) {
      await addHits({ from: place, upTo: place + PLACES_PER_STATEMENT });
      await new Promise(setImmediate);
    }
  }
  return hits;
}

import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import { binding, userConditions } from './user-conditions.js';

/** Places that one statement looks at. */
const PLACES = 20_000;
/** Factor on the size of a page: this many hits of the index are sorted before it is checked which of them match. */
const FIRST_HITS = 4;

export interface Page {
  readonly columns: string;
  readonly first: number;
  readonly max: number;
  /** Usernames behind this one. */
  readonly after: string;
}

/** A query of users `u`, with the realm as `$1`. */
export interface Search {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

/** A page of a search. */
export async function pick<Row>(
  reader: Reader,
  search: Search,
  order: string,
  { columns, max, first }: Page,
): Promise<Row[]> {
  const { from, where, parameters } = search;
  const limit = `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`;
  const sql = `SELECT ${shown(columns)} FROM ${from} WHERE ${where} ORDER BY ${order} ${limit}`;
  return [...(await reader.all<Row>(sql, ...parameters, max, first))];
}

/** The columns of `u`. */
export function shown(columns: string): string {
  return columns.replace(/\w+/g, 'u.$&');
}

/** Those who have the pieces and meet the filter. */
export function byIndex(reader: Reader, realm: string, filter: UserFilter, pieces: readonly string[]): Search {
  const conditions = userConditions(reader.dialect, realm, filter);
  const parameters = [...conditions.parameters];
  const { from, where } = reader.dialect.users.having(pieces, binding(parameters));
  return { from, where: `${where} AND ${conditions.where}`, parameters };
}

/** Restricts a search to usernames after this one. */
export function afterUsername(search: Search, after: string): Search {
  if (after === '') return search;
  const parameters = [...search.parameters];
  const where = `${search.where} AND u.username > ${binding(parameters)(after)}`;
  return { ...search, where, parameters };
}

function before(search: Search, username: string): Search {
  const parameters = [...search.parameters];
  return { ...search, where: `${search.where} AND u.username < ${binding(parameters)(username)}`, parameters };
}

/** The page out of those who have the pieces, however they lie in the order of usernames. */
export async function pageByIndex<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  { columns, first, max, after }: Page,
): Promise<Row[]> {
  const { from, where, parameters } = afterUsername(byIndex(reader, realm, filter, pieces), after);
  const sql =
    // Materialized, so that no server tries the order of usernames first.
    `WITH found AS MATERIALIZED (SELECT u.id, u.username FROM ${from} WHERE ${where}), ` +
    `page AS (SELECT id FROM found ORDER BY username LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) ` +
    `SELECT ${shown(columns)} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`;
  return [...(await reader.all<Row>(sql, ...parameters, max, first))];
}

/**
 * The same if many users have the pieces. Nearly all of them match, so the first ones are sorted before they are
 * checked.
 *
 * @returns undefined if too few of them match
 */
export async function pageFarBehind<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  page: Page,
): Promise<Row[] | undefined> {
  const { first, max, after } = page;
  const most = FIRST_HITS * (first + max);
  const matching = userConditions(reader.dialect, realm, filter);
  const { others } = reader.dialect.users;
  // Users who are not indexed yet are checked immediately, since they may not have the pieces.
  const waiting =
    others === undefined ? [] : await hitsOf(reader, afterUsername({ from: others, ...matching }, after), most);
  const hits = await firstHits(reader, realm, pieces, { after, most, waiting });
  const parameters = [...matching.parameters];
  const ids = reader.dialect.elements(binding(parameters)(JSON.stringify(hits.map(({ id }) => id))), 'h');
  const search = { from: `${ids} CROSS JOIN users u`, where: `u.id = h.value AND ${matching.where}`, parameters };
  const found = await pick<Row>(reader, search, 'u.username', page);
  return found.length === max || hits.length < most ? found : undefined;
}

interface Hit {
  readonly id: string;
  readonly username: string;
}

function hitsOf(reader: Reader, search: Search, most: number): Promise<Hit[]> {
  return pick<Hit>(reader, search, 'u.username', { columns: 'id, username', first: 0, max: most, after: '' });
}

/** As databases order them: by code points, which halves of pairs are not. */
function byUsername(one: Hit, other: Hit): number {
  return Buffer.compare(Buffer.from(one.username), Buffer.from(other.username));
}

/** The first who have the pieces, in the order of usernames. @param waiting those whom the index does not have yet */
async function firstHits(
  reader: Reader,
  realm: string,
  pieces: readonly string[],
  { after, most, waiting }: { readonly after: string; readonly most: number; readonly waiting: readonly Hit[] },
): Promise<readonly Hit[]> {
  const parameters: Parameter[] = [realm];
  const { from, places } = reader.dialect.users.hits(pieces, binding(parameters));
  let hits = waiting;
  const add = async (range?: { readonly from: number; readonly upTo: number }) => {
    const values = [...parameters];
    const bind = binding(values);
    const inRange = range === undefined ? '' : ` AND u.place > ${bind(range.from)} AND u.place <= ${bind(range.upTo)}`;
    const here = { from, where: `u.realm = $1${inRange}`, parameters: values };
    const last = hits.length < most ? undefined : hits.at(-1);
    const near = last === undefined ? here : before(here, last.username);
    const more = await hitsOf(reader, afterUsername(near, after), most);
    // A user who was not indexed may have been indexed meanwhile.
    const byId = new Map([...hits, ...more].map((hit) => [hit.id, hit]));
    hits = [...byId.values()].sort(byUsername).slice(0, most);
  };
  if (places === undefined) await add();
  else {
    const last = (await reader.get<{ places: number }>(places))?.places ?? 0;
    for (let place = 0; place < last; place += PLACES) {
      await add({ from: place, upTo: place + PLACES });
      await new Promise(setImmediate);
    }
  }
  return hits;
}

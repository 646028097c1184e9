import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import type { Page } from './beginnings.js';
import { binding, userConditions } from './user-conditions.js';

/** Of many that the index names, so many times as many as the page has are put in order before it is looked which of them match. */
const FIRST_HITS = 4;

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

function shown(columns: string): string {
  return columns.replace(/\w+/g, 'u.$&');
}

/** Those who have the pieces and meet the filter. */
export function byIndex(reader: Reader, realm: string, filter: UserFilter, pieces: readonly string[]): Search {
  const conditions = userConditions(reader.dialect, realm, filter);
  const parameters = [...conditions.parameters];
  const { from, where } = reader.dialect.users.having(pieces, binding(parameters));
  return { from, where: `${where} AND ${conditions.where}`, parameters };
}

/** Of a search, those behind a username. */
export function behind(search: Search, after: string): Search {
  if (after === '') return search;
  const parameters = [...search.parameters];
  const where = `${search.where} AND u.username > ${binding(parameters)(after)}`;
  return { ...search, where, parameters };
}

/** The page out of those who have the pieces, however they lie in the order of usernames. */
export async function pageByIndex<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  { columns, first, max, after }: Page,
): Promise<Row[]> {
  const { from, where, parameters } = behind(byIndex(reader, realm, filter, pieces), after);
  const sql =
    // Materialized, so that no server tries the order of usernames first.
    `WITH found AS MATERIALIZED (SELECT u.id, u.username FROM ${from} WHERE ${where}), ` +
    `page AS (SELECT id FROM found ORDER BY username LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}) ` +
    `SELECT ${shown(columns)} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`;
  return [...(await reader.all<Row>(sql, ...parameters, max, first))];
}

/**
 * The same where many have the pieces. Nearly all who have them match, so the first of these are put in order before it is looked
 * who does; where too few of them do, all are looked at.
 */
export async function pageFarBehind<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  pieces: readonly string[],
  page: Page,
): Promise<Row[]> {
  const { columns, first, max, after } = page;
  const { where, parameters } = userConditions(reader.dialect, realm, filter);
  const values = [...parameters];
  const bind = binding(values);
  const { from, where: hasPieces } = reader.dialect.users.having(pieces, bind);
  const isBehind = after === '' ? '' : ` AND u.username > ${bind(after)}`;
  const sql =
    `WITH first AS MATERIALIZED (SELECT u.id, u.username FROM ${from} WHERE ${hasPieces} AND u.realm = $1${isBehind} ` +
    `ORDER BY u.username LIMIT ${bind(FIRST_HITS * (first + max))}) ` +
    `SELECT ${shown(columns)} FROM first CROSS JOIN users u WHERE u.id = first.id AND ${where} ` +
    `ORDER BY u.username LIMIT ${bind(max)} OFFSET ${bind(first)}`;
  const found = await reader.all<Row>(sql, ...values);
  return found.length === max ? [...found] : pageByIndex<Row>(reader, realm, filter, pieces, page);
}

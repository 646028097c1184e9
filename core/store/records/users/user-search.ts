import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import { INDEX_STEP, keyRanges } from '../../engine/ranges.js';
import type { UserFilter } from '../../store.js';
import { userConditions } from './user-conditions.js';

/** Holders of a role, or members of a group, that are looked up one by one; beyond, all users are gone through. */
const FEW_HOLDERS = 1000;

interface Search {
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

interface Page {
  readonly columns: string;
  readonly first: number;
  readonly max: number;
}

/** The users of one page, ordered by username. */
export async function findUsers<Row>(
  reader: Reader,
  realm: string,
  filter: UserFilter,
  { columns, first, max }: Page,
): Promise<Row[]> {
  const shown = columns.replace(/\w+/g, 'u.$&');
  const pick = async (
    { from, where, parameters }: Search,
    order: string,
    skip: number,
    most: number,
  ): Promise<Row[]> => {
    const limit = `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`;
    const sql = `SELECT ${shown} FROM ${from} WHERE ${where} ORDER BY ${order} ${limit}`;
    return [...(await reader.all<Row>(sql, ...parameters, most, skip))];
  };
  const few = await fewUsers(reader, realm, filter);
  // Usernames are in lower case; an index in their order would lead past every user.
  if (few !== undefined) return pick(few, 'lower(u.username)', first, max);
  const found: Row[] = [];
  let skip = first;
  for await (const part of parts(reader, realm, filter)) {
    const here = skip === 0 ? 0 : (part.users ?? (await countIn(reader, part)));
    if (here > skip || skip === 0) found.push(...(await pick(part, 'u.username', skip, max - found.length)));
    skip = Math.max(0, skip - here);
    if (found.length >= max) break;
  }
  return found;
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

async function countIn(reader: Reader, { from, where, parameters }: Search): Promise<number> {
  const sql = `SELECT count(*) AS users FROM ${from} WHERE ${where}`;
  // Among the reads that may take long, whatever the engine does with those of one row.
  return (await reader.all<{ users: number }>(sql, ...parameters))[0]?.users ?? 0;
}

/** The search in one query, where an index leads to few rows. */
async function fewUsers(reader: Reader, realm: string, filter: UserFilter): Promise<Search | undefined> {
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
    // A cross join keeps its order: from the holders to the users.
    from: 'user_holdings o CROSS JOIN users u',
    where:
      `o.realm = $1 AND o.kind = ${atKind} AND o.container = ${atClient} AND o.name = ${atName} ` +
      `AND u.id = o.user_id AND ${where}`,
    parameters: [...parameters, kind, clientId, name],
  };
}

/** A part of a search, and how many users are in it where that is known. */
interface Part extends Search {
  readonly users: number | undefined;
}

async function* parts(reader: Reader, realm: string, filter: UserFilter): AsyncGenerator<Part> {
  const { where, parameters } = userConditions(reader.dialect, realm, filter);
  const range = `u.username > $${parameters.length + 1} AND u.username <= $${parameters.length + 2}`;
  // Where no more is asked for than an index says, that index leads from part to part.
  const isIndexed = where === userConditions(reader.dialect, realm, {}).where;
  const users = isIndexed
    ? { table: 'users u', key: 'u.username', where, step: INDEX_STEP }
    : { table: 'users', key: 'username' };
  for await (const { after, upTo, rows } of keyRanges(reader, realm, users)) {
    const found = isIndexed ? rows : undefined;
    yield { from: 'users u', where: `${where} AND ${range}`, parameters: [...parameters, after, upTo], users: found };
  }
}

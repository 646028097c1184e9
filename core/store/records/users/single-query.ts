import type { Reader } from '../../engine/engine.js';
import type { Membership, UserFilter } from '../../store.js';
import type { Search } from './page-by-index.js';
import { createBinder, listOf, membershipColumns, userConditions } from './user-conditions.js';

/**
 * Maximum number of users with a role, or members of a group, that are looked up individually. If there are more, all
 * users are read.
 */
const MAX_HOLDERS = 1000;

/** Returns the search as one query, if an index leads to few rows. */
export async function singleQueryOf(reader: Reader, realm: string, filter: UserFilter): Promise<Search | undefined> {
  const search = { from: 'users u', ...userConditions(reader.dialect, realm, filter) };
  const { holds, exact, username, email } = filter;
  if (exact === true && (username !== undefined || email !== undefined)) return search;
  if (filter.holdsAny !== undefined) return singleQueryOfHolders(reader, realm, filter, filter.holdsAny);
  if (holds === undefined) return undefined;
  const { kind, clientId = '', name } = holds;
  const holderCount = await reader.get<{ holders: number }>(
    'SELECT count(*) AS holders FROM (SELECT 1 FROM user_holdings ' +
      'WHERE realm = $1 AND kind = $2 AND container = $3 AND name = $4 LIMIT $5) AS few',
    realm,
    kind,
    clientId,
    name,
    MAX_HOLDERS + 1,
  );
  if (holderCount !== undefined && holderCount.holders > MAX_HOLDERS) return undefined;
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

/** The same for users who have at least one of many roles and groups. */
async function singleQueryOfHolders(
  reader: Reader,
  realm: string,
  { holdsAny: _, ...others }: UserFilter,
  memberships: readonly Membership[],
): Promise<Search | undefined> {
  const { dialect } = reader;
  const [kind, container, name] = membershipColumns(dialect);
  // A cross join fixes the order: from the memberships to their holders.
  const holders = (list: string) =>
    `SELECT DISTINCT h.user_id FROM ${dialect.elements(list, 'm')} CROSS JOIN user_holdings h ` +
    `WHERE h.realm = $1 AND h.kind = ${kind} AND h.container = ${container} AND h.name = ${name}`;
  const list = listOf(memberships);
  const countSql = `SELECT count(*) AS holders FROM (${holders('$2')} LIMIT $3) AS few`;
  const count = await reader.get<{ holders: number }>(countSql, realm, list, MAX_HOLDERS + 1);
  if (count !== undefined && count.holders > MAX_HOLDERS) return undefined;
  const conditions = userConditions(dialect, realm, others);
  const parameters = [...conditions.parameters];
  const from = `(${holders(createBinder(parameters)(list))}) o CROSS JOIN users u`;
  return { from, where: `u.id = o.user_id AND ${conditions.where}`, parameters };
}

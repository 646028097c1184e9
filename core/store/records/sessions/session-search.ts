import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import { keyRanges } from '../../engine/ranges.js';
import type { ClientSessionCount, SessionFilter } from '../../store.js';

const SESSION_KEYS = { table: 'user_sessions', key: 'id' } as const;

/** Returns the sessions of one page, ordered by ID. */
export async function findSessions<Row>(
  reader: Reader,
  realm: string,
  { first = 0, max = Number.MAX_SAFE_INTEGER, ...filter }: SessionFilter & { first?: number; max?: number },
  columns: string,
): Promise<Row[]> {
  const { where, parameters } = conditions(realm, filter);
  const next = parameters.length + 1;
  const page = (from: number) => `ORDER BY s.id, s.offline LIMIT $${from} OFFSET $${from + 1}`;
  if (filter.userId !== undefined) {
    const sql = `SELECT ${columns} FROM user_sessions s WHERE ${where} ${page(next)}`;
    return [...(await reader.all<Row>(sql, ...parameters, max, first))];
  }
  const inRange = `${where} AND s.id > $${next} AND s.id <= $${next + 1}`;
  const countSql = `SELECT count(*) AS here FROM user_sessions s WHERE ${inRange}`;
  const readSql = `SELECT ${columns} FROM user_sessions s WHERE ${inRange} ${page(next + 2)}`;
  const sessions: Row[] = [];
  let skip = first;
  for await (const { after, upTo } of keyRanges(reader, realm, SESSION_KEYS)) {
    const range = [...parameters, after, upTo];
    const here = skip === 0 ? 0 : ((await reader.get<{ here: number }>(countSql, ...range))?.here ?? 0);
    if (skip === 0 || here > skip)
      sessions.push(...(await reader.all<Row>(readSql, ...range, max - sessions.length, skip)));
    skip = Math.max(0, skip - here);
    if (sessions.length >= max) break;
  }
  return sessions;
}

export async function countByClient(
  reader: Reader,
  realm: string,
  { clientUuid, ...filter }: Omit<SessionFilter, 'userId'>,
): Promise<ClientSessionCount[]> {
  const { where, parameters } = conditions(realm, filter);
  const next = parameters.length + 1;
  const clientCondition = clientUuid === undefined ? '' : ` AND c.client_uuid = $${next + 2}`;
  const sql =
    'SELECT c.client_uuid, s.offline, count(*) AS sessions FROM user_sessions s ' +
    `JOIN client_sessions c ON c.realm = s.realm AND c.session_id = s.id AND c.offline = s.offline${clientCondition} ` +
    `WHERE ${where} AND s.id > $${next} AND s.id <= $${next + 1} GROUP BY c.client_uuid, s.offline`;
  const counts = new Map<string, { clientUuid: string; offline: boolean; sessions: number }>();
  for await (const { after, upTo } of keyRanges(reader, realm, SESSION_KEYS)) {
    const values = [...parameters, after, upTo, ...(clientUuid === undefined ? [] : [clientUuid])];
    for (const row of await reader.all<{ client_uuid: string; offline: number; sessions: number }>(sql, ...values)) {
      const key = `${row.client_uuid} ${row.offline}`;
      const count = counts.get(key) ?? { clientUuid: row.client_uuid, offline: row.offline === 1, sessions: 0 };
      count.sessions += row.sessions;
      counts.set(key, count);
    }
  }
  return [...counts.values()];
}

/** Returns a filter as a condition of a query on `user_sessions s`, with its parameters from `$1` on. */
function conditions(realm: string, { userId, clientUuid, offline, aliveAt }: SessionFilter) {
  const parameters: Parameter[] = [realm];
  let where = 's.realm = $1';
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  if (userId !== undefined) where += ` AND s.user_id = ${bind(userId)}`;
  if (offline !== undefined) where += ` AND s.offline = ${bind(offline ? 1 : 0)}`;
  // Written so that no index is used for it, because nearly every session meets the condition.
  if (aliveAt !== undefined) where += ` AND s.expires_at + 0 > ${bind(aliveAt)}`;
  if (clientUuid !== undefined) {
    where +=
      ' AND EXISTS (SELECT 1 FROM client_sessions c ' +
      `WHERE c.realm = $1 AND c.session_id = s.id AND c.offline = s.offline AND c.client_uuid = ${bind(clientUuid)})`;
  }
  return { where, parameters };
}

import { defined } from '../../model/defined.js';
import type { Dialect } from '../engine/dialect.js';
import type { Reader, Writer } from '../engine/engine.js';
import { endWith, endWithAll, type Operation, type Parameter } from '../engine/operation.js';
import type { EventHead, EventRecord, EventStore } from '../store.js';
import { waitingRow } from './event-outbox.js';

type Filter = Parameters<EventStore['query']>[1];
type Naming = Parameters<EventStore['naming']>[1];

interface EventRow {
  realm: string;
  id: string;
  kind: 'user' | 'admin';
  time: number;
  type: string;
  client_id: string | null;
  user_id: string | null;
  ip_address: string | null;
  body: string;
  expires_at: number | null;
}

const COLUMNS = 'realm, id, kind, time, type, client_id, user_id, ip_address, body, expires_at';
const DEFAULT_MAX = 100;
/** Numbers of IDs in one statement. A few texts of statements are prepared once and cached. */
const IDS_AT_ONCE = [10, 100] as const;

export const eventOperations = {
  *'events.append'(events: readonly EventRecord[]): Operation<void> {
    const kept = events.filter(({ isKept = true }) => isKept);
    const waiting = events.flatMap((event) =>
      event.position === undefined ? [] : [waitingRow(event, event.position)],
    );
    yield* endWithAll([
      ...kept.map((event): readonly [sql: string, ...Parameter[]] => [
        `INSERT INTO events (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ` +
          'ON CONFLICT (realm, id) DO UPDATE SET type = excluded.type, client_id = excluded.client_id, ' +
          'user_id = excluded.user_id, body = excluded.body',
        event.realm,
        event.id,
        event.kind,
        event.time,
        event.type,
        event.clientId,
        event.userId,
        event.ipAddress,
        event.body,
        event.expiresAt,
      ]),
      ...waiting,
    ]);
  },

  *'events.clear'(realm: string, kind: 'user' | 'admin'): Operation<number> {
    return yield* endWith('DELETE FROM events WHERE realm = $1 AND kind = $2', realm, kind);
  },
};

export class EventRecords implements EventStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  append(events: readonly EventRecord[]): Promise<void> {
    return this.#writer.call('events.append', events);
  }

  async query(realm: string, filter: Filter): Promise<readonly EventRecord[]> {
    const { where, parameters } = conditions(this.#reader.dialect, realm, filter);
    const next = parameters.length + 1;
    const order = filter.oldestFirst === true ? 'ASC' : 'DESC';
    const rows = await this.#reader.all<EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE ${where} ORDER BY time ${order}, id ${order} ` +
        `LIMIT $${next} OFFSET $${next + 1}`,
      ...parameters,
      filter.max ?? DEFAULT_MAX,
      filter.first ?? 0,
    );
    return rows.map(eventRecord);
  }

  async heads(realm: string, from: number, max: number): Promise<readonly EventHead[]> {
    return this.#reader.all<EventHead>(
      "SELECT id, time FROM events WHERE realm = $1 AND kind IN ('user', 'admin') AND time >= $2 " +
        'ORDER BY time DESC, id DESC LIMIT $3',
      realm,
      from,
      max,
    );
  }

  async byIds(realm: string, ids: readonly string[]): Promise<readonly EventRecord[]> {
    const found: EventRecord[] = [];
    const [few, many] = IDS_AT_ONCE;
    const atOnce = ids.length > few ? many : few;
    for (let first = 0; first < ids.length; first += atOnce) {
      const places = Array.from({ length: atOnce }, (_, index) => `$${index + 2}`).join(', ');
      const sql = `SELECT ${COLUMNS} FROM events WHERE realm = $1 AND id IN (${places})`;
      const some = Array.from({ length: atOnce }, (_, index) => ids[first + index]?.replaceAll('\0', '\ufffd'));
      found.push(...(await this.#reader.all<EventRow>(sql, realm, ...some)).map(eventRecord));
    }
    return found.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  }

  async naming(realm: string, { text, of, from, among, max }: Naming) {
    const [column, value] = 'userId' in of ? ['user_id', of.userId] : ['kind', of.kind];
    const looked = `FROM events WHERE realm = $1 AND ${column} = $2 AND time >= $3 ORDER BY time, id LIMIT $4`;
    const place = [realm, value.replaceAll('\0', '\ufffd'), from];
    const rows = await this.#reader.all<EventRow>(
      `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} ${looked}) AS looked ` +
        "WHERE body LIKE $5 ESCAPE '\\' ORDER BY time, id LIMIT $6",
      ...place,
      among,
      `%${escaped(text)}%`,
      max + 1,
    );
    const more = await this.#reader.get(`SELECT id ${looked} OFFSET $5`, ...place, 1, among);
    return { events: rows.slice(0, max).map(eventRecord), isCut: rows.length > max || more !== undefined };
  }

  clear(realm: string, kind: 'user' | 'admin'): Promise<number> {
    return this.#writer.call('events.clear', realm, kind);
  }
}

function conditions(dialect: Dialect, realm: string, filter: Filter): { where: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [realm, filter.kind];
  const parts = ['realm = $1', 'kind = $2'];
  const add = (text: (placeholder: string) => string, value: Parameter) => {
    if (value === undefined) return;
    // The driver ends a text at its first NUL, and would find what matches the text before it.
    parameters.push(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);
    parts.push(text(`$${parameters.length}`));
  };
  add((p) => `client_id = ${p}`, filter.clientId);
  add((p) => `user_id = ${p}`, filter.userId);
  add((p) => `ip_address = ${p}`, filter.ipAddress);
  add((p) => `${dialect.text('body', 'sessionId')} = ${p}`, filter.sessionId);
  add((p) => `${dialect.text('body', 'details', 'token_id')} = ${p}`, filter.tokenId);
  add((p) => `time >= ${p}`, filter.from);
  add((p) => `time <= ${p}`, filter.to);
  const addOneOf = (column: string, values: readonly string[] = []) => {
    if (values.length === 0) return;
    const first = parameters.length + 1;
    parameters.push(...values);
    parts.push(`${column} IN (${values.map((_, index) => `$${first + index}`).join(', ')})`);
  };
  addOneOf('type', filter.types);
  addOneOf(dialect.text('body', 'resourceType'), filter.resourceTypes);
  add((p) => `${dialect.text('body', 'authDetails', 'realmId')} = ${p}`, filter.authRealmId);
  add(
    (p) => `lower(${dialect.text('body', 'resourcePath')}) LIKE lower(${p}) ESCAPE '\\'`,
    pattern(filter.resourcePath),
  );
  if (filter.before !== undefined) {
    parameters.push(filter.before.time, filter.before.id);
    parts.push(`(time, id) < ($${parameters.length - 1}, $${parameters.length})`);
  }
  return { where: parts.join(' AND '), parameters };
}

function pattern(path: string | undefined): string | undefined {
  return path === undefined ? undefined : escaped(path).replaceAll('*', '%');
}

/** Escapes a text for a LIKE pattern. */
function escaped(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(/[\\%_]/g, '\\$&');
}

function eventRecord(row: EventRow): EventRecord {
  return defined({
    realm: row.realm,
    id: row.id,
    kind: row.kind,
    time: row.time,
    type: row.type,
    body: row.body,
    clientId: row.client_id ?? undefined,
    userId: row.user_id ?? undefined,
    ipAddress: row.ip_address ?? undefined,
    expiresAt: row.expires_at ?? undefined,
  });
}

import { defined } from '../../model/defined.js';
import type { Dialect } from '../engine/dialect.js';
import type { Reader, Writer } from '../engine/engine.js';
import { endWith, endWithAll, type Operation, type Parameter } from '../engine/operation.js';
import type { EventHead, EventRecord, EventStore } from '../store.js';
import { insertWaiting } from './event-outbox.js';

type Filter = Parameters<EventStore['query']>[1];
type NamingFilter = Parameters<EventStore['naming']>[1];

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
const DEFAULT_PAGE_SIZE = 100;
/** The numbers of IDs in one statement. So there are only two statements, which are prepared once and cached. */
const IDS_PER_STATEMENT = [10, 100] as const;

export const eventOperations = {
  *'events.append'(events: readonly EventRecord[]): Operation<void> {
    const storedEvents = events.filter(({ isKept = true }) => isKept);
    const outboxInserts = events.flatMap((event) =>
      event.position === undefined ? [] : [insertWaiting(event, event.position)],
    );
    yield* endWithAll([
      ...storedEvents.map((event): readonly [sql: string, ...Parameter[]] => [
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
      ...outboxInserts,
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
      filter.max ?? DEFAULT_PAGE_SIZE,
      filter.first ?? 0,
    );
    return rows.map(toEventRecord);
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
    const events: EventRecord[] = [];
    const [smallBatch, largeBatch] = IDS_PER_STATEMENT;
    const batchSize = ids.length > smallBatch ? largeBatch : smallBatch;
    for (let first = 0; first < ids.length; first += batchSize) {
      const placeholders = Array.from({ length: batchSize }, (_, index) => `$${index + 2}`).join(', ');
      const sql = `SELECT ${COLUMNS} FROM events WHERE realm = $1 AND id IN (${placeholders})`;
      const batch = Array.from({ length: batchSize }, (_, index) => ids[first + index]?.replaceAll('\0', '\ufffd'));
      events.push(...(await this.#reader.all<EventRow>(sql, realm, ...batch)).map(toEventRecord));
    }
    return events.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  }

  async naming(realm: string, { text, of, from, among, max }: NamingFilter) {
    const [column, value] = 'userId' in of ? ['user_id', of.userId] : ['kind', of.kind];
    const scanned = `FROM events WHERE realm = $1 AND ${column} = $2 AND time >= $3 ORDER BY time, id LIMIT $4`;
    const scanParameters = [realm, value.replaceAll('\0', '\ufffd'), from];
    const rows = await this.#reader.all<EventRow>(
      `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} ${scanned}) AS looked ` +
        "WHERE body LIKE $5 ESCAPE '\\' ORDER BY time, id LIMIT $6",
      ...scanParameters,
      among,
      `%${escapeLike(text)}%`,
      max + 1,
    );
    const nextEvent = await this.#reader.get(`SELECT id ${scanned} OFFSET $5`, ...scanParameters, 1, among);
    return { events: rows.slice(0, max).map(toEventRecord), isCut: rows.length > max || nextEvent !== undefined };
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
    // The driver cuts off a text at its first NUL, and would find events that match the part before it.
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
    likePattern(filter.resourcePath),
  );
  if (filter.before !== undefined) {
    parameters.push(filter.before.time, filter.before.id);
    parts.push(`(time, id) < ($${parameters.length - 1}, $${parameters.length})`);
  }
  return { where: parts.join(' AND '), parameters };
}

function likePattern(path: string | undefined): string | undefined {
  return path === undefined ? undefined : escapeLike(path).replaceAll('*', '%');
}

/** Escapes a text for a LIKE pattern. */
function escapeLike(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(/[\\%_]/g, '\\$&');
}

function toEventRecord(row: EventRow): EventRecord {
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

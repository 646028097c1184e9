import type { AdminEvent, Event, EventQuery, StoredEvent, StoringOutcome } from '@keyhost/spi';
import { type Database, isWrongValue, type Parameter } from './database.js';
import { COLUMNS, NUMERIC_COLUMNS, rowOf } from './rows.js';

/** The number of rows that one statement deletes, so that others do not wait long. */
const DELETED_AT_ONCE = 5_000;

const UPDATED_COLUMNS = COLUMNS.filter((column) => !['realm_id', 'id', 'time', 'expires_at'].includes(column));
// An event that is stored again has the same content, or more.
const INSERT =
  `INSERT INTO $events (${COLUMNS.join(', ')}) SELECT * FROM unnest(` +
  COLUMNS.map((column, index) => `$${index + 1}::${NUMERIC_COLUMNS.includes(column) ? 'bigint' : 'text'}[]`).join(
    ', ',
  ) +
  `) ON CONFLICT (realm_id, id) DO UPDATE SET ${UPDATED_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** The events of one realm. */
export class EventsTable {
  readonly #database: Database;
  readonly #realm: string;

  /** @param realm its ID, since a later realm of the same name is a different one */
  constructor(database: Database, realm: string) {
    this.#database = database;
    this.#realm = realm;
  }

  async store(events: readonly StoredEvent[]): Promise<StoringOutcome | undefined> {
    try {
      await this.#insert(events);
      return undefined;
    } catch (error) {
      if (!isWrongValue(error)) throw error;
    }
    // At least one of them can never be stored: store the others one by one.
    const refused: { id: string; reason: string }[] = [];
    for (const stored of events) {
      try {
        await this.#insert([stored]);
      } catch (error) {
        if (!isWrongValue(error)) throw error;
        refused.push({ id: stored.event.id, reason: String((error as Error).message) });
      }
    }
    return { refused };
  }

  async query(query: EventQuery, now: number): Promise<(Event | AdminEvent)[]> {
    const { where, parameters } = this.#conditions(query, now);
    const order = query.oldestFirst === true ? 'ASC' : 'DESC';
    const page = `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`;
    const { rows } = await this.#database.run<{ body: string }>(
      `SELECT body FROM $events WHERE ${where} ORDER BY time ${order}, id ${order} ${page}`,
      [...parameters, query.max, query.first],
    );
    return rows.map(({ body }) => JSON.parse(body));
  }

  clear(kind: EventQuery['kind']): Promise<number> {
    return this.#delete('kind = $2', kind);
  }

  deleteExpired(now: number): Promise<number> {
    return this.#delete('expires_at < $2', now);
  }

  async #insert(events: readonly StoredEvent[]): Promise<void> {
    const rows = events.map((stored) => rowOf(this.#realm, stored));
    await this.#database.run(
      INSERT,
      COLUMNS.map((_, index) => rows.map((row) => row[index] ?? null)),
    );
  }

  async #delete(condition: string, value: Parameter): Promise<number> {
    const sql =
      'DELETE FROM $events WHERE (realm_id, id) IN ' +
      `(SELECT realm_id, id FROM $events WHERE realm_id = $1 AND ${condition} LIMIT ${DELETED_AT_ONCE})`;
    for (let removed = 0; ; ) {
      const { rowCount } = await this.#database.run(sql, [this.#realm, value]);
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < DELETED_AT_ONCE) return removed;
    }
  }

  #conditions(query: EventQuery, now: number): { where: string; parameters: Parameter[] } {
    const parameters: Parameter[] = [this.#realm, query.kind, now];
    const parts = ['realm_id = $1', 'kind = $2', '(expires_at IS NULL OR expires_at >= $3)'];
    const add = (text: (placeholder: string) => string, value: string | number | readonly string[] | undefined) => {
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
      parameters.push(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);
      parts.push(text(`$${parameters.length}`));
    };
    const addEqual = (column: string, value: string | undefined) => add((p) => `${column} = ${p}`, value);
    addEqual('id', query.id);
    addEqual('client_id', query.clientId);
    addEqual('user_id', query.userId);
    addEqual('ip_address', query.ipAddress);
    addEqual('session_id', query.sessionId);
    addEqual('token_id', query.tokenId);
    addEqual('auth_realm_id', query.authRealmId);
    add((p) => `type = ANY(${p}::text[])`, query.types);
    add((p) => `resource_type = ANY(${p}::text[])`, query.resourceTypes);
    add((p) => `time >= ${p}`, query.from);
    add((p) => `time <= ${p}`, query.to);
    add((p) => `lower(resource_path) LIKE lower(${p}) ESCAPE '\\'`, likePattern(query.resourcePath));
    return { where: parts.join(' AND '), parameters };
  }
}

function likePattern(path: string | undefined): string | undefined {
  return path?.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

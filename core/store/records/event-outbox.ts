import { defined } from '../../model/defined.js';
import type { Reader, Writer } from '../engine/engine.js';
import { endWith, endWithAll, type Operation, type Parameter } from '../engine/operation.js';
import type { EventOutbox, EventRecord, WaitingEvent } from '../store.js';

interface OutboxRow {
  position: number;
  id: string;
  kind: 'user' | 'admin';
  body: string;
  expires_at: number | null;
}

type OutboxKey = Pick<WaitingEvent, 'position' | 'id'>;

/** Returns the statement that writes an event into the outbox. */
export function insertWaiting(event: EventRecord, position: number): readonly [sql: string, ...Parameter[]] {
  return [
    'INSERT INTO event_outbox (realm, position, id, kind, body, expires_at) VALUES ($1, $2, $3, $4, $5, $6) ' +
      'ON CONFLICT (realm, position, id) DO UPDATE SET body = excluded.body',
    event.realm,
    position,
    event.id,
    event.kind,
    event.body,
    event.expiresAt,
  ];
}

export const eventOutboxOperations = {
  *'eventOutbox.remove'(realm: string, places: readonly OutboxKey[]): Operation<void> {
    const sql = 'DELETE FROM event_outbox WHERE realm = $1 AND position = $2 AND id = $3';
    yield* endWithAll(places.map(({ position, id }) => [sql, realm, position, id]));
  },

  *'eventOutbox.clear'(realm: string, kind: 'user' | 'admin'): Operation<number> {
    return yield* endWith('DELETE FROM event_outbox WHERE realm = $1 AND kind = $2', realm, kind);
  },
};

/** The sizes are added up before the bodies are read: bodies may be large, and many of them may not fit into memory. */
const SELECT_FIRST_WAITING =
  'SELECT e.position, e.id, e.kind, e.body, e.expires_at FROM (' +
  'SELECT position, id, size, SUM(size) OVER (ORDER BY position, id) AS total FROM (' +
  'SELECT position, id, LENGTH(body) AS size FROM event_outbox WHERE realm = $1 ORDER BY position, id LIMIT $2' +
  ') AS first_rows) AS measured ' +
  'JOIN event_outbox e ON e.realm = $1 AND e.position = measured.position AND e.id = measured.id ' +
  'WHERE measured.total <= $3 OR measured.total = measured.size ORDER BY e.position, e.id';

export class EventOutboxRecords implements EventOutbox {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async waiting(realm: string, limits: Parameters<EventOutbox['waiting']>[1]): Promise<readonly WaitingEvent[]> {
    const rows = await this.#reader.all<OutboxRow>(SELECT_FIRST_WAITING, realm, limits.rows, limits.characters);
    return rows.map(({ expires_at, ...row }) => defined({ ...row, expiresAt: expires_at ?? undefined }));
  }

  async count(realm: string, max: number): Promise<number> {
    const row = await this.#reader.get<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT id FROM event_outbox WHERE realm = $1 LIMIT $2) AS counted',
      realm,
      max,
    );
    return Number(row?.n ?? 0);
  }

  remove(realm: string, events: readonly OutboxKey[]): Promise<void> {
    return this.#writer.call(
      'eventOutbox.remove',
      realm,
      events.map(({ position, id }) => ({ position, id })),
    );
  }

  clear(realm: string, kind: 'user' | 'admin'): Promise<number> {
    return this.#writer.call('eventOutbox.clear', realm, kind);
  }

  /** Looks up one realm after another in the index, so that the number of waiting events does not matter. */
  async realms(): Promise<readonly string[]> {
    const realmNames: string[] = [];
    for (let last = ''; ; ) {
      const sql = 'SELECT realm FROM event_outbox WHERE realm > $1 ORDER BY realm LIMIT 1';
      const row = await this.#reader.get<{ realm: string }>(sql, last);
      if (row === undefined) return realmNames;
      last = row.realm;
      realmNames.push(last);
    }
  }
}

import type { Reader, Writer } from '../engine/engine.js';
import { endWith, get, type Operation } from '../engine/operation.js';
import type { CounterStore } from '../store.js';

export interface Count {
  count: number;
  firstAt: number;
}

interface CounterRow {
  bumps: number;
  first_at: number;
}

export const counterOperations = {
  *'counters.bump'({ realm, subject, now, windowMs }: Parameters<CounterStore['bump']>[0]): Operation<Count> {
    const row = yield* get<CounterRow>(
      'INSERT INTO counters (realm, subject, bumps, first_at, expires_at) VALUES ($1, $2, 1, $3, $4) ' +
        'ON CONFLICT (realm, subject) DO UPDATE SET ' +
        'bumps = CASE WHEN counters.expires_at <= $3 THEN 1 ELSE counters.bumps + 1 END, ' +
        'first_at = CASE WHEN counters.expires_at <= $3 THEN $3 ELSE counters.first_at END, ' +
        'expires_at = CASE WHEN counters.expires_at <= $3 THEN $4 ELSE counters.expires_at END ' +
        'RETURNING bumps, first_at',
      realm,
      subject,
      now,
      now + windowMs,
    );
    return { count: row?.bumps ?? 1, firstAt: row?.first_at ?? now };
  },

  *'counters.release'({ realm, subject }: Parameters<CounterStore['release']>[0]): Operation<void> {
    yield* endWith(
      'UPDATE counters SET bumps = bumps - 1 WHERE realm = $1 AND subject = $2 AND bumps > 0',
      realm,
      subject,
    );
  },

  *'counters.clear'({ realm, subject }: Parameters<CounterStore['clear']>[0]): Operation<void> {
    yield* endWith('DELETE FROM counters WHERE realm = $1 AND subject = $2', realm, subject);
  },

  *'counters.clearAll'({ realm, prefix }: Parameters<CounterStore['clearAll']>[0]): Operation<void> {
    const end = `${prefix}\u{10ffff}`;
    yield* endWith('DELETE FROM counters WHERE realm = $1 AND subject >= $2 AND subject < $3', realm, prefix, end);
  },
};

export class CounterRecords implements CounterStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  bump(key: Parameters<CounterStore['bump']>[0]): Promise<Count> {
    return this.#writer.call('counters.bump', key);
  }

  async get({ realm, subject, now }: Parameters<CounterStore['get']>[0]): Promise<Count | undefined> {
    const row = await this.#reader.get<CounterRow>(
      'SELECT bumps, first_at FROM counters WHERE realm = $1 AND subject = $2 AND expires_at > $3',
      realm,
      subject,
      now,
    );
    return row === undefined ? undefined : { count: row.bumps, firstAt: row.first_at };
  }

  release(key: Parameters<CounterStore['release']>[0]): Promise<void> {
    return this.#writer.call('counters.release', key);
  }

  clear(key: Parameters<CounterStore['clear']>[0]): Promise<void> {
    return this.#writer.call('counters.clear', key);
  }

  clearAll(some: Parameters<CounterStore['clearAll']>[0]): Promise<void> {
    return this.#writer.call('counters.clearAll', some);
  }
}

import type { Connection } from '../sqlite/connection.js';
import type { Reader } from '../sqlite/reader.js';
import type { Writer } from '../sqlite/writing/writer.js';
import type { TicketKey, TicketStore } from '../store.js';

type RedeemOutcome = Awaited<ReturnType<TicketStore['redeem']>>;

export const ticketOperations = {
  'tickets.issue'(db: Connection, ticket: Parameters<TicketStore['issue']>[0]): 'issued' | 'exists' {
    const inserted = db.run(
      'INSERT INTO tickets (realm, kind, key_hash, payload, expires_at) VALUES ($1, $2, $3, $4, $5) ' +
        'ON CONFLICT (realm, kind, key_hash) DO NOTHING',
      ticket.realm,
      ticket.kind,
      ticket.keyHash,
      ticket.payload,
      ticket.expiresAt,
    );
    return inserted === 1 ? 'issued' : 'exists';
  },

  'tickets.redeem'(db: Connection, { realm, kind, keyHash, now }: TicketKey & { now: number }): RedeemOutcome {
    const first = db.get<{ payload: string }>(
      'UPDATE tickets SET redeemed_at = $4 ' +
        'WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND redeemed_at IS NULL AND expires_at > $4 RETURNING payload',
      realm,
      kind,
      keyHash,
      now,
    );
    if (first !== undefined) return { outcome: 'first', payload: first.payload };
    const replayed = db.get<{ payload: string; redeemed_at: number }>(
      'SELECT payload, redeemed_at FROM tickets WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    );
    if (replayed === undefined) return { outcome: 'absent' };
    return { outcome: 'replayed', payload: replayed.payload, firstAt: replayed.redeemed_at };
  },
};

export class SqliteTickets implements TicketStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  issue(ticket: Parameters<TicketStore['issue']>[0]): Promise<'issued' | 'exists'> {
    return this.#writer.call('tickets.issue', ticket);
  }

  async get({ realm, kind, keyHash, now }: TicketKey & { now: number }): Promise<string | undefined> {
    return this.#reader.get<{ payload: string }>(
      'SELECT payload FROM tickets ' +
        'WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND redeemed_at IS NULL AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    )?.payload;
  }

  redeem(key: TicketKey & { now: number }): Promise<RedeemOutcome> {
    return this.#writer.call('tickets.redeem', key);
  }
}

import type { Reader, Writer } from '../engine/engine.js';
import { get, type Operation, run } from '../engine/operation.js';
import type { OneTimeTokenKey, OneTimeTokenStore } from '../store.js';

type RedeemOutcome = Awaited<ReturnType<OneTimeTokenStore['redeem']>>;

export const ticketOperations = {
  *'tickets.issue'(ticket: Parameters<OneTimeTokenStore['issue']>[0]): Operation<'issued' | 'exists'> {
    const inserted = yield* run(
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

  *'tickets.redeem'({ realm, kind, keyHash, now }: OneTimeTokenKey & { now: number }): Operation<RedeemOutcome> {
    const first = yield* get<{ payload: string }>(
      'UPDATE tickets SET redeemed_at = $4 ' +
        'WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND redeemed_at IS NULL AND expires_at > $4 RETURNING payload',
      realm,
      kind,
      keyHash,
      now,
    );
    if (first !== undefined) return { outcome: 'first', payload: first.payload };
    const replayed = yield* get<{ payload: string }>(
      'SELECT payload FROM tickets WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    );
    if (replayed === undefined) return { outcome: 'absent' };
    return { outcome: 'replayed', payload: replayed.payload };
  },
};

export class TicketRecords implements OneTimeTokenStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  issue(ticket: Parameters<OneTimeTokenStore['issue']>[0]): Promise<'issued' | 'exists'> {
    return this.#writer.call('tickets.issue', ticket);
  }

  async get({ realm, kind, keyHash, now }: OneTimeTokenKey & { now: number }): Promise<string | undefined> {
    const row = await this.#reader.get<{ payload: string }>(
      'SELECT payload FROM tickets ' +
        'WHERE realm = $1 AND kind = $2 AND key_hash = $3 AND redeemed_at IS NULL AND expires_at > $4',
      realm,
      kind,
      keyHash,
      now,
    );
    return row?.payload;
  }

  redeem(key: OneTimeTokenKey & { now: number }): Promise<RedeemOutcome> {
    return this.#writer.call('tickets.redeem', key);
  }
}

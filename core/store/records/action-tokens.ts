import { defined } from '../../model/defined.js';
import type { Reader, Writer } from '../engine/engine.js';
import { endWith, type Operation } from '../engine/operation.js';
import type { ActionTokenFilter, ActionTokenKey, ActionTokenRecord, ActionTokenStore } from '../store.js';

interface ActionTokenRow {
  realm: string;
  user_id: string;
  id: string;
  type: string;
  client_id: string | null;
  issued_at: number;
  expires_at: number;
}

const COLUMNS = 'realm, user_id, id, type, client_id, issued_at, expires_at';

export const actionTokenOperations = {
  *'actionTokens.add'(token: ActionTokenRecord): Operation<void> {
    yield* endWith(
      `INSERT INTO action_tokens (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      token.realm,
      token.userId,
      token.id,
      token.type,
      token.clientId ?? null,
      token.issuedAt,
      token.expiresAt,
    );
  },

  *'actionTokens.remove'({ realm, userId, id }: ActionTokenKey): Operation<boolean> {
    return (
      (yield* endWith('DELETE FROM action_tokens WHERE realm = $1 AND user_id = $2 AND id = $3', realm, userId, id)) ===
      1
    );
  },
};

export class ActionTokenRecords implements ActionTokenStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  add(token: ActionTokenRecord): Promise<void> {
    return this.#writer.call('actionTokens.add', token);
  }

  remove(key: ActionTokenKey): Promise<boolean> {
    return this.#writer.call('actionTokens.remove', key);
  }

  async find({ realm, userId, id }: ActionTokenKey): Promise<ActionTokenRecord | undefined> {
    if (id.includes('\0')) return undefined;
    const row = await this.#reader.get<ActionTokenRow>(
      `SELECT ${COLUMNS} FROM action_tokens WHERE realm = $1 AND user_id = $2 AND id = $3`,
      realm,
      userId,
      id,
    );
    return row && tokenRecord(row);
  }

  async list(realm: string, userId: string, { now, max }: { now: number; max: number }) {
    const rows = await this.#reader.all<ActionTokenRow>(
      `SELECT ${COLUMNS} FROM action_tokens WHERE realm = $1 AND user_id = $2 AND expires_at > $3 ` +
        'ORDER BY issued_at DESC, id DESC LIMIT $4',
      realm,
      userId,
      now,
      max,
    );
    return rows.map(tokenRecord);
  }

  async page(realm: string, { now, max, type, userId, clientId, before }: ActionTokenFilter) {
    const values: (string | number)[] = [realm, now];
    const conditions = ['realm = $1', 'expires_at > $2'];
    const addCondition = (text: (place: string) => string, value: string | number) => {
      values.push(value);
      conditions.push(text(`$${values.length}`));
    };
    for (const value of [type, userId, clientId, before?.id]) if (value?.includes('\0')) return [];
    // Use one index only: that of the filter that probably matches the fewest rows. Without statistics, a planner would
    // choose another.
    const filters = { user_id: userId, client_id: clientId, type };
    const activeFilters = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    for (const [index, [column, value]] of activeFilters.entries()) {
      addCondition((place) => `${index === 0 ? column : `${column} || ''`} = ${place}`, value);
    }
    if (before !== undefined) {
      values.push(before.issuedAt, before.id);
      conditions.push(`(issued_at, id) < ($${values.length - 1}, $${values.length})`);
    }
    values.push(max);
    const rows = await this.#reader.all<ActionTokenRow>(
      `SELECT ${COLUMNS} FROM action_tokens WHERE ${conditions.join(' AND ')} ` +
        `ORDER BY issued_at DESC, id DESC LIMIT $${values.length}`,
      ...values,
    );
    return rows.map(tokenRecord);
  }
}

function tokenRecord(row: ActionTokenRow): ActionTokenRecord {
  return defined({
    realm: row.realm,
    userId: row.user_id,
    id: row.id,
    type: row.type,
    clientId: row.client_id ?? undefined,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
  });
}

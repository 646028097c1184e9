import type { Reader, Writer } from '../engine/engine.js';
import { all, lockNames, type Operation, run, runAll } from '../engine/operation.js';
import type { KeyRecord, KeyState, KeyStatus, KeyStore } from '../store.js';
import { announceChange } from './changes.js';

interface KeyRow {
  realm: string;
  kid: string;
  key_use: 'sig' | 'enc';
  algorithm: string;
  status: KeyStatus;
  priority: number;
  created_at: number;
  material: string;
}

const COLUMNS = 'realm, kid, key_use, algorithm, status, priority, created_at, material';
const INSERT_KEY = `INSERT INTO realm_keys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const SIGNING_ORDER = 'ORDER BY priority DESC, created_at DESC, kid';

export const keyOperations = {
  *'keys.add'(keys: readonly KeyRecord[]): Operation<void> {
    for (const realm of new Set(keys.map((key) => key.realm))) yield* announceChange(realm);
    yield* addKeys(keys);
  },

  *'keys.addFirst'(key: KeyRecord, but: readonly string[] = []): Operation<KeyRecord> {
    yield* lockNames(key.realm, [`key ${key.use} ${key.algorithm}`]);
    const active = yield* all<KeyRow>(
      `SELECT ${COLUMNS} FROM realm_keys ` +
        `WHERE realm = $1 AND key_use = $2 AND algorithm = $3 AND status = 'ACTIVE' ${SIGNING_ORDER}`,
      key.realm,
      key.use,
      key.algorithm,
    );
    const usableKey = active.find(({ kid }) => !but.includes(kid));
    if (usableKey !== undefined) return toKeyRecord(usableKey);
    yield* announceChange(key.realm);
    yield* run(INSERT_KEY, ...keyParameters(key));
    return key;
  },

  *'keys.rotate'(key: KeyRecord): Operation<void> {
    yield* lockNames(key.realm, [`key ${key.use} ${key.algorithm}`]);
    yield* announceChange(key.realm);
    yield* run(
      "UPDATE realm_keys SET status = 'PASSIVE' " +
        "WHERE realm = $1 AND key_use = $2 AND algorithm = $3 AND status = 'ACTIVE'",
      key.realm,
      key.use,
      key.algorithm,
    );
    yield* run(INSERT_KEY, ...keyParameters(key));
  },

  *'keys.setStatus'(realm: string, kid: string, status: KeyStatus): Operation<boolean> {
    yield* announceChange(realm);
    return (yield* run('UPDATE realm_keys SET status = $3 WHERE realm = $1 AND kid = $2', realm, kid, status)) === 1;
  },

  *'keys.putMaterial'(keys: Parameters<KeyStore['putMaterial']>[0]): Operation<void> {
    const sql = 'UPDATE realm_keys SET material = $3 WHERE realm = $1 AND kid = $2';
    yield* runAll(keys.map(({ realm, kid, material }) => [sql, realm, kid, material]));
  },
};

export function* addKeys(keys: readonly KeyRecord[]): Operation<void> {
  yield* runAll(keys.map((key) => [`${INSERT_KEY} ON CONFLICT (realm, kid) DO NOTHING`, ...keyParameters(key)]));
}

export function* changeKeys(realm: string, states: readonly KeyState[], removed: readonly string[]): Operation<void> {
  for (const { kid, status, priority, algorithm = null } of states) {
    yield* run(
      'UPDATE realm_keys SET status = $3, priority = $4, algorithm = COALESCE($5, algorithm) ' +
        'WHERE realm = $1 AND kid = $2',
      realm,
      kid,
      status,
      priority,
      algorithm,
    );
  }
  for (const kid of removed) yield* run('DELETE FROM realm_keys WHERE realm = $1 AND kid = $2', realm, kid);
}

export class KeyRecords implements KeyStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async list(realm: string): Promise<readonly KeyRecord[]> {
    const rows = await this.#reader.all<KeyRow>(
      `SELECT ${COLUMNS} FROM realm_keys WHERE realm = $1 ${SIGNING_ORDER}`,
      realm,
    );
    return rows.map(toKeyRecord);
  }

  add(keys: readonly KeyRecord[]): Promise<void> {
    return this.#writer.call('keys.add', keys);
  }

  addFirst(key: KeyRecord, but: readonly string[] = []): Promise<KeyRecord> {
    return this.#writer.call('keys.addFirst', key, but);
  }

  rotate(key: KeyRecord): Promise<void> {
    return this.#writer.call('keys.rotate', key);
  }

  setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean> {
    return this.#writer.call('keys.setStatus', realm, kid, status);
  }

  putMaterial(keys: Parameters<KeyStore['putMaterial']>[0]): Promise<void> {
    return this.#writer.call('keys.putMaterial', keys);
  }
}

function keyParameters(key: KeyRecord) {
  const { realm, kid, use, algorithm, status, priority, createdAt, material } = key;
  return [realm, kid, use, algorithm, status, priority, createdAt, material] as const;
}

function toKeyRecord({ key_use, created_at, ...row }: KeyRow): KeyRecord {
  return { ...row, use: key_use, createdAt: created_at };
}

import type { Writer } from '../engine/engine.js';
import { all, get, type Operation, run } from '../engine/operation.js';
import { storeUnavailableError } from '../engine/store-error.js';
import type { RealmStore, UserRecord } from '../store.js';
import { areValuesTaken, insertNewUsers, type NewUserRow, removeUser, userRow } from './users/user-operations.js';

/*
 * SQLite has one writer. A large number of users is written in short transactions, so that others write in between. The
 * IDs of the users that were written so far are in `entries`. The last transaction writes the realm and deletes these
 * entries. If it does not happen, this process removes the users again, or the next one that opens the store.
 */

/** Number of users in one transaction, which then takes a few milliseconds. */
export const USERS_PER_PIECE = 50;

const NAMESPACE = '/user-loads';
/** Each realm with a load has an entry of no realm, which is found without reading the entries of all realms. */
const SELECT_LOAD = `SELECT 1 FROM entries WHERE realm = '' AND namespace = '${NAMESPACE}' AND entry_key = $1`;
const INSERT_LOAD = `INSERT INTO entries (realm, namespace, entry_key, value) VALUES ('', '${NAMESPACE}', $1, 'true')`;
const DELETE_LOAD = `DELETE FROM entries WHERE realm = '' AND namespace = '${NAMESPACE}' AND entry_key = $1`;
const SELECT_PIECES = `SELECT entry_key, value FROM entries WHERE realm = $1 AND namespace = '${NAMESPACE}'`;
const INSERT_PIECE = `INSERT INTO entries (realm, namespace, entry_key, value) VALUES ($1, '${NAMESPACE}', $2, $3)`;
const DELETE_PIECE = `DELETE FROM entries WHERE realm = $1 AND namespace = '${NAMESPACE}' AND entry_key = $2`;
const DELETE_PIECES = `DELETE FROM entries WHERE realm = $1 AND namespace = '${NAMESPACE}'`;

/** Selects the realms whose load has not ended. */
export const SELECT_LOADS = `SELECT entry_key AS realm FROM entries WHERE realm = '' AND namespace = '${NAMESPACE}'`;

type PutOutcome = Awaited<ReturnType<RealmStore['put']>>;

/** A piece of a load. */
export interface LoadPiece {
  readonly realm: string;
  readonly expectedVersion: number;
  /** The position of its first user in the load. */
  readonly first: number;
  readonly users: readonly NewUserRow[];
  /** If true, all users must be created; otherwise, those whose unique values are free. */
  readonly areImported: boolean;
  readonly emailUnique: boolean;
}

export const userLoadOperations = {
  /** @returns false if the realm has another load, which must be undone first */
  *'userLoads.begin'(realm: string): Operation<boolean> {
    if (yield* isLoading(realm)) return false;
    yield* run(INSERT_LOAD, realm);
    return true;
  },

  /** @returns the number of created users; `conflict` as in `realms.put` */
  *'userLoads.add'(piece: LoadPiece): Operation<number | 'conflict'> {
    const { realm, expectedVersion, first, users, areImported, emailUnique } = piece;
    // A realm that was removed meanwhile has lost its load, too.
    if (!(yield* isLoading(realm))) return 'conflict';
    const current = yield* get<{ version: number }>('SELECT version FROM realms WHERE name = $1', realm);
    if ((current?.version ?? 0) !== expectedVersion) return 'conflict';
    if (areImported) for (const user of users) if (yield* isTakenByOthers(user, emailUnique)) return 'conflict';
    const created = yield* insertNewUsers(users);
    if (created.length > 0) yield* run(INSERT_PIECE, realm, `${first}`, JSON.stringify(created));
    return created.length;
  },

  /**
   * Removes some users of a load.
   * @returns false if nothing of it is left
   */
  *'userLoads.undo'(realm: string): Operation<boolean> {
    const piece = yield* get<{ entry_key: string; value: string }>(`${SELECT_PIECES} LIMIT 1`, realm);
    if (piece === undefined) {
      yield* run(DELETE_LOAD, realm);
      return false;
    }
    for (const id of JSON.parse(piece.value) as string[]) yield* removeUser(realm, id);
    yield* run(DELETE_PIECE, realm, piece.entry_key);
    return true;
  },
};

/** True if the realm has a load that has not ended. */
export function* isLoading(realm: string): Operation<boolean> {
  return (yield* get(SELECT_LOAD, realm)) !== undefined;
}

/** Ends a load, so that its users stay. */
export function* endLoad(realm: string): Operation<void> {
  yield* run(DELETE_PIECES, realm);
  yield* forgetLoad(realm);
}

/** Ends a load whose users are removed in the same transaction. */
export function* forgetLoad(realm: string): Operation<void> {
  yield* run(DELETE_LOAD, realm);
}

/** True if a user that is not from the same load has a unique value of this one. */
function* isTakenByOthers(user: NewUserRow, emailUnique: boolean): Operation<boolean> {
  if (!(yield* areValuesTaken(user, { removed: new Set(), emailUnique }))) return false;
  const pieces = yield* all<{ value: string }>(SELECT_PIECES, user.realm);
  const loaded = new Set(pieces.flatMap(({ value }) => JSON.parse(value) as string[]));
  return yield* areValuesTaken(user, { removed: loaded, emailUnique });
}

export interface UserLoad {
  readonly realm: string;
  readonly expectedVersion: number;
  readonly imported: readonly UserRecord[];
  /** Users that are created only if their unique values are free. */
  readonly others: readonly UserRecord[];
  readonly emailUnique: boolean;
}

/** Writes users of a realm in short transactions. Only for a store that one process writes to. */
export class UserLoads {
  readonly #writer: Writer;
  readonly #unfencedWriter: Writer;
  /** The end of the load that runs, by realm. It never rejects. */
  readonly #running = new Map<string, Promise<unknown>>();
  #isClosing = false;

  /** @param unfencedWriter removes users also after the caller has lost its fence */
  constructor(writer: Writer, unfencedWriter: Writer) {
    this.#writer = writer;
    this.#unfencedWriter = unfencedWriter;
  }

  /** Returns the end of the realm's load. Other writes of the realm wait for it. */
  running(realm: string): Promise<unknown> | undefined {
    return this.#running.get(realm);
  }

  /**
   * Writes the users, and then the realm by `finish`. If that fails, removes the users. The realm must have no other
   * load that runs.
   * @param finish returns a text if it has written nothing
   */
  run(load: UserLoad, finish: () => Promise<PutOutcome>): Promise<PutOutcome> {
    const outcome = this.#run(load, finish).finally(() => this.#running.delete(load.realm));
    this.#running.set(
      load.realm,
      outcome.catch(() => {}),
    );
    return outcome;
  }

  /** Undoes all loads. Resolves when that is done. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#running.values());
  }

  async #run(load: UserLoad, finish: () => Promise<PutOutcome>): Promise<PutOutcome> {
    const { realm } = load;
    // An earlier load may be left if the store could not undo it.
    while (!(await this.#writer.call('userLoads.begin', realm))) await this.#undo(realm);
    let isWritten = false;
    try {
      const usersCreated = await this.#addAll(load);
      if (usersCreated === 'conflict') return 'conflict';
      const outcome = await finish();
      if (typeof outcome === 'string') return outcome;
      isWritten = true;
      return { ...outcome, usersCreated };
    } finally {
      if (!isWritten) await this.#undo(realm);
    }
  }

  async #addAll({ realm, expectedVersion, imported, others, emailUnique }: UserLoad): Promise<number | 'conflict'> {
    let created = 0;
    for (const [users, areImported, offset] of [
      [imported, true, 0],
      [others, false, imported.length],
    ] as const) {
      for (let first = 0; first < users.length; first += USERS_PER_PIECE) {
        if (this.#isClosing) throw storeUnavailableError('it is closed');
        // Waiting for each piece lets other requests run, and limits the data in flight.
        const added = await this.#writer.call('userLoads.add', {
          ...{ realm, expectedVersion, areImported, emailUnique },
          first: offset + first,
          users: users.slice(first, first + USERS_PER_PIECE).map(userRow),
        });
        if (added === 'conflict') return 'conflict';
        created += added;
      }
    }
    return created;
  }

  async #undo(realm: string): Promise<void> {
    while (await this.#unfencedWriter.call('userLoads.undo', realm));
  }
}

import type { Reader, Writer } from '../engine/engine.js';
import { type Operation, run } from '../engine/operation.js';
import type { ChangeStore } from '../store.js';

/**
 * Announces a change of a realm or its keys. Other operations that announce a change wait here until this one is
 * committed, so that changes become visible in the order of their revisions. Long operations call it late. Every
 * operation calls it before it changes keys, so that there is no deadlock.
 */
export function* announceChange(realm: string): Operation<void> {
  yield* run('UPDATE revisions SET revision = revision + 1 WHERE id = 1');
  yield* run(
    'INSERT INTO realm_revisions (realm, revision) SELECT $1, revision FROM revisions WHERE id = 1 ' +
      'ON CONFLICT (realm) DO UPDATE SET revision = excluded.revision',
    realm,
  );
}

export const changeOperations = {
  *'changes.tell'(name: string): Operation<void> {
    yield* announceChange(name);
  },
};

export class ChangeRecords implements ChangeStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  tell(name: string): Promise<void> {
    return this.#writer.call('changes.tell', name);
  }

  async revision(): Promise<number> {
    return (await this.#reader.get<{ revision: number }>('SELECT revision FROM revisions WHERE id = 1'))?.revision ?? 0;
  }

  async time(): Promise<number> {
    const row = await this.#reader.get<{ now: number }>(`SELECT ${this.#reader.dialect.time} AS now`);
    return row?.now ?? 0;
  }

  async since(revision: number): ReturnType<ChangeStore['since']> {
    const rows = await this.#reader.all<{ realm: string; revision: number; version: number | null }>(
      'SELECT c.realm, c.revision, r.version FROM realm_revisions c LEFT JOIN realms r ON r.name = c.realm ' +
        'WHERE c.revision > $1 ORDER BY c.revision',
      revision,
    );
    return {
      revision: rows.at(-1)?.revision ?? revision,
      realms: rows.map(({ realm, version }) => ({ realm, version: version ?? undefined })),
    };
  }
}

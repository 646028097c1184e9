import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readMigrations } from '../engine/migrations.js';
import { EntryRecords } from '../records/entries.js';
import { KeyRecords } from '../records/keys.js';
import { RealmRecords } from '../records/realms.js';
import { UserRecords } from '../records/users/users.js';
import type { EntryStore, KeyStore, RealmStore, UserStore } from '../store.js';
import { refuseDraft } from './copy-folder.js';
import { readMissingMigrations } from './migrations.js';
import { openReader } from './open-database.js';
import { SqliteReader } from './reader.js';
import { SqliteWriter } from './writing/writer.js';

/** The records of a store that can be read without owning it. */
export interface ReadableStore {
  readonly realms: Pick<RealmStore, 'withDeclaration' | 'list'>;
  readonly users: Pick<UserStore, 'byUsername' | 'byServiceAccountClient' | 'count' | 'find'>;
  readonly keys: Pick<KeyStore, 'list'>;
  readonly entries: Pick<EntryStore, 'list'>;
  close(): void | Promise<void>;
}

/**
 * Opens the store of a data directory while another process may own it, and sees the writes that it has acknowledged.
 * @returns undefined if the directory contains no store
 * @throws BootError `store_failed` if it cannot be read, or another version of Keyhost wrote it
 */
export function openStoreForReading(dataDir: string): ReadableStore | undefined {
  const file = join(resolve(dataDir), 'keyhost.db');
  if (!existsSync(file)) {
    refuseDraft(file);
    return undefined;
  }
  const writer = new SqliteWriter();
  writer.transportEnded('it is open only for reading');
  try {
    const connection = openReader(file);
    const reader = new SqliteReader(connection);
    if (readMissingMigrations(connection, readMigrations()).length > 0) {
      reader.close();
      throw new BootError('store_failed', `the store ${file} was written by an older version of Keyhost`, {
        hint: 'update it with keyhost store migrate, or start this version of Keyhost',
      });
    }
    return {
      realms: new RealmRecords(reader, writer),
      users: new UserRecords(reader, writer),
      keys: new KeyRecords(reader, writer),
      entries: new EntryRecords(reader, writer),
      close: () => reader.close(),
    };
  } catch (cause) {
    if (cause instanceof BootError) throw cause;
    throw new BootError('store_failed', `cannot read the store ${file}`, { cause });
  }
}

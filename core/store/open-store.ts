import type { PostgresqlSettings } from '../config/options/database-options.js';
import { type Clock, systemClock } from '../model/clock.js';
import type { CopySource, CopyTarget } from './copy/copy-database.js';
import { type CopyProgress, type CopyReport, copyStore as copyAll } from './copy/copy-store.js';
import { openFolderSource, openFolderTarget } from './sqlite/copy-folder.js';
import { openStoreForReading as openSqliteForReading, type ReadableStore } from './sqlite/open-for-reading.js';
import { openStore as openSqliteStore } from './sqlite/open-store.js';
import type { Store } from './store.js';

export type { CopyProgress, CopyReport, ReadableStore };

/** The location of a store, as the options of a host configure it. */
export interface StoreLocation {
  /** If it is undefined, the store is in the data directory. */
  readonly postgresql: PostgresqlSettings | undefined;
  readonly dataDir: string;
}

/**
 * Opens a store. A store in a data directory then belongs to this process. A database can be opened by any number of
 * processes.
 * @param options.clock dates migrations; default: the system's clock
 * @throws BootError `store_locked` if another process has the data directory; `store_failed`
 */
export async function openStore(
  { postgresql, dataDir }: StoreLocation,
  options: { readonly clock?: Clock } = {},
): Promise<Store> {
  if (postgresql === undefined) return openSqliteStore({ dataDir, ...options });
  const { openPostgresqlStore } = await import('./postgresql/open-postgresql.js');
  return openPostgresqlStore(postgresql, options);
}

/**
 * Opens a store for reading. Another process may own it.
 * @returns undefined if there is none
 * @throws BootError `store_failed` if it cannot be read, or another version of Keyhost wrote it
 */
export async function openStoreForReading({ postgresql, dataDir }: StoreLocation): Promise<ReadableStore | undefined> {
  if (postgresql === undefined) return openSqliteForReading(dataDir);
  const { openPostgresqlForReading } = await import('./postgresql/open-postgresql.js');
  return openPostgresqlForReading(postgresql);
}

/**
 * Opens a store as the source of a copy.
 * @throws BootError `store_failed` if there is none; `store_locked` if a host uses it
 */
async function openSource({ postgresql, dataDir }: StoreLocation): Promise<CopySource> {
  if (postgresql === undefined) return openFolderSource(dataDir);
  const { openDatabaseSource } = await import('./postgresql/copy-tables.js');
  return openDatabaseSource(postgresql);
}

async function openTarget({ postgresql, dataDir }: StoreLocation, now: number): Promise<CopyTarget> {
  if (postgresql === undefined) return openFolderTarget(dataDir, now);
  const { openDatabaseTarget } = await import('./postgresql/copy-tables.js');
  return openDatabaseTarget(postgresql, now);
}

/**
 * Copies a whole store to another location. A data directory is locked during the copy, so that no host uses it. The
 * caller must ensure that no host writes to a database. Rows that an interrupted copy has written are not copied again.
 * @throws BootError `copy_failed` if the target contains something else, or differs from the source at the end;
 * `store_failed`, `store_locked`
 */
export async function copyStore(
  sourceLocation: StoreLocation,
  targetLocation: StoreLocation,
  onProgress: (progress: CopyProgress) => void = () => {},
  clock: Clock = systemClock,
): Promise<CopyReport> {
  const source = await openSource(sourceLocation);
  try {
    const target = await openTarget(targetLocation, clock.now());
    try {
      return await copyAll(source, target, onProgress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Returns the location of a store as text for the operator. */
export function formatStoreLocation({ postgresql, dataDir }: StoreLocation): string {
  if (postgresql === undefined) return dataDir;
  const { host, port, database } = postgresql;
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

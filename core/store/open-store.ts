import type { PostgresqlSettings } from '../config/options/database-options.js';
import type { Clock } from '../model/clock.js';
import { openStoreForReading as openSqliteForReading, type ReadableStore } from './sqlite/open-for-reading.js';
import { openStore as openSqliteStore } from './sqlite/open-store.js';
import type { Store } from './store.js';

export type { ReadableStore };

/** Which store is meant, as the options of a host say it. */
export interface StorePlace {
  /** Without it the store is in the data directory. */
  readonly postgresql: PostgresqlSettings | undefined;
  readonly dataDir: string;
}

/**
 * Opens a store. One in a data directory belongs to this process then; a database may be open in any number of them.
 * @param options.clock dates migrations; the system's clock without it
 * @throws BootError `store_locked`: another process has the data directory; `store_failed`
 */
export async function openStore(
  { postgresql, dataDir }: StorePlace,
  options: { readonly clock?: Clock } = {},
): Promise<Store> {
  if (postgresql === undefined) return openSqliteStore({ dataDir, ...options });
  const { openPostgresqlStore } = await import('./postgresql/open-postgresql.js');
  return openPostgresqlStore(postgresql, options);
}

/**
 * Opens a store beside whoever it belongs to.
 * @returns undefined when there is none
 * @throws BootError `store_failed`: it cannot be read, or another version of Keyhost wrote it
 */
export async function openStoreForReading({ postgresql, dataDir }: StorePlace): Promise<ReadableStore | undefined> {
  if (postgresql === undefined) return openSqliteForReading(dataDir);
  const { openPostgresqlForReading } = await import('./postgresql/open-postgresql.js');
  return openPostgresqlForReading(postgresql);
}

/** Names a store to a person. */
export function placeOf({ postgresql, dataDir }: StorePlace): string {
  if (postgresql === undefined) return dataDir;
  const { host, port, database } = postgresql;
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

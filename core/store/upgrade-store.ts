import { type Clock, systemClock } from '../model/clock.js';
import { type Migration, readMigrations } from './engine/migrations.js';
import { type PlannedMigration, planOf, type UpgradableStore } from './engine/upgrade.js';
import type { StoreLocation } from './open-store.js';
import { openFolderUpgrade } from './sqlite/upgrade-folder.js';

export type { PlannedMigration };

/**
 * Returns the upgrade that this Keyhost would make before it uses a store. Nothing is changed.
 * @throws BootError `store_failed` if it cannot be read, or a newer Keyhost has removed something that this one needs
 */
export async function planUpgrade(location: StoreLocation): Promise<readonly PlannedMigration[]> {
  return withUpgradable(location, systemClock, (store) => planOf(store, migrationsOf(location)));
}

/**
 * Creates or upgrades the tables of a store, as a start does, and nothing else. If several processes call it at the
 * same time, one of them does it and the others wait.
 * @param onStep called before each migration
 * @returns the number of migrations
 * @throws BootError `store_failed`; `store_locked` if a host uses the data directory
 */
export async function upgradeStore(
  location: StoreLocation,
  onStep: (migration: Migration) => void,
  clock: Clock = systemClock,
): Promise<number> {
  return withUpgradable(location, clock, async (store) => {
    let applied = 0;
    // A new store in a data directory is created with all migrations at once.
    if ((await store.missingMigrations()) === undefined && !store.isShared) applied = migrationsOf(location).length;
    await store.migrate((migration) => {
      applied += 1;
      onStep(migration);
    });
    return applied;
  });
}

/** Returns the newest schema that this Keyhost supports. */
export function knownSchema(): number {
  return readMigrations().at(-1)?.version ?? 0;
}

function migrationsOf({ postgresql }: StoreLocation): readonly Migration[] {
  return readMigrations(undefined, postgresql === undefined ? 'sqlite' : 'postgresql');
}

async function withUpgradable<T>(
  { postgresql, dataDir }: StoreLocation,
  clock: Clock,
  work: (store: UpgradableStore) => Promise<T>,
): Promise<T> {
  const store =
    postgresql === undefined
      ? openFolderUpgrade(dataDir, clock.now())
      : await (await import('./postgresql/upgrade-database.js')).openDatabaseUpgrade(postgresql, clock.now());
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

import { type Clock, systemClock } from '../model/clock.js';
import { type Migration, readMigrations } from './engine/migrations.js';
import { type PlannedMigration, planOf, type Upgradable } from './engine/upgrade.js';
import type { StorePlace } from './open-store.js';
import { openFolderUpgrade } from './sqlite/upgrade-folder.js';

export type { PlannedMigration };

/**
 * The upgrade that this Keyhost would make before it uses a store; nothing is changed.
 * @throws BootError `store_failed` if it cannot be read, or a newer Keyhost removed something that this one needs
 */
export async function planUpgrade(place: StorePlace): Promise<readonly PlannedMigration[]> {
  return withUpgradable(place, systemClock, (store) => planOf(store, migrationsOf(place)));
}

/**
 * Creates or upgrades the tables of a store, as a start does, and no more. If several processes do it at once, one does
 * and the others wait.
 * @param onStep called before each migration
 * @returns the number of migrations
 * @throws BootError `store_failed`; `store_locked` if a host has the data directory
 */
export async function upgradeStore(
  place: StorePlace,
  onStep: (migration: Migration) => void,
  clock: Clock = systemClock,
): Promise<number> {
  return withUpgradable(place, clock, async (store) => {
    let applied = 0;
    // A new store of a folder is made as one.
    if ((await store.missing()) === undefined && !store.isShared) applied = migrationsOf(place).length;
    await store.migrate((migration) => {
      applied += 1;
      onStep(migration);
    });
    return applied;
  });
}

/** The newest schema that this Keyhost supports. */
export function knownSchema(): number {
  return readMigrations().at(-1)?.version ?? 0;
}

function migrationsOf({ postgresql }: StorePlace): readonly Migration[] {
  return readMigrations(undefined, postgresql === undefined ? 'sqlite' : 'postgresql');
}

async function withUpgradable<T>(
  { postgresql, dataDir }: StorePlace,
  clock: Clock,
  work: (store: Upgradable) => Promise<T>,
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

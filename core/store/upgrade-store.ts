import { type Clock, systemClock } from '../model/clock.js';
import { type Migration, readMigrations } from './engine/migrations.js';
import { type PlannedMigration, planOf, type Upgradable } from './engine/upgrade.js';
import type { StorePlace } from './open-store.js';
import { openFolderUpgrade } from './sqlite/upgrade-folder.js';

export type { PlannedMigration };

/**
 * What this Keyhost would do to a store before it serves from it; nothing is changed.
 * @throws BootError `store_failed`: it cannot be read, or a newer Keyhost took away what this one needs
 */
export async function planUpgrade(place: StorePlace): Promise<readonly PlannedMigration[]> {
  return withUpgradable(place, systemClock, (store) => planOf(store, migrationsOf(place)));
}

/**
 * Makes or updates the tables of a store, as a start does, and no more. Of several that do it at once one does, and the others wait.
 * @param onStep is told each migration before it is applied
 * @returns how many there were
 * @throws BootError `store_failed`; `store_locked`: a host has the data directory
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

/** The newest schema that this Keyhost knows. */
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

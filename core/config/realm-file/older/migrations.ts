import { ACTION_MIGRATIONS } from './action-migrations.js';
import { CLIENT_MIGRATIONS, completeClients } from './client-migrations.js';
import { FLOW_MIGRATIONS } from './flow-migrations.js';
import { isBefore, keycloakVersion } from './keycloak-version.js';
import type { MigratingRealm, Migration } from './migration.js';
import { SCOPE_MIGRATIONS } from './scope-migrations.js';
import { SETTING_MIGRATIONS } from './setting-migrations.js';

/** The migrations of Keycloak that matter to Keyhost, oldest first. */
const MIGRATIONS: readonly Migration[] = [
  ...SCOPE_MIGRATIONS,
  ...CLIENT_MIGRATIONS,
  ...ACTION_MIGRATIONS,
  ...FLOW_MIGRATIONS,
  ...SETTING_MIGRATIONS,
].sort((a, b) => compareMigrations(a, b) - compareMigrations(b, a));

function compareMigrations(one: Migration, other: Migration): number {
  return isBefore(keycloakVersion(one.release), other.release) ? -1 : 0;
}

/** The release whose files need no migration. */
const NEWEST = '26.7.0';

/**
 * Migrates a realm of an older Keycloak to the newest release, step by step, as Keycloak's import does. A file without
 * a version counts as current.
 */
export function migrate(migrating: MigratingRealm): void {
  const { realm } = migrating;
  completeClients(migrating);
  const { keycloakVersion: stated } = realm;
  if (typeof stated !== 'string') return;
  const version = keycloakVersion(stated);
  for (const { release, migrate: carry } of MIGRATIONS) {
    if (!isBefore(version, release)) continue;
    migrating.begin(release);
    carry(migrating);
  }
  // Later exports have the newest form.
  if (isBefore(version, NEWEST)) realm.keycloakVersion = NEWEST;
}

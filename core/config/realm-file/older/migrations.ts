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

/** The oldest release whose files need no migration. */
const NEWEST = '26.7.0';

/**
 * Migrates a realm of an older Keycloak to the newest release, step by step, as Keycloak's import does. A file without
 * a version counts as current.
 */
export function migrate(migrating: MigratingRealm): void {
  const { realm } = migrating;
  completeClients(migrating);
  const { keycloakVersion: versionText } = realm;
  if (typeof versionText !== 'string') return;
  const version = keycloakVersion(versionText);
  for (const { release, migrate: runMigration } of MIGRATIONS) {
    if (!isBefore(version, release)) continue;
    migrating.beginRelease(release);
    runMigration(migrating);
  }
  // The migrated realm has the form of this release, and so have its exports.
  if (isBefore(version, NEWEST)) realm.keycloakVersion = NEWEST;
}

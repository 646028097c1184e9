import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';
import { MIGRATION_CASES, type MigrationCase, SCOPED, scopesOf } from './migration-cases.js';

const shared = shareHost(test, administered());

let made = 0;

/** Makes a realm of the file, and asks. */
async function answer(
  file: Record<string, unknown>,
  ask: MigrationCase['ask'],
  keycloakVersion?: string,
): Promise<unknown> {
  made += 1;
  const realm = `older-${made}`;
  const call = await adminCaller(shared());
  const sent = { realm, enabled: true, ...structuredClone(file), ...(keycloakVersion ? { keycloakVersion } : {}) };
  const { status, text } = await call('POST', '/realms', sent as RealmRepresentation);
  if (status !== 201) throw new Error(`${status} ${text}`);
  const said = await ask(async (path) => {
    const found = await call('GET', `/realms/${realm}${path}`);
    return found.status === 200 ? found.json : [];
  });
  return said === undefined ? undefined : JSON.parse(JSON.stringify(said).replaceAll(realm, 'REALM'));
}

for (const { release, before, does, file, ask, older, newer } of MIGRATION_CASES) {
  test(`migrations of realm files: the migration of Keycloak ${release} is applied: ${does}`, async (t) => {
    t.deepEqual(await answer(file, ask, before), older, before);
    t.deepEqual(await answer(file, ask, release), newer, release);
  });
}

for (const [version, isOlder] of [
  ['24.0.5', true],
  ['24', true],
  ['24.0.0-rc1', true],
  // Keycloak 26.7.3 considers a suffix after a dot an older version, and an unreadable version the oldest.
  ['25.0.0.Final', true],
  ['foo', true],
  ['7.6.0.GA', true],
  ['7.4.2.GA', true],
  ['25', false],
  ['25.0', false],
  ['25.0.0-SNAPSHOT', false],
  ['999.0.0-SNAPSHOT', false],
  [undefined, false],
] as const) {
  test(`migrations of realm files: a file of keycloakVersion ${String(version)} is ${isOlder ? '' : 'not '}older than 25`, async (t) => {
    const scopes = (await answer(SCOPED, scopesOf('app', 'defaultClientScopes'), version)) as string[];
    t.is(scopes.includes('basic'), isOlder);
  });
}

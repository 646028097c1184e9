import test from 'ava';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/**
 * Roles that may read a path, recorded from Keycloak 26.7. Pages of its admin console are usable with the rights of one
 * area only.
 */
const READERS: readonly (readonly [path: string, ...readers: string[]])[] = [
  ['/authentication/required-actions', 'query-users', 'view-users', 'view-realm'],
  ['/authentication/required-actions/VERIFY_EMAIL', 'view-realm'],
  ['/ui-ext/authentication-management/required-actions', 'query-users', 'view-users', 'view-realm'],
  ['/authentication/flows', 'query-clients', 'view-clients', 'view-realm'],
  ['/ui-ext/authentication-management/flows', 'query-clients', 'view-clients', 'view-realm'],
  ['/authentication/client-authenticator-providers', 'query-clients', 'view-clients', 'view-realm'],
  ['/authentication/per-client-config-description', 'query-clients', 'view-clients', 'view-realm'],
  ['/authentication/authenticator-providers', 'view-realm'],
  ['/client-scopes', 'query-clients', 'view-clients'],
  ['/users/profile', 'query-users', 'view-users', 'view-realm'],
  ['/roles', 'view-realm', 'manage-identity-providers'],
  ['/ui-ext/available-event-listeners', 'view-events'],
  ['/events/config', 'view-events'],
];
const ROLES = ['query-users', 'view-users', 'query-clients', 'view-clients', 'view-realm', 'view-events'];

test('roles of the console: admins of one area read what their pages show, and no more', async (t) => {
  const roles = [...ROLES, 'manage-identity-providers'];
  const { host } = await ownRealm(shared(), { users: roles.map((role) => administrator(role, role)) });
  for (const role of roles) {
    const call = await adminCaller(host, { realm: host.defaultRealm, username: role, password: role });
    for (const [path, ...readers] of READERS) {
      const { status } = await call('GET', `/realms/${host.defaultRealm}${path}`);
      t.is(status, readers.includes(role) ? 200 : 403, `${role} ${path}`);
    }
    t.is((await call('GET', `/realms/${host.defaultRealm}/ui-ext/info`)).status, 200, role);
    t.is((await call('GET', `/realms/${host.defaultRealm}/localization`)).status, 200, role);
    const names = JSON.parse(
      (await call('GET', `/realms/${host.defaultRealm}/ui-ext/realms/names?first=0&max=11`)).text,
    );
    t.deepEqual(names, [{ name: host.defaultRealm }], `${role} sees no other realm`);
  }
  const root = await adminCaller(host);
  const answer = await root('GET', `/realms/${host.defaultRealm}/ui-ext/realms/names?search=ast`);
  t.deepEqual(
    JSON.parse(answer.text).map(({ name }: { name: string }) => name),
    ['master'],
  );
});

test('roles of the console: flows say what uses them', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const call = await adminCaller(host);
  const flows = async () =>
    JSON.parse((await call('GET', `/realms/${host.defaultRealm}/ui-ext/authentication-management/flows`)).text);
  const used = async (alias: string) => (await flows()).find((flow: { alias: string }) => flow.alias === alias);
  t.like(await used('browser'), { builtIn: true, usedBy: { type: 'DEFAULT', values: ['browser'] } });
  await call('POST', `/realms/${host.defaultRealm}/authentication/flows/browser/copy`, { newName: 'mine' });
  const { id, usedBy } = await used('mine');
  t.is(usedBy, undefined);
  const [web] = await admin.clients.find({ clientId: 'web' });
  const overrides = { authenticationFlowBindingOverrides: { browser: id } };
  t.is((await call('PUT', `/realms/${host.defaultRealm}/clients/${web?.id}`, overrides)).status, 204);
  t.deepEqual((await used('mine')).usedBy, { type: 'SPECIFIC_CLIENTS', values: ['web'] });
});

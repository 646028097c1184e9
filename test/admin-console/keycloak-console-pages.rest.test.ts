import test, { type ExecutionContext } from 'ava';
import { adminClient, administered, administrator, clientUuid } from '../helpers/admin.js';
import { hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { type ConsoleTab, consoleForms, consoleTest, failures, openConsole } from '../helpers/keycloak-console.js';
import { DAVE, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
demo.users?.push(administrator('ursula', 'view-users'));

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

/** Pages that need no object. */
const PLAIN = [
  '',
  '/users',
  '/users/add-user',
  '/clients',
  '/clients/add-client',
  '/clients/import-client',
  '/clients/initialAccessToken',
  '/clients/initialAccessToken/create',
  '/clients/client-registration/anonymous',
  '/clients/client-registration/authenticated',
  '/client-scopes',
  '/client-scopes/new',
  '/roles',
  '/roles/new',
  '/groups',
  '/sessions',
  '/events',
  '/events/user-events',
  '/events/admin-events',
  '/authentication',
  '/authentication/flows',
  '/authentication/required-actions',
  '/authentication/policies',
  '/authentication/flows/create',
  '/identity-providers',
  '/identity-providers/oidc/add',
  '/identity-providers/keycloak-oidc/add',
  '/user-federation',
  ...['general', 'login', 'email', 'themes', 'keys/list', 'keys/providers', 'events', 'localization'].map(settings),
  ...['security-defenses', 'sessions', 'tokens', 'client-policies/profiles', 'client-policies/policies'].map(settings),
  ...['user-profile/attributes', 'user-profile/attributesGroup', 'user-profile/jsonEditor', 'user-registration'].map(
    settings,
  ),
  ...['user-profile/attributes/add-attribute', 'client-policies/profiles/add-profile'].map(settings),
];

function settings(tab: string): string {
  return `/realm-settings/${tab}`;
}

consoleTest('Keycloak’s console: every page opens, without an error, a refusal or a foreign request', async (t) => {
  t.timeout(300_000);
  const { host } = started();
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'demo' });
  const web = await clientUuid(host, 'web', 'demo');
  const [role, scopes, groups, flows] = await Promise.all([
    admin.roles.findOneByName({ name: 'staff' }),
    admin.clientScopes.find(),
    admin.groups.find(),
    admin.authenticationManagement.getFlows(),
  ]);
  const flow = flows.find(({ alias }) => alias === 'browser');
  const ofObjects = [
    ...['settings', 'credentials', 'role-mapping', 'groups', 'consents', 'identity-provider-links', 'sessions'].map(
      (tab) => `/users/${DAVE}/${tab}`,
    ),
    ...[
      'settings',
      'keys',
      'credentials',
      'roles',
      'clientScopes/setup',
      'clientScopes/evaluate',
      'sessions',
      'advanced',
    ].map((tab) => `/clients/${web}/${tab}`),
    `/clients/${web}/clientScopes/dedicated`,
    ...['settings', 'mappers', 'scope'].map((tab) => `/client-scopes/${scopes[0]?.id}/${tab}`),
    ...['details', 'associated-roles', 'attributes', 'users-in-role'].map((tab) => `/roles/${role?.id}/${tab}`),
    `/groups/${groups[0]?.id}`,
    `/authentication/${flow?.id}/default/builtIn`,
  ];
  const tab = await openConsole(t, started());
  const wrong: string[] = [];
  const pages = [
    ...[...PLAIN, ...ofObjects].map((path) => `demo${path}`),
    'master',
    'master/realms',
    'master/provider-info',
  ];
  for (const path of pages) {
    try {
      await tab.open(path);
    } catch (error) {
      wrong.push(`${path}: ${(error as Error).message.split('\n')[0]}`);
    }
    wrong.push(...[...tab.wrong(), ...(await failures(tab.page))].map((one) => `${path}: ${one}`));
  }
  t.deepEqual(wrong, []);
  t.true(pages.length > 70, `${pages.length} pages`);
});

interface Forms extends ReturnType<typeof consoleForms> {
  readonly open: ConsoleTab['open'];
  /** Keycloak's client, of the same realm. */
  readonly admin: Awaited<ReturnType<typeof adminClient>>;
}

/** Tests that the console's creations, changes and deletions take effect. */
function formTest(what: string, run: (t: ExecutionContext, forms: Forms) => Promise<void>): void {
  consoleTest(`Keycloak’s console: ${what} is created, changed and removed in its forms`, async (t) => {
    t.timeout(180_000);
    const admin = await adminClient(started().host);
    admin.setConfig({ realmName: 'demo' });
    const tab = await openConsole(t, started());
    await run(t, { ...consoleForms(t, tab), open: tab.open, admin });
  });
}

formTest('a realm', async (t, { open, field, button, done, removeRow, admin }) => {
  await open('master/realms');
  await field('add-realm').click();
  await field('realm').fill('made');
  await field('create').click();
  await done('made');
  await open('made/realm-settings/general');
  await field('displayName').fill('Made here');
  await button('Save').click();
  await done('changed');
  t.is((await admin.realms.findOne({ realm: 'made' }))?.displayName, 'Made here');
  // The settings of a realm with a display name ask to delete the realm of that name: the list does not.
  await open('master/realms');
  await removeRow('made');
  t.is<unknown, null>(await admin.realms.findOne({ realm: 'made' }), null);
});

formTest('a client', async (t, { open, field, button, done, remove, admin }) => {
  await open('demo/clients/add-client');
  await field('clientId').fill('made');
  await button('Next').click();
  await button('Next').click();
  await button('Save').click();
  await done('made');
  await field('name').fill('Made here');
  await button('Save').click();
  await done('changed');
  t.is((await admin.clients.find({ clientId: 'made' }))[0]?.name, 'Made here');
  await remove();
  t.deepEqual(await admin.clients.find({ clientId: 'made' }), []);
});

formTest('a user', async (t, { open, field, button, done, remove, admin }) => {
  await open('demo/users/add-user');
  await field('username').fill('made');
  await button('Create').click();
  await done('made');
  await field('email').fill('made@example.test');
  await button('Save').click();
  await done('changed');
  t.is((await admin.users.find({ username: 'made', exact: true }))[0]?.email, 'made@example.test');
  await remove();
  t.deepEqual(await admin.users.find({ username: 'made', exact: true }), []);
});

formTest('a role', async (t, { open, field, button, done, remove, admin }) => {
  await open('demo/roles/new');
  await field('name').fill('made');
  await field('save').click();
  await done('made');
  await field('description').fill('Made here');
  await button('Save').click();
  await done('changed');
  t.is((await admin.roles.findOneByName({ name: 'made' }))?.description, 'Made here');
  await remove('Delete this role');
  t.is<unknown, null>(await admin.roles.findOneByName({ name: 'made' }), null);
});

formTest('a group', async (t, { open, field, button, done, admin }) => {
  await open('demo/groups');
  await button('Create group').click();
  await field('name').fill('made');
  await field('createGroup').click();
  await done('made');
  const [group] = await admin.groups.find({ search: 'made' });
  await open(`demo/groups/${group?.id}`);
  await field('action-dropdown').first().click();
  await field('renameGroupAction').click();
  await field('name').fill('made anew');
  await field('renameGroup').click();
  await done('changed');
  t.is((await admin.groups.findOne({ id: group?.id ?? '' }))?.name, 'made anew');
  await field('action-dropdown').first().click();
  await field('deleteGroup').click();
  await field('confirm').click();
  await done('removed');
  t.deepEqual(await admin.groups.find({ search: 'made' }), []);
});

formTest('a flow', async (t, { open, field, done, removeRow, admin }) => {
  await open('demo/authentication/flows/create');
  await field('alias').fill('made');
  await field('create').click();
  await done('made');
  await field('addExecution').click();
  await field('auth-cookie').check();
  await field('modal-add').click();
  await done('changed');
  t.is((await admin.authenticationManagement.getExecutions({ flow: 'made' })).length, 1);
  await open('demo/authentication/flows');
  await removeRow('made');
  t.false((await admin.authenticationManagement.getFlows()).some(({ alias }) => alias === 'made'));
});

formTest('an identity provider', async (t, { open, field, label, button, done, remove, admin }) => {
  await open('demo/identity-providers/oidc/add');
  await field('alias').fill('made');
  await field('config.clientId').fill('here');
  await field('config.clientSecret').fill('secret-of-here');
  await label('kc-discovery-endpoint-switch').click();
  await field('config.authorizationUrl').fill('https://idp.example.test/auth');
  await field('config.tokenUrl').fill('https://idp.example.test/token');
  await field('createProvider').click();
  await done('made');
  await field('displayName').fill('Made here');
  await button('Save').click();
  await done('changed');
  t.is((await admin.identityProviders.findOne({ alias: 'made' }))?.displayName, 'Made here');
  await remove();
  t.is<unknown, null>(await admin.identityProviders.findOne({ alias: 'made' }), null);
});

consoleTest('Keycloak’s console: an admin of a realm sees the pages that their roles allow', async (t) => {
  const tab = await openConsole(t, started(), { realm: 'demo', username: 'ursula', password: 'ursula' });
  await tab.open('demo/users');
  await tab.page.getByRole('link', { name: 'dave', exact: true }).waitFor();
  await shows(t, () => tab.page.getByRole('navigation', { name: 'Global' }).locator('a').allInnerTexts(), [
    'Users',
    'Groups',
  ]);
  t.deepEqual(tab.wrong(), []);
});

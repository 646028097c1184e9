import test from 'ava';
import type { Page } from 'playwright-core';
import { administered, administrator, ROOT } from '../helpers/admin.js';
import { openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

/** All of `realm-management`. */
const ROLES = [
  'create-client',
  'impersonation',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
  'realm-admin',
  'view-authorization',
  'view-clients',
  'view-events',
  'view-identity-providers',
  'view-realm',
  'view-users',
];
const AT = 'realms/demo';
const REALM = ['manage-realm', 'realm-admin', 'view-realm'];
const USERS = ['manage-users', 'realm-admin', 'view-users'];
const CLIENTS = ['manage-clients', 'realm-admin', 'view-clients'];
const EVENTS = ['manage-events', 'realm-admin', 'view-events'];
const CLIENT = 'c11e0000-0000-4000-8000-000000000001';
const GROUP = 'c11e0000-0000-4000-8000-000000000003';
const ROLE = 'c11e0000-0000-4000-8000-000000000002';
const SCOPE = 'c11e0000-0000-4000-8000-000000000004';

/** Every page, with the roles that can see its content. Other users see which role is missing. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  // The overview opens for all. Only those who may view the realm see its problems.
  '': ROLES,
  plugins: [],
  'plugins/catalogue': [],
  'plugins/%40keyhost%2Fnewsletter': [],
  files: [],
  [`${AT}/file`]: [],
  [`${AT}/providers`]: REALM,
  [`${AT}/providers/action-token-handler/external-app-notification`]: REALM,
  [`${AT}/users`]: [...USERS, 'query-users'],
  [`${AT}/users/${idIn('demo')}`]: USERS,
  [`${AT}/clients`]: [...CLIENTS, 'query-clients'],
  [`${AT}/clients/${CLIENT}`]: CLIENTS,
  [`${AT}/clients/${CLIENT}/client-scopes`]: CLIENTS,
  [`${AT}/client-scopes`]: [...CLIENTS, 'query-clients'],
  [`${AT}/client-scopes/${SCOPE}`]: CLIENTS,
  [`${AT}/client-scopes/${SCOPE}/access`]: CLIENTS,
  [`${AT}/roles`]: [...REALM, 'manage-identity-providers'],
  [`${AT}/roles/${ROLE}`]: REALM,
  [`${AT}/groups`]: [...USERS, 'query-groups'],
  [`${AT}/groups/${GROUP}`]: [...USERS, 'query-groups'],
  [`${AT}/sessions`]: ['realm-admin'],
  [`${AT}/action-tokens`]: USERS,
  [`${AT}/action-tokens/new`]: USERS,
  [`${AT}/events`]: EVENTS,
  [`${AT}/events/admin`]: EVENTS,
  [`${AT}/pages`]: ROLES,
};

const scene = shareStarted(test, async (scope) => {
  const { clients = [], users = [], ...demo } = testRealm('demo');
  return {
    host: await startHost(
      scope,
      administered({
        realms: [
          {
            ...demo,
            groups: [...(demo.groups ?? []), { id: GROUP, name: 'one' }],
            clients: [...clients, { id: CLIENT, clientId: 'one' }],
            clientScopes: [...(demo.clientScopes ?? []), { id: SCOPE, name: 'one' }],
            roles: { ...demo.roles, realm: [...(demo.roles?.realm ?? []), { id: ROLE, name: 'one' }] },
            users: [...users, ...ROLES.map((role) => administrator(role, role)), administrator('nobody')],
          },
        ],
      }),
    ),
    browser: hasChromium ? await startBrowser(scope) : undefined,
  };
});

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

/** Reloads a page and waits for its requests. @returns its error messages */
async function wrongAt(page: Page, path: string): Promise<readonly string[]> {
  await page.goto(`${started().host.publicUrl}/admin/desk/${path}`);
  return alertsOf(page);
}

/**
 * Opens a page as a link of the admin console does, which takes a fifth of the processor time.
 * @returns its error messages
 */
async function wrongBehind(page: Page, path: string): Promise<readonly string[]> {
  const url = JSON.stringify(`/admin/desk/${path}`);
  await page.evaluate(
    `new Promise((drawn) => { history.pushState(null, '', ${url}); requestAnimationFrame(() => requestAnimationFrame(drawn)); })`,
  );
  return alertsOf(page);
}

async function alertsOf(page: Page): Promise<readonly string[]> {
  await page.locator('main h1').waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  return page.getByRole('alert').allInnerTexts();
}

/** Refusals look the same for all roles, so test each one once, and only a few for every role. */
const FEW = ['', `${AT}/providers`, `${AT}/users`, `${AT}/events`, `${AT}/pages`];
const REFUSED_ALL = 'query-groups';

for (const role of ROLES) {
  browserTest(
    `admin console, roles of admins: ${role} sees the pages that it opens, and at others the missing role`,
    async (t) => {
      const { page, done } = await openAdminConsole(t, started(), '?realm=demo');
      await signIn(page, { realm: 'demo', username: role, password: role });
      for (const [path, seers] of Object.entries(PAGES)) {
        if (role !== REFUSED_ALL && !seers.includes(role) && !FEW.includes(path)) continue;
        const wrong = await wrongBehind(page, path);
        t.is(wrong.length, seers.includes(role) ? 0 : 1, `${path}: ${wrong}`);
        const needed =
          seers.length > 0 ? seers.filter((one) => one.startsWith('view-')) : ['admin in the realm master'];
        for (const told of wrong) {
          t.regex(told, /^Access denied\n+This requires the role /, path);
          for (const one of needed) t.true(told.includes(one), `${path} names ${one}: ${told}`);
        }
      }
      await done();
    },
  );
}

browserTest('admin console, roles of admins: the admin of the host sees every page', async (t) => {
  const { page, done } = await openAdminConsole(t, started());
  await signIn(page, ROOT);
  for (const path of Object.keys(PAGES)) t.deepEqual(await wrongAt(page, path), [], path);
  await done();
});

browserTest(
  'admin console, roles of admins: a user without admin roles sees that at every page, and may sign in as another user',
  async (t) => {
    const { page, done } = await openAdminConsole(t, started(), `${AT}/users?realm=demo`);
    await page.getByRole('textbox', { name: 'Realm' }).fill('demo');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('#username').fill('nobody');
    await page.locator('#password').fill('nobody');
    await page.locator('#kc-login').click();
    await page.getByRole('heading', { name: 'This user has no admin roles in the realm demo', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await done();
  },
);

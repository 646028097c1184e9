import test from 'ava';
import { administered, administrator, ROOT } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const brisk = testRealm('brisk', {
  accessTokenLifespan: 4,
  users: [
    administrator('bella', 'realm-admin'),
    { username: 'nobody', enabled: true, credentials: [{ type: 'password', value: 'nobody' }] },
  ],
});

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [testRealm('demo'), brisk] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const DAVE = { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' };

browserTest(
  'admin console, sign-in: the login returns to the requested page, and a reload needs no login',
  async (t) => {
    const { page, done } = await openAdminConsole(t, started(), 'realms/demo/providers?search=news&state=on');
    await signIn(page);
    const address = page.url();
    t.true(address.endsWith('/admin/desk/realms/demo/providers?search=news&state=on'), address);
    await page.getByRole('link', { name: 'newsletter', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'newsletter', exact: true }).waitFor();
    t.is(page.url(), address);
    await done();
  },
);

browserTest(
  'admin console, sign-in: an admin of a realm signs in to that realm, sees it alone, and the browser remembers its name',
  async (t) => {
    const { page, done } = await openAdminConsole(t, started(), '?realm=demo');
    await shows(t, () => page.getByRole('textbox', { name: 'Realm' }).inputValue(), 'demo');
    await signIn(page, DAVE);
    await page.getByRole('link', { name: 'demo', exact: true }).waitFor();
    const realms = page.getByRole('table', { name: 'Realms', exact: true });
    await shows(t, () => realms.locator('tbody th').allInnerTexts(), ['demo']);
    await shows(t, () => page.getByRole('link', { name: 'Plugins', exact: true }).count(), 0);
    await shows(t, () => page.evaluate('localStorage.getItem("keyhost.desk.realm")'), 'demo');
    await page.goto(page.url().replace(/\/desk\/.*/, '/desk/realms/master/providers'));
    await page.getByRole('heading', { name: 'Access denied', exact: true }).waitFor();
    await shows(
      t,
      () => page.getByRole('alert').innerText(),
      /view-realm or manage-realm/,
      'the page says which role is missing',
    );
    await done();
  },
);

browserTest(
  'admin console, sign-in: signing out ends the session at the host, by a form, and the admin console says so',
  async (t) => {
    const { page, context, done } = await openAdminConsole(t, started());
    await signIn(page);
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    t.false(page.url().includes('?'), page.url());
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    t.deepEqual(
      (await context.cookies()).filter(({ name }) => name.startsWith('KEYCLOAK_IDENTITY')),
      [],
    );
    await done();
  },
);

browserTest(
  'admin console, sign-in: tokens are renewed before they expire, one renewal at a time, while the page is open',
  async (t) => {
    const { page, done } = await openAdminConsole(t, started(), '?realm=brisk');
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('grant_type=refresh_token')) renewals.push(request.url());
    });
    await signIn(page, { realm: 'brisk', username: 'bella', password: 'bella' });
    await page.waitForResponse((response) => response.url().endsWith('/token'));
    await page.waitForResponse((response) => response.url().endsWith('/token'));
    t.true(renewals.length >= 2 && renewals.length <= 4, String(renewals.length));
    await page.getByRole('link', { name: 'Providers', exact: true }).click();
    await page.getByRole('link', { name: 'newsletter', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, sign-in: a refused renewal keeps the page and its input: it continues after a sign-in in a new tab',
  async (t) => {
    const { host, browser } = started();
    const { page, context, done } = await openAdminConsole(t, { host, browser }, 'realms/brisk/providers?realm=brisk');
    await signIn(page, { realm: 'brisk', username: 'bella', password: 'bella' });
    await page.getByRole('searchbox').fill('typed and kept');
    await host.store.sessions.endAll('brisk', {});
    await page.getByText('Your session has ended.').waitFor();
    await shows(t, () => page.getByRole('searchbox').inputValue(), 'typed and kept');
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in again', exact: true }).click();
    const tab = await opened;
    await tab.locator('#username').fill('bella');
    await tab.locator('#password').fill('bella');
    await tab.locator('#kc-login').click();
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    await shows(t, () => page.getByRole('searchbox').inputValue(), 'typed and kept');
    await done();
  },
);

browserTest('admin console, sign-in: a user without admin roles sees that, and can sign out', async (t) => {
  const { page, done } = await openAdminConsole(t, started(), '?realm=brisk');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#username').fill('nobody');
  await page.locator('#password').fill('nobody');
  await page.locator('#kc-login').click();
  await page.getByRole('heading', { name: /has no admin roles in the realm brisk/ }).waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You are signed out.').waitFor();
  await done();
});

browserTest('admin console, sign-in: a missing realm is reported, and so is an unreachable host', async (t) => {
  const { page, context, done } = await openAdminConsole(t, started(), '?realm=none');
  await page.getByText('The realm “none” does not exist').waitFor();
  await context.route('**/.well-known/**', (route) => route.abort());
  await page.getByRole('textbox').fill('master');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The host is unavailable').waitFor();
  await context.unroute('**/.well-known/**');
  await signIn(page, ROOT);
  await context.route('**/admin/realms/**', (route) => route.abort());
  await page.getByRole('searchbox').fill('d');
  await page.getByRole('heading', { name: 'The host is unavailable', exact: true }).waitFor();
  await context.unroute('**/admin/realms/**');
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await page.getByRole('link', { name: 'demo', exact: true }).waitFor();
  await done();
});

browserTest('admin console, sign-in: an answer to another browser’s request signs nobody in', async (t) => {
  const { page, done } = await openAdminConsole(t, started(), '?code=stolen&state=foreign');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  t.false(page.url().includes('stolen'));
  await done();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, sign-in: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done } = await openAdminConsole(t, started(), '', { colorScheme, width, expected: /axe/ });
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await signIn(page);
      await page.getByRole('link', { name: 'demo', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.locator('.account summary').click();
      t.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.is(overflow, 0, 'nothing is wider than the page');
      await done();
    });
  }
}

import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { adminCaller, administered } from '../helpers/admin.js';
import { openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, beginDevice, deviceRealm, poll } from '../helpers/device.js';
import { startHost } from '../helpers/host.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const ALICE_GRANT = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };
const SHOTS = process.env.KEYHOST_SHOTS;

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [deviceRealm()] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

async function connectPage(clientId: string): Promise<string> {
  const call = await adminCaller(started().host);
  const [client] = (await call('GET', `/realms/demo/clients?clientId=${clientId}`)).json as unknown as {
    id: string;
  }[];
  return `realms/demo/clients/${client?.id}/connect`;
}

const card = (page: Page) => page.locator('.sign-ins');
const shot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

/** Two answers about the counts: the second was asked for after what happened before. */
async function looked(page: Page): Promise<void> {
  for (let at = 0; at < 2; at += 1) await page.waitForResponse(/\/sign-ins$/);
}

/** Records every text of the sign-in card from now on. */
async function keepSaid(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    window.said = [];
    const card = document.querySelector('.sign-ins');
    new MutationObserver(() => window.said.push(card.innerText))
      .observe(card, { subtree: true, childList: true, characterData: true });
  }`);
  return () => page.evaluate('window.said') as Promise<string[]>;
}

browserTest('admin console, connect an app: a connected app shows no earlier failure', async (t) => {
  const { host } = started();
  const { page, context, done } = await openSignedIn(t, started(), await connectPage('web2'));
  await card(page).getByText('Waiting for the first sign-in…').waitFor();
  const login = (secret: string) => host.token('demo', { ...ALICE_GRANT, client_id: 'web2', client_secret: secret });
  t.is((await login('wrong')).status, 401);
  await card(page).getByText('The app sends another client secret.').waitFor();
  await looked(page);
  const said = await keepSaid(page);
  // Delays an answer from before the sign-in until after it.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((counted, failed) => {
    const late = async (route: Route) => {
      const response = await route.fetch();
      counted();
      await released;
      await route.fulfill({ response });
    };
    context.route('**/sign-ins', late, { times: 1 }).catch(failed);
  });
  t.is((await login('web2-secret')).status, 200);
  await card(page).getByText('The app is connected.').waitFor();
  release();
  await looked(page);
  t.deepEqual(
    (await said()).filter((one) => one.includes('is connected') && one.includes('failed')),
    [],
  );
  // Later failures are shown.
  t.is((await login('wrong')).status, 401);
  await card(page).getByText('The app sends another client secret.').waitFor();
  await shot(page, 'failed-later');
  await done();
});

browserTest('admin console, connect an app: a password grant counts as a sign-in with tokens', async (t) => {
  const { host } = started();
  const { page, done } = await openSignedIn(t, started(), await connectPage('spa'));
  await card(page).getByText('Waiting for the first sign-in…').waitFor();
  const said = await keepSaid(page);
  t.is((await host.token('demo', { ...ALICE_GRANT, client_id: 'spa' })).status, 200);
  await card(page).getByText('alice has signed in. The app is connected.').waitFor();
  t.deepEqual(
    (await said()).filter((one) => one.includes('has not fetched')),
    [],
  );
  await page.reload();
  await card(page).getByText('The app is connected. alice signed in last:').waitFor();
  await done();
});

browserTest(
  'admin console, connect an app: a client of devices is connected when the device has its tokens, and shows its last sign-in',
  async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), await connectPage('tv'));
    await card(page).getByText('Waiting for the first sign-in…').waitFor();
    const device = await beginDevice(host);
    await approve(host, device.user_code);
    await card(page).getByText('alice has signed in. The app has not fetched its tokens yet.').waitFor();
    t.is((await poll(host, device.device_code)).status, 200);
    await card(page).getByText('alice has signed in. The app is connected.').waitFor();
    await page.reload();
    await card(page).getByText('The app is connected. alice signed in last:').waitFor();
    await shot(page, 'device');
    await done();
  },
);

browserTest(
  'admin console, connect an app: a reconnected stream shows no sign-in from before the page, and none twice',
  async (t) => {
    const { host } = started();
    const { page, context, done } = await openSignedIn(t, started(), 'realms/demo/clients');
    const users: string[] = [];
    page.on('request', (request) => /\/users\?.*max=5\b/.test(request.url()) && users.push(request.url()));
    t.is((await redeem(host, await freshCode(host))).status, 200);
    const call = await adminCaller(host);
    const events = await call('GET', '/realms/demo/events?client=web&type=CODE_TO_TOKEN');
    const [signIn] = events.json as unknown as { time: number }[];
    const began = (signIn?.time ?? 0) + 1;
    const frame = (event: string, data: object, id: number) =>
      `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    const failed = { id: 'told-twice', type: 'LOGIN_ERROR', error: 'user_not_found', time: began + 1, details: {} };
    const told = frame('state', { eventsEnabled: true }, began) + frame('user', failed, began + 1);
    let asked = 0;
    await context.route('**/events/stream?*', (route) => {
      asked += 1;
      return asked > 2 ? route.continue() : route.fulfill({ contentType: 'text/event-stream', body: told });
    });
    await page.goto(`${host.publicUrl}/admin/desk/${await connectPage('web')}`);
    await card(page).getByText('alice signed in last:').waitFor();
    await page.waitForRequest(() => asked > 2);
    // The next message of the stream follows those that it repeats.
    t.is((await redeem(host, await freshCode(host), { client_secret: 'wrong' })).status, 401);
    await card(page).getByText('The app sends another client secret.').waitFor();
    t.false((await card(page).innerText()).includes('alice has signed in. The app is connected.'));
    await shows(t, () => card(page).getByText('user_not_found').count(), 1);
    t.deepEqual(users, [], 'nobody is named to try an app with that is used');
    await done();
  },
);

import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const kept = { eventsEnabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
const usersOf = (realm: string) => [
  ...(testRealm(realm).users ?? []),
  administrator('viewer', 'view-events', 'view-users', 'view-clients'),
];

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(
    scope,
    administered({
      realms: [
        testRealm('demo', { ...kept, users: usersOf('demo') }),
        testRealm('live', { ...kept }),
        testRealm('streams', { ...kept }),
        testRealm('story', { ...kept }),
        testRealm('silent', { eventsEnabled: false, adminEventsEnabled: false, users: usersOf('silent') }),
      ],
    }),
  ),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const VIEWER = { realm: 'demo', username: 'viewer', password: 'viewer' };

/** A login at the token endpoint, good or not. */
function logIn(realm: string, password = 'Alice-pass-1!', username = 'alice') {
  return started().host.token(realm, { grant_type: 'password', client_id: 'spa', username, password });
}

const frame = (event: string, data: object, id?: string) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

browserTest(
  'admin console, events: events are filtered by type, user and client, and the URL has the filter',
  async (t) => {
    await logIn('demo');
    await logIn('demo', 'wrong');
    await logIn('demo', 'wrong', 'dave');
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/events?realm=demo', { as: VIEWER });
    const rows = page.locator('tbody tr');
    await page.getByRole('row', { name: 'LOGIN_ERROR' }).first().waitFor();
    await page.getByLabel('Type').fill('LOGIN_ERROR');
    await page.getByLabel('User', { exact: true }).fill('alice');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.getByRole('row', { name: 'dave' }).waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'invalid_user_credentials' }).waitFor();
    await page.getByRole('link', { name: 'alice could not sign in to spa: wrong password', exact: true }).waitFor();
    await shows(t, () => rows.count(), 1);
    t.regex(page.url(), /type=LOGIN_ERROR&user=alice/);
    await page.reload();
    await rows.first().waitFor();
    await shows(t, () => rows.count(), 1);
    await shows(t, () => page.getByLabel('User', { exact: true }).inputValue(), 'alice');
    await page.getByLabel('User', { exact: true }).fill('nobody at all');
    await page.getByLabel('User', { exact: true }).press('Enter');
    await page.getByText('The user “nobody at all” does not exist').waitFor();
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByLabel('Type').fill('LOGIN_EROR');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.getByText('did you mean "LOGIN_ERROR"').first().waitFor();
    await page.getByRole('button', { name: /^Clear/ }).click();
    await page.getByLabel('Show').selectOption('Failures');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.waitForURL(/show=failures/);
    await page.getByRole('link', { name: 'dave could not sign in to spa: wrong password', exact: true }).waitFor();
    await shows(t, () => page.getByRole('link', { name: 'alice signed in to spa', exact: true }).count(), 0);
    await page.getByLabel('Client').fill('no-such-client');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.getByText('No events match the filter.').waitFor();
    await done();
  },
);

browserTest(
  'admin console, events: new events appear once; while the list is paused they are counted and wait',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/live/events?type=LOGIN_ERROR');
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByText('No events match the filter.').waitFor();
    const rows = page.locator('tbody tr');
    await logIn('live');
    await logIn('live', 'wrong');
    await rows.first().waitFor();
    await shows(t, () => rows.count(), 1);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await logIn('live', 'wrong');
    await page.getByRole('button', { name: 'Show 1 new event', exact: true }).waitFor();
    await shows(t, () => rows.count(), 1);
    await page.getByRole('button', { name: 'Show 1 new event', exact: true }).click();
    await shows(t, () => rows.count(), 2);
    await logIn('live', 'wrong');
    await page.getByRole('button', { name: 'Show 1 new event', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await rows.nth(2).waitFor();
    await shows(t, () => rows.count(), 3);
    await done();
  },
);

browserTest(
  'admin console, events: an interrupted stream continues, and a gap or a permanent end is shown',
  async (t) => {
    const { page, context, done } = await openAdminConsole(t, started(), 'realms/streams/events');
    const asked: (string | undefined)[] = [];
    const event = { id: 'told-twice', time: Date.now(), type: 'LOGIN', details: {} };
    const answers = [
      frame('state', kept, '7') + frame('user', event, '8'),
      frame('state', kept, '8') + frame('user', event, '9') + frame('gap', {}, '10'),
      frame('renew', {}),
      frame('end', { status: 403 }),
    ];
    await context.route('**/events/stream?*', (route) => {
      asked.push(route.request().headers()['last-event-id']);
      const body = answers[asked.length - 1] ?? '';
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    await signIn(page);
    await page.getByRole('row', { name: 'LOGIN' }).waitFor();
    await page.getByText('Connection lost').waitFor();
    await shows(t, () => page.getByRole('row', { name: 'LOGIN' }).count(), 1);
    await page.getByText('The list has been reloaded.').waitFor();
    await page.getByText('Live updates ended').waitFor();
    await shows(t, () => page.getByRole('alert').innerText(), /view-events/);
    t.deepEqual(asked, [undefined, '8', '10', '10']);
    await done();
  },
);

browserTest(
  'admin console, events: an event opens by its URL, with user, client, details, and related events',
  async (t) => {
    await logIn('demo');
    const call = await adminCaller(started().host);
    const [event] = JSON.parse((await call('GET', '/realms/demo/events?type=LOGIN&client=spa&max=1')).text);
    const { page, done } = await openSignedIn(t, started(), `realms/demo/events/${event.id}?realm=demo`, {
      as: VIEWER,
    });
    await page.getByRole('heading', { name: 'alice signed in to spa', exact: true, level: 1 }).waitFor();
    await shows(t, () => page.locator('.raw-event').innerText(), /"type": "LOGIN"/);
    const user = page.locator('.facts').getByRole('link', { name: 'alice', exact: true });
    t.regex((await user.getAttribute('href')) ?? '', new RegExp(`/realms/demo/users/${ALICE}$`));
    const client = page.locator('.facts').getByRole('link', { name: 'spa', exact: true });
    t.regex((await client.getAttribute('href')) ?? '', /\/realms\/demo\/clients\/[0-9a-f-]{36}$/);
    await shows(t, () => page.locator('.details').innerText(), new RegExp(`token_id\\s+${event.details.token_id}`));
    const section = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await section('Same session').getByText('No other events.').waitFor();
    await section('Same user').getByRole('row', { name: 'LOGIN_ERROR' }).first().waitFor();
    t.deepEqual(await axeFindings(page), []);
    await section('Same user').getByRole('link').first().click();
    await page.getByText('An event of the realm demo.').waitFor();
    t.false(page.url().includes(event.id));
    await page.goto(page.url().replace(/events\/.*/, 'events/none'));
    await page.getByRole('heading', { name: 'Not found', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, events: admin events are the other list: by operation and path, and one with its representation',
  async (t) => {
    const call = await adminCaller(started().host);
    t.is((await call('PUT', '/realms/demo', { displayName: 'Seen in the event' })).status, 204);
    t.is((await call('PUT', `/realms/demo/users/${ALICE}`, { firstName: 'Alice', lastName: 'L' })).status, 204);
    t.is((await call('PUT', `/realms/demo/users/${ALICE}`, { firstName: 'Alicia', lastName: 'L' })).status, 204);
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/events');
    await page.getByRole('link', { name: 'Admin events', exact: true }).click();
    await page.getByRole('row', { name: 'UPDATE REALM' }).first().waitFor();
    await shows(t, () => page.locator('.side-bar [aria-current]').innerText(), 'Events');
    await page.getByLabel('Path').fill('users/*');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.getByRole('row', { name: 'UPDATE REALM' }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Admin', { exact: true }).fill('root');
    await page.getByRole('button', { name: /Apply/ }).click();
    await page.waitForURL(/authUser=root/);
    await page.getByRole('link', { name: 'root changed the user alice', exact: true }).first().click();
    await page.getByRole('heading', { name: 'root changed the user alice', exact: true, level: 1 }).waitFor();
    await page.getByRole('row', { name: 'firstName Alice Alicia', exact: true }).waitFor();
    await page.getByText('1 other value is the same as before.').waitFor();
    await shows(t, () => page.locator('.raw-event').innerText(), /"firstName": "Alicia"/);
    await page.locator('.facts').getByRole('link', { name: 'root (master)', exact: true }).waitFor();
    const target = page.locator('.facts').getByRole('link').first();
    t.regex((await target.getAttribute('href')) ?? '', new RegExp(`/realms/demo/users/${ALICE}$`));
    await page.getByRole('heading', { name: 'Same admin', exact: true }).waitFor();
    await page.getByRole('row', { name: 'UPDATE REALM' }).first().waitFor();
    t.deepEqual(await axeFindings(page), []);
    await done();
  },
);

browserTest(
  'admin console, events: all events of one user are on one page, in order, with the changes by admins',
  async (t) => {
    await logIn('story');
    const call = await adminCaller(started().host);
    const [{ id }] = JSON.parse((await call('GET', '/realms/story/users?username=alice&exact=true')).text);
    t.is((await call('PUT', `/realms/story/users/${id}`, { lastName: 'Changed' })).status, 204);
    await logIn('story', 'wrong');
    await logIn('story', 'wrong', 'dave');
    const { page, done } = await openSignedIn(t, started(), `realms/story/users/${id}/activity`);
    await page.getByRole('link', { name: 'All events of this user', exact: true }).click();
    await page.getByRole('heading', { name: 'Events of alice', exact: true, level: 1 }).waitFor();
    const sentences = page.locator('tbody th a');
    await shows(t, async () => (await sentences.allInnerTexts()).slice(0, 3), [
      'alice could not sign in to spa: wrong password',
      'root changed the user alice',
      'alice signed in to spa',
    ]);
    await shows(t, () => page.getByRole('row', { name: 'dave' }).count(), 0);
    for (let at = 0; at < 25; at += 1) await logIn('story', 'wrong');
    await page.reload();
    await sentences.first().waitFor();
    const failure = 'alice could not sign in to spa: wrong password';
    await shows(t, () => sentences.allInnerTexts(), Array(25).fill(failure));
    await page.getByRole('button', { name: 'Older events', exact: true }).click();
    await shows(t, async () => (await sentences.allInnerTexts()).slice(-2), [
      'root changed the user alice',
      'alice signed in to spa',
    ]);
    await page.getByRole('button', { name: 'Newest events', exact: true }).click();
    await shows(t, () => sentences.count(), 25);
    await page.getByRole('button', { name: 'Older events', exact: true }).click();
    const change = page.getByRole('link', { name: 'root changed the user alice', exact: true });
    await change.waitFor();
    t.deepEqual(await axeFindings(page), []);
    await change.click();
    await page.getByText('1 value whose earlier value is not saved').waitFor();
    await page.getByRole('row', { name: 'lastName Changed', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, events: a realm that stores no events says so, and an admin with the role enables them',
  async (t) => {
    const first = await openAdminConsole(t, started(), 'realms/silent/events?realm=silent');
    await signIn(first.page, { ...VIEWER, realm: 'silent' });
    await first.page.getByText('requires the role manage-events').waitFor();
    await shows(t, () => first.page.getByRole('button', { name: 'Enable event saving', exact: true }).count(), 0);
    await first.done();
    const { page, done } = await openSignedIn(t, started(), 'realms/silent/events');
    await page.getByRole('heading', { name: /User events are not saved/ }).waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable event saving', exact: true }).click();
    await page.getByRole('heading', { name: /User events are not saved/ }).waitFor({ state: 'detached' });
    await logIn('silent', 'wrong');
    await page.getByRole('row', { name: 'LOGIN_ERROR' }).waitFor();
    await done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, events: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      await logIn('demo', 'wrong');
      const { page, done } = await openSignedIn(t, started(), 'realms/demo/events', { colorScheme, width });
      await page.getByRole('row', { name: 'LOGIN_ERROR' }).first().waitFor();
      await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      t.deepEqual(await axeFindings(page), []);
      await shows(t, () => page.evaluate(overflow), 0, 'nothing is wider than the page');
      await page.locator('.event-bad').first().click();
      await page.getByRole('heading', { name: 'Details', exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Same user', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await shows(t, () => page.evaluate(overflow), 0, 'nothing is wider than the page');
      await done();
    });
  }
}

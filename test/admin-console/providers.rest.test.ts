import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

/** Its configuration has a member of every sort that a form shows. */
const RICH = pluginSource(import.meta.url, 'plugins/rich.js');

/** Answers with its configuration in the realm. */
const DOOR = pluginSource(import.meta.url, 'plugins/door.js');

const realm = (name: string) =>
  testRealm(name, {
    users: [administrator('ria', 'realm-admin'), administrator('vera', 'view-realm')],
    providers: { 'events-listener': { rich: { config: { token: 'first-secret', targets: [{ name: 'one' }] } } } },
  });

const scene = shareStarted(
  test,
  async (scope) => ({
    host: await startHost(
      scope,
      administered({
        realms: ['demo', 'other', 'worn', 'failing', 'shared', 'listening'].map(realm),
        plugins: [{ module: 'rich' }, { module: 'door' }],
        packages: { rich: RICH, door: DOOR },
      }),
    ),
    browser: hasChromium ? await startBrowser(scope) : undefined,
  }),
  /over the secret threshold/,
);

const PAGE = 'providers/events-listener/rich';

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

async function stored(name: string): Promise<Record<string, unknown>> {
  const record = await started().host.store.realms.get(name);
  return (record?.representation.providers?.['events-listener']?.rich?.config ?? {}) as Record<string, unknown>;
}

browserTest(
  'admin console, providers: a configuration is changed in a form of its schema: untouched values are not written, secrets neither shown nor lost',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/demo/${PAGE}`);
    await page.getByRole('heading', { name: 'rich', exact: true }).waitFor();
    t.false((await page.content()).includes('first-secret'));
    await page.getByLabel('mode').selectOption('errors');
    await page.getByLabel('times').fill('3');
    await page.getByRole('button', { name: 'Add to targets', exact: true }).click();
    await page.getByLabel('name', { exact: false }).nth(1).fill('two');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    t.deepEqual(await stored('demo'), {
      token: 'first-secret',
      mode: 'errors',
      retry: { times: 3 },
      targets: [{ name: 'one' }, { name: 'two' }],
    });
    await page.getByRole('button', { name: 'Replace token', exact: true }).click();
    await page.getByRole('textbox', { name: 'token' }).fill('second-secret');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Set (hidden)').waitFor();
    t.is((await stored('demo')).token, 'second-secret');
    await done();
  },
);

browserTest(
  'admin console, providers: every problem that the host finds is shown at its field, and input stays',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/other/${PAGE}`);
    await page.getByLabel('limit').fill('12');
    await page.getByLabel('times').fill('7');
    await page.getByLabel('name', { exact: false }).first().fill('Not good');
    await page.getByRole('button', { name: 'Replace token', exact: true }).click();
    await page.getByRole('textbox', { name: 'token' }).fill('ab');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved. Fix 4 invalid values.').waitFor();
    for (const [label, message] of [
      ['limit', 'must be at most 9'],
      ['times', 'must be at most 5'],
      ['token', 'must have at least 3 characters'],
      ['name', 'must match'],
    ] as const) {
      const field = page.getByLabel(label).first();
      await shows(t, () => field.getAttribute('aria-invalid'), 'true', label);
      const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const told = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).allInnerTexts()));
      t.true(told.flat().join().includes(message), `${label}: ${told}`);
    }
    await shows(t, () => page.getByLabel('limit').inputValue(), '12');
    t.deepEqual(await axeFindings(page), []);
    await page.getByLabel('limit').fill('9');
    await page.getByLabel('times').fill('5');
    await page.getByLabel('name', { exact: false }).first().fill('good');
    await page.getByRole('button', { name: 'Keep current token', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    t.like(await stored('other'), { limit: 9, token: 'first-secret', targets: [{ name: 'good' }] });
    await done();
  },
);

browserTest(
  'admin console, providers: a second editor sees who changed what, keeps the input, and overwrites it alone or reloads',
  async (t) => {
    const { host } = started();
    const root = await adminCaller(host);
    await root('PUT', '/realms/shared/events/config', { adminEventsEnabled: true });
    const ria = await adminCaller(host, { realm: 'shared', username: 'ria', password: 'ria' });
    const byRia = async (config: object) => {
      t.is((await ria('PUT', '/realms/shared/providers/events-listener/rich', { config })).status, 204);
    };
    const { page, done } = await openSignedIn(t, started(), `realms/shared/${PAGE}`);
    await page.getByLabel('limit').fill('4');
    await page.getByRole('button', { name: 'Replace token', exact: true }).click();
    await page.getByRole('textbox', { name: 'token' }).fill('typed-secret');
    await byRia({ mode: 'errors', limit: 8 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'ria changed this after you opened it', exact: true }).waitFor();
    const rows = page.getByRole('table', { name: 'Differences' }).locator('tbody tr');
    t.deepEqual(
      (await rows.allInnerTexts()).map((row) => row.split(/\s*\t\s*/)),
      [
        ['limit', 'not set', '8', '4'],
        ['mode', 'not set', 'errors', 'unchanged'],
        ['token', 'hidden secret', 'hidden secret', 'hidden secret'],
      ],
    );
    t.deepEqual(await axeFindings(page), []);
    await shows(t, () => page.getByLabel('limit').inputValue(), '4');
    t.deepEqual([(await stored('shared')).limit, (await stored('shared')).token], [8, 'first-secret']);
    // Further input counts, too.
    await page.getByLabel('limit').fill('5');
    await page.getByRole('button', { name: 'Save my changes anyway', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    t.like(await stored('shared'), { mode: 'errors', limit: 5, token: 'typed-secret' });

    await page.getByLabel('limit').fill('6');
    await byRia({ limit: 9 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Discard my changes', exact: true }).click();
    await page.getByRole('heading', { name: /changed this after/ }).waitFor({ state: 'detached' });
    await shows(t, () => page.getByLabel('limit').inputValue(), '9');
    t.is((await stored('shared')).limit, 9);
    await done();
  },
);

browserTest(
  'admin console, providers: a provider is switched while its form has input, which is saved afterwards',
  async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers/realm-restapi-extension/door');
    await page.getByLabel('greeting').fill('hello');
    const knock = () => fetchAnswer(`${host.realm('demo')}/door`);
    t.is((await knock()).status, 404);
    await page.getByRole('switch', { name: 'door in this realm' }).click();
    await page.getByRole('switch', { checked: true }).waitFor();
    t.is((await knock()).text, '"nothing"');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    t.is((await knock()).text, '"hello"');
    await page.reload();
    await page.getByText('2 succeeded').waitFor();
    await done();
  },
);

browserTest(
  'admin console, providers: edits beside the realm’s file, and recent failures, are shown at the provider',
  async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), 'realms/failing/providers/realm-restapi-extension/door');
    await page.getByLabel('greeting').fill('fall');
    await shows(
      t,
      () => page.getByRole('heading', { name: 'Edits that are not in the realm file', exact: true }).count(),
      0,
    );
    await page.getByRole('switch', { name: 'door in this realm' }).click();
    await page.getByRole('switch', { checked: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    const edits = page.getByRole('list', { name: 'Edits that are not in the realm file' });
    await edits.getByText('greeting', { exact: false }).first().waitFor();
    t.is((await fetchAnswer(`${host.realm('failing')}/door`)).status, 500);
    await page.reload();
    const failure = page.getByRole('table', { name: 'Recent failed calls' }).getByRole('row').nth(1);
    await failure.waitFor();
    await shows(t, () => failure.innerText(), /run\s+failed\s+RangeError/);
    t.false((await page.content()).includes('10.0.0.7'), 'what an error says is for the log');
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('link', { name: /Revert edits/ }).click();
    await page.getByRole('heading', { name: 'Realm file of failing', exact: true }).waitFor();
    await done();
  },
);

browserTest('admin console, providers: leaving a changed form asks first', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `realms/other/${PAGE}`);
  await page.getByLabel('limit').fill('4');
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await shows(t, () => page.getByLabel('limit').inputValue(), '4');
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  await done();
});

browserTest('admin console, providers: the way back of the browser asks too', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/other/providers');
  await page.getByRole('link', { name: 'rich', exact: true }).click();
  await page.getByLabel('limit').fill('4');
  await page.keyboard.press('Tab');
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
  await page.evaluate('history.back()');
  await asked;
  await shows(t, () => page.getByLabel('limit').inputValue(), '4');
  await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
  await page.evaluate('history.back()');
  await page.getByRole('heading', { name: 'Providers of other', exact: true }).waitFor();
  await done();
});

browserTest(
  'admin console, providers: an admin with view rights sees which role a change needs, and keeps the input',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/other/${PAGE}?realm=other`, {
      as: { realm: 'other', username: 'vera', password: 'vera' },
    });
    await page.getByLabel('limit').fill('2');
    await shows(t, () => page.getByRole('switch').count(), 0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Access denied', exact: true }).waitFor();
    await shows(t, () => page.getByRole('alert').innerText(), /This requires the role manage-realm\./);
    await shows(t, () => page.getByLabel('limit').inputValue(), '2');
    await done();
  },
);

browserTest('admin console, providers: the overview shows a failing provider, and links to its repair', async (t) => {
  const { host } = started();
  const record = await host.store.realms.get('worn');
  if (record === undefined) throw new Error('there is no realm "worn"');
  const { representation } = record;
  // As after a new version of the plugin, whose schema the old configuration does not fit.
  representation.providers = { 'events-listener': { rich: { config: { token: 'first-secret', limit: 70 } } } };
  await host.store.realms.put({ ...record, representation }, { expectedVersion: record.version });
  host.realms.invalidate('worn');
  const { page, done } = await openSignedIn(t, started(), 'realms/worn/providers');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByText('config.limit: must be at most 9').waitFor();
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('link', { name: 'View details: rich fails in worn', exact: true }).click();
  await page.getByRole('heading', { name: 'Provider error', exact: true }).waitFor();
  await page.getByLabel('limit').fill('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\./).waitFor();
  await shows(t, () => page.getByRole('heading', { name: 'Provider error', exact: true }).count(), 0);
  await done();
});

browserTest(
  'admin console, providers: an event listener is switched at its page, and a save says whether it is enabled',
  async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), `realms/listening/${PAGE}`);
    await page.getByLabel('limit').fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The provider is disabled in this realm: enable it above.').waitFor();
    await page.getByRole('switch', { name: 'rich in this realm' }).click();
    await page.getByRole('switch', { checked: true }).waitFor();
    const record = await host.store.realms.get('listening');
    t.deepEqual(record?.representation.eventsListeners, ['jboss-logging', 'rich']);
    await page.getByLabel('limit').fill('6');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The provider is enabled in this realm.').waitFor();
    await done();
  },
);

browserTest(
  'admin console, providers: a provider without a switch says how it is enabled, and the list is filtered by its URL',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers?show=all&search=auth-cookie');
    await page.getByText('in a flow', { exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 1);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No results for “nothing like it”.').waitFor();
    t.regex(page.url(), /search=nothing/);
    await page.getByRole('button', { name: 'Clear search', exact: true }).click();
    await page.getByText('password').first().waitFor();
    await page.getByRole('searchbox').fill('auth-cookie');
    await shows(t, () => page.locator('tbody tr').count(), 1);
    await page.locator('tbody th a').click();
    const uses = page.getByRole('table', { name: 'Flows that use it' });
    await shows(t, () => uses.locator('tbody').innerText(), /browser\s+—\s+Alternative/);
    await shows(t, () => page.getByRole('switch').count(), 0);
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('link', { name: 'the realm file', exact: true }).click();
    await page.getByRole('heading', { name: 'Realm file of demo', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, providers: the realm is switched by its name, found by the host, on the same page and by keys alone',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
    await page.getByRole('combobox', { name: 'Switch realm' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('oth');
    await page.getByRole('option', { name: 'other' }).waitFor();
    await shows(t, () => page.getByRole('listbox').getByRole('option').count(), 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Providers of other', exact: true }).waitFor();
    t.regex(page.url(), /\/realms\/other\/providers$/);
    await done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, providers: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers', { colorScheme, width });
      await page.getByRole('link', { name: 'rich', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('link', { name: 'rich', exact: true }).click();
      await page.getByLabel('mode').waitFor();
      t.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.is(overflow, 0, 'nothing is wider than the page');
      await done();
    });
  }
}

browserTest('admin console, providers: in German the page speaks German, and remembers it', async (t) => {
  const { page, done } = await openAdminConsole(t, started(), 'realms/demo/providers', { locale: 'de' });
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.locator('#username').fill('root');
  await page.locator('#password').fill('root-password');
  await page.locator('#kc-login').click();
  await page.getByRole('heading', { name: 'Provider von demo', exact: true }).waitFor();
  await shows(t, () => page.getAttribute('html', 'lang'), 'de');
  await page.getByRole('link', { name: 'rich', exact: true }).click();
  await page.getByText('Gesetzt (verborgen)').waitFor();
  await page.getByLabel('limit').fill('10');
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByText('Nicht gespeichert. Korrigiere 1 ungültigen Wert.').waitFor();
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Änderungen verwerfen', exact: true }).click();
  await page.getByText('Nicht gespeichert').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Provider von demo', exact: true }).waitFor();
  await page.locator('.account summary').click();
  await page.getByLabel('Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'Providers of demo', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Providers of demo', exact: true }).waitFor();
  await done();
});

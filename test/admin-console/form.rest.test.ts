import test from 'ava';
import { administered } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

/** Its configuration has the rarer shapes of JSON Schema. */
const SHAPES = pluginSource(import.meta.url, 'plugins/shapes.js');

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(
    scope,
    administered({
      realms: [testRealm('demo', { providers: {} }), testRealm('wrong', { providers: {} })],
      plugins: [{ module: 'shapes' }],
      packages: { shapes: SHAPES },
    }),
  ),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

async function stored(realm: string): Promise<unknown> {
  const record = await started().host.store.realms.get(realm);
  return record?.representation.providers?.['events-listener']?.shapes?.config;
}

browserTest('admin console, forms: every shape of a schema has fields, and their values are stored', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers/events-listener/shapes');
  await page.getByRole('checkbox', { name: 'LOGOUT' }).check();
  await page.getByRole('checkbox', { name: 'LOGIN' }).check();
  for (const tag of ['one', 'two', 'three']) {
    await page.getByRole('button', { name: 'Add to tags', exact: true }).click();
    await page.getByRole('group', { name: 'tags' }).getByRole('textbox').last().fill(tag);
  }
  await page.getByRole('group', { name: 'tags' }).getByRole('button', { name: 'Move 3 up', exact: true }).click();
  await page.getByRole('group', { name: 'tags' }).getByRole('button', { name: 'Remove 1', exact: true }).click();
  const headers = page.getByRole('group', { name: 'headers' });
  await headers.getByRole('button', { name: 'Add property', exact: true }).click();
  await headers.getByLabel('Name').fill('x-team');
  await headers.getByLabel('Name').press('Tab');
  await headers.getByLabel('x-team', { exact: true }).fill('identity');
  await page.getByLabel('ratio').fill('0.25');
  await page.getByLabel('note').fill('a note');
  await page.getByLabel('town').fill('Ulm');
  await page.getByLabel('store').selectOption('Queue');
  await page.getByLabel('topic').fill('events');
  await page.getByLabel('key', { exact: true }).fill('a-key');
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\./).waitFor();
  t.deepEqual(await stored('demo'), {
    kinds: ['LOGIN', 'LOGOUT'],
    tags: ['three', 'two'],
    headers: { 'x-team': 'identity' },
    ratio: 0.25,
    note: 'a note',
    place: { town: 'Ulm' },
    store: { topic: 'events', key: 'a-key' },
  });
  await shows(t, () => page.getByText('Set (hidden)').count(), 1);
  await page.getByRole('button', { name: 'Clear key', exact: true }).click();
  await headers.getByRole('button', { name: 'Remove x-team', exact: true }).click();
  await page.getByLabel('note').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\./).waitFor();
  const { note, headers: none, store } = (await stored('demo')) as Record<string, unknown>;
  t.deepEqual([note, none, store], [undefined, {}, { topic: 'events' }]);
  await done();
});

browserTest('admin console, forms: a problem without a field is shown above the form, with its place', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/wrong/providers/events-listener/shapes');
  await page.getByLabel('a/b~c').fill('long');
  await page.getByLabel('store').selectOption('Queue');
  await page.getByLabel('topic').fill('x');
  await page.getByLabel('topic').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/Not saved/).waitFor();
  await shows(t, () => page.getByRole('alert').innerText(), /\/store\/path\s+"path" is missing/);
  await shows(t, () => page.getByLabel('a/b~c').getAttribute('aria-invalid'), 'true');
  await shows(t, () => page.getByLabel('topic').getAttribute('aria-invalid'), 'true');
  await shows(t, () => page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
  t.deepEqual(await axeFindings(page), []);
  t.is(await stored('wrong'), undefined);
  await done();
});

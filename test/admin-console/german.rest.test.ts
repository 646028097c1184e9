import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { runnerImport } from 'vite';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const SOURCES = join(process.cwd(), 'core/admin-console/app/src');
/** A sentence has at least three words: single words such as “Client” are the same in German. */
const SENTENCE = /\S+\s+\S+\s+\S+/;
const PLACEHOLDER = '\u0001';

const scene = shareStarted(test, async (scope) => {
  const host = await startHost(scope, administered({ realms: [testRealm('demo')] }));
  await host.token('demo', { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' });
  return { host, browser: hasChromium ? await startBrowser(scope) : undefined };
});

/** The texts in a value, and those of its functions without their parameters. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    try {
      return textsIn((value as (...names: string[]) => unknown)(PLACEHOLDER, PLACEHOLDER, PLACEHOLDER)).flatMap(
        (text) => text.split(PLACEHOLDER),
      );
    } catch {
      return [];
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** All English sentences of the admin console that are no German ones. */
async function englishSentences(): Promise<string[]> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => /texts\.ts$/.test(name));
  const load = async (name: string) =>
    (await runnerImport<Record<string, unknown>>(join(SOURCES, name), { configFile: false })).module;
  const exported = (await Promise.all(names.map(load))).flatMap((module) => Object.values(module));
  const pairs = exported.filter(
    (value): value is { en: unknown; de: unknown } =>
      typeof value === 'object' && value !== null && 'en' in value && 'de' in value,
  );
  const { en } = await load('messages/en.ts');
  const { de } = await load('messages/de.ts');
  const all = [...pairs, { en, de }];
  const german = new Set(all.flatMap((pair) => textsIn(pair.de)));
  const english = all.flatMap((pair) => textsIn(pair.en)).map((text) => text.trim());
  return [...new Set(english)].filter((text) => SENTENCE.test(text) && !german.has(text));
}

/** The paths of all pages, as far as the names in them are known here. */
async function pagePaths(names: Readonly<Record<string, string>>): Promise<string[]> {
  const routes = await readFile(join(SOURCES, 'routes.tsx'), 'utf8');
  const patterns = [...routes.matchAll(/'(\/[^']*)', \(\)/g)].map(([, pattern = '']) => pattern);
  const filled = patterns.map((pattern) =>
    pattern.replace(/(\w+\/)?:(\w+)/g, (whole, place: string | undefined, name: string) => {
      const value = name === 'realm' ? 'made' : names[place ?? ''];
      return value === undefined ? whole : `${place ?? ''}${value}`;
    }),
  );
  return ['/', ...filled.filter((path) => !path.includes(':'))];
}

browserTest(
  'admin console, German: no page shows an English sentence, and no request of a page fails in a realm without a file',
  async (t) => {
    const { host, browser } = scene();
    if (browser === undefined) throw new Error('the browser did not start');
    const sentences = await englishSentences();
    t.true(sentences.length > 300);
    const call = await adminCaller(host);
    t.is((await call('PUT', '/realms/demo', { displayName: 'Edited' })).status, 204);
    t.is((await call('POST', '/realms', { realm: 'made', enabled: true })).status, 201);
    const user = await call('POST', '/realms/made/users', { username: 'erika', enabled: true });
    const userId = user.headers.get('location')?.split('/').at(-1) ?? '';
    const client = await clientUuid(host, 'account', 'made');
    const paths = await pagePaths({ 'users/': userId, 'user/': userId, 'clients/': client });
    t.true(paths.length > 25);
    const { page, done } = await openSignedIn(t, { host, browser }, '', { locale: 'de' });
    await page.getByRole('heading', { name: /^Der Realm demo hat Änderungen/ }).waitFor();
    const lines = (await page.innerText('main')).split('\n');
    t.deepEqual(
      lines.filter((line) => /\b(the|is|are|of|has)\b/.test(line)),
      [],
      'neither do sentences of the host',
    );
    const found: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) found.push(`${page.url()}: ${response.status()} ${response.url()}`);
    });
    for (const path of paths) {
      await page.evaluate(`history.pushState(null, '', '/admin/desk${path}')`);
      await page.locator('.page h1').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      const text = await page.innerText('body');
      for (const sentence of sentences) if (text.includes(sentence)) found.push(`${path}: ${sentence}`);
    }
    t.deepEqual(found, []);
    await done();
  },
);

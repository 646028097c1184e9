import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { ADDRESS, buildSite } from '../../core/build/site/site.js';
import { readSite } from '../../core/build/site/site-pages.js';
import { axeFindings } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { shows } from '../helpers/shows.js';
import { idsIn, linksIn } from './site-links.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

const dir = await mkdtemp(join(tmpdir(), 'keyhost-site-'));
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
await buildSite(dir);
const files = (await readdir(dir, { recursive: true })).map((name) => name.replaceAll('\\', '/'));

test.after.always(() => rm(dir, { recursive: true, force: true }));

test('documentation site: every link, image, script and anchor of the built site exists', async (t) => {
  const pages = files.filter((file) => file.endsWith('.html'));
  const html = new Map(
    await Promise.all(pages.map(async (file) => [file, await readFile(join(dir, file), 'utf8')] as const)),
  );
  const wrong: string[] = [];
  for (const [page, text] of html) {
    for (const link of linksIn(text)) {
      const [file = '', id] = link.split('#');
      const target = file === '' ? page : posix.join(posix.dirname(page), file);
      const isThere =
        files.includes(target) && (id === undefined || idsIn(html.get(target) ?? '').has(decodeURIComponent(id)));
      if (!isThere) wrong.push(`${page}: ${link}`);
    }
  }
  t.deepEqual(wrong, []);
});

test('documentation site: llms.txt names every page, whose Markdown exists; llms-full.txt has them all', async (t) => {
  const { bySource, front, groups } = await readSite();
  const [index, full] = await Promise.all(
    ['llms.txt', 'llms-full.txt'].map((name) => readFile(join(dir, name), 'utf8')),
  );
  for (const page of bySource.values()) {
    if (page === front) continue;
    t.true(index?.includes(`(${ADDRESS}${version}/${page.path}.md)`), page.source);
    t.true(files.includes(`${version}/${page.path}.md`), page.source);
  }
  for (const { path } of groups.flatMap(({ pages }) => pages)) t.true(full?.includes(`/${path}.md -->`), path);
});

test('documentation site: the newest version is the default, and missing pages have a page', async (t) => {
  t.deepEqual(JSON.parse(await readFile(join(dir, 'versions.json'), 'utf8')), [version]);
  t.true((await readFile(join(dir, 'index.html'), 'utf8')).includes(`url=${version}/index.html`));
  t.true((await readFile(join(dir, '404.html'), 'utf8')).includes(`href="${ADDRESS}${version}/assets/site.css"`));
  t.like(JSON.parse(await readFile(join(dir, version, 'reference/openapi.json'), 'utf8')), { openapi: '3.1.0' });
});

/** Serves the site on a free port, and opens pages in a browser. Console messages are asserted at the end. */
async function served(t: ExecutionContext) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const body = await readFile(join(dir, path)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${version}`;
  return { url, browser: await startBrowser(t) };
}

const SHOWN = ['index', 'how-to/connect-an-app', 'reference/metrics', 'tutorial/first-plugin'];

browserTest(
  'documentation site: pages fit wide and narrow screens, light and dark, and axe finds nothing',
  async (t) => {
    const { url, browser } = await served(t);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
      const problems = problemsOf(page);
      for (const path of SHOWN) {
        await page.goto(`${url}/${path}.html`);
        t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${path} at ${width}`);
        t.deepEqual(await axeFindings(page), [], `${path} at ${width}, ${colorScheme}`);
      }
      await page.goto(`${url}/reference/admin-api.html`);
      t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `its tables at ${width}`);
      t.deepEqual(problems, []);
      await page.close();
    }
  },
);

browserTest(
  'documentation site: the search finds a page by the keyboard alone, under the policy of the pages',
  async (t) => {
    const { url, browser } = await served(t);
    const page = await browser.newPage();
    const problems = problemsOf(page);
    await page.goto(`${url}/how-to/webhooks.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('keyhost_http_request_seconds');
    await page.locator('#results').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reference\/metrics\.html#keyhost$/);
    await page.keyboard.press('/');
    await page.keyboard.type('語語語');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await shows(t, () => page.locator('#results').getByRole('option').count(), 0);
    t.deepEqual(problems, []);
  },
);

const TASKS = {
  'require a second factor': 'second-factor',
  'password rules': 'password-rules',
  'rotate keys': 'rotate-keys',
  'delegate administration': 'delegate-administration',
  "why can't she sign in": 'why-cant-she-sign-in',
};

browserTest('documentation site: the search finds the page of each task first', async (t) => {
  const { url, browser } = await served(t);
  const page = await browser.newPage();
  for (const [words, path] of Object.entries(TASKS)) {
    await page.goto(`${url}/index.html`);
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    await page.locator('#results').getByRole('option').first().waitFor();
    const first = page.locator('#results').getByRole('option').first();
    await shows(t, async () => /[^/]+(?=\.html)/.exec((await first.getAttribute('href')) ?? '')?.[0], path);
  }
});

browserTest(
  'documentation site: the menu of a narrow screen opens and closes, and the chosen colours stay',
  async (t) => {
    const { url, browser } = await served(t);
    const page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: 'light' });
    await page.goto(`${url}/index.html`);
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    await shows(t, () => page.locator('#menu').isVisible(), false);
    await menu.click();
    await shows(t, () => page.locator('#menu').isVisible(), true);
    await page.keyboard.press('Escape');
    await shows(t, () => page.locator('#menu').isVisible(), false);
    await menu.click();
    await page.locator('#menu').getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Events', exact: true }).waitFor();
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    t.is(await background(), 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: 'Dark mode', exact: true }).click();
    const dark = await background();
    t.not(dark, 'rgb(255, 255, 255)');
    await page.reload();
    t.is(await background(), dark);
  },
);

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  return problems;
}

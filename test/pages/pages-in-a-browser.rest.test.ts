import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { type PageApp, startPageApp } from '../helpers/page-app.js';
import { testRealm } from '../helpers/realms.js';
import { SAMPLE_NAMES, type SamplePage } from '../helpers/sample-pages.js';
import { shows } from '../helpers/shows.js';

const REALM = testRealm('demo', {
  displayName: 'Demo & Söhne',
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de', 'fr'],
  providers: {},
});

/** Line ends and NUL as a file from anywhere may have them. */
const CSS = 'h1 {\r\n color: rgb(1, 2, 3) }\r/* \0 </style> */ #kc-login { color: rgb(4, 5, 6) }';
const THEME = `import { provide, Theme } from '@keyhost/spi';
const css = ${JSON.stringify(CSS)};
export default { name: 'painted', api: 1, providers: [provide(Theme, { id: 'painted', open: () => ({ create: () => ({
  styles: async () => css,
  render: async (page) => page.page === 'error'
    ? '<!doctype html><style media="all">' + css.replace('</style>', '') + '</style><h1 style="margin: 77px">x</h1>'
      + '<script>document.title = "ran"</script>'
    : undefined,
}) }) })] };`;

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung'.repeat(2);
const LONG_PAGE: SamplePage = {
  content: {
    page: 'form',
    title: { key: LONG },
    text: { key: LONG },
    action: '/',
    fields: [{ name: 'x', label: { key: LONG }, type: 'checkbox', error: { key: LONG } }],
    submit: { key: LONG },
    cancel: { key: LONG },
  },
  extra: { message: { key: LONG, severity: 'error' } },
};

const VIEWS = [
  { name: 'wide', width: 1280, height: 800, colorScheme: 'light', locale: 'en' },
  { name: 'narrow', width: 320, height: 640, colorScheme: 'light', locale: 'de' },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark', locale: 'en' },
] as const;

/** Runs in the page: what one presses and cannot hit. A checkbox has its label around it. */
const SMALL_TARGETS = `[...document.querySelectorAll('a, button, input:not([type=hidden], [type=checkbox]), label:has(input)')]
  .filter((element) => element.checkVisibility())
  .filter((element) => element.getBoundingClientRect().height < 43.9 || element.getBoundingClientRect().width < 43.9)
  .map((element) => element.outerHTML)`;

let app: PageApp;
let browser: Browser | undefined;
const cleanups: (() => unknown)[] = [];

test.before(async (t) => {
  const scope = { teardown: (cleanup: () => unknown) => void cleanups.unshift(cleanup), log: t.log };
  app = await startPageApp(scope, {
    realms: [REALM, testRealm('painted', { loginTheme: 'painted', providers: {} })],
    samples: { long: LONG_PAGE },
    themes: { painted: THEME },
  });
  if (hasChromium) browser = await startBrowser(scope);
});
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup();
});

/** A test that needs the browser. */
function inBrowser(title: string, run: (t: ExecutionContext, browser: Browser) => Promise<void>): void {
  browserTest(title, async (t) => {
    if (browser === undefined) throw new Error('the browser did not start');
    await run(t, browser);
  });
}

/** Prevents pages from redirecting by themselves, and blocks requests to other origins. */
async function keepStill(page: Page): Promise<void> {
  await page.route(
    (url) => url.origin !== new URL(app.url).origin || /(form-post|frontchannel-logout)\.js$/.test(url.pathname),
    (route) => route.abort(),
  );
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // Runs in the page: axe is a global there.
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

inBrowser(
  'pages: every page is accessible, fits 320 pixels and breaks no rule of its own policy',
  async (t, browser) => {
    const folder = await mkdtemp(join(tmpdir(), 'keyhost-pages-'));
    t.log(`screenshots: ${folder}`);
    for (const { name: view, width, height, ...settings } of VIEWS) {
      const context = await browser.newContext({ viewport: { width, height }, ...settings });
      const page = await context.newPage();
      await keepStill(page);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      for (const name of [...SAMPLE_NAMES, 'long']) {
        await page.goto(app.address(name));
        await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
        t.deepEqual(await violations(page), [], `${name}, ${view}`);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        t.true(Number(overflow) <= 0, `${name} scrolls sideways, ${view}`);
        await shows(t, () => page.evaluate(SMALL_TARGETS), [], `${name}, ${view}`);
      }
      t.deepEqual(complaints, [], view);
      await context.close();
    }
  },
);

inBrowser(
  'pages: at twice the text size nothing is cut off, and every control shows where the focus is',
  async (t, browser) => {
    const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
    await keepStill(page);
    for (const name of SAMPLE_NAMES) {
      await page.goto(app.address(name));
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, name);
      const controls = Number(
        await page.evaluate("document.querySelectorAll('a, button, input:not([type=hidden])').length"),
      );
      for (let i = 0; i < controls; i += 1) {
        await page.keyboard.press('Tab');
        const focus = await page.evaluate(
          "document.activeElement === document.body ? 'nowhere' : getComputedStyle(document.activeElement).outlineStyle",
        );
        t.true(focus === 'solid' || focus === 'nowhere', name);
      }
    }
  },
);

inBrowser('pages: the focus is on the first field in error, else on the first empty one', async (t, browser) => {
  const page = await browser.newPage();
  const focused = [
    ['login', 'username'],
    ['login-failed', 'username'],
    ['login-again', 'password'],
    ['form', 'otp'],
  ];
  for (const [name = '', id = ''] of focused) {
    await page.goto(app.address(name));
    // Browsers set it when they draw the page, which may be after it was loaded.
    await page.waitForFunction('document.activeElement !== document.body');
    await shows(t, () => page.evaluate('document.activeElement.id'), id, name);
  }
});

inBrowser(
  'pages: a password can be shown, is a password again when it is sent, and without scripts there is no button',
  async (t, browser) => {
    const page = await browser.newPage();
    await page.goto(app.address('login'));
    await page.getByLabel('Password', { exact: true }).fill('secret');
    const type = () => page.locator('#password').getAttribute('type');
    await page.getByRole('button', { name: 'Show password', exact: true }).click();
    t.is(await type(), 'text');
    await page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())");
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    t.is(await type(), 'password');
    await shows(t, () => page.getByRole('button', { name: 'Show password', exact: true }).isVisible(), true);

    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(app.address('login'));
    await shows(t, () => plain.locator('.show-password').isVisible(), false);
  },
);

inBrowser(
  'pages: the answer goes to the application by itself, and by a button where scripts do not run',
  async (t, browser) => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled });
      await context.route('http://127.0.0.1:9999/**', (route) =>
        route.fulfill({ contentType: 'text/plain', body: 'hello' }),
      );
      const page = await context.newPage();
      const posted = page.waitForRequest('http://127.0.0.1:9999/cb');
      await page.goto(app.address('form-post'), { waitUntil: 'commit' });
      if (!javaScriptEnabled) await page.getByRole('button').click();
      const request = await posted;
      t.is(request.method(), 'POST');
      t.is(new URLSearchParams(request.postData() ?? '').get('code'), 'a"b');
      t.is(await request.headerValue('referer'), null);
      await context.close();
    }
  },
);

inBrowser('pages: applications log out in frames, and the browser goes on when they have', async (t, browser) => {
  const context = await browser.newContext();
  const asked: string[] = [];
  await context.route(/127\.0\.0\.1:999[89]/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: 'bye' });
  });
  const page = await context.newPage();
  await page.goto(app.address('frontchannel-logout'), { waitUntil: 'commit' });
  await page.waitForURL('http://127.0.0.1:9999/bye');
  t.deepEqual(asked.slice(0, 2).sort(), ['http://127.0.0.1:9998/logout', 'http://127.0.0.1:9999/logout?sid=1']);
});

inBrowser('pages: the styles of a theme apply, and its scripts and style attributes do not', async (t, browser) => {
  const page = await browser.newPage();
  const style = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  await page.goto(app.address('login', '', 'painted'));
  t.is(await style('h1', 'color'), 'rgb(1, 2, 3)');
  t.is(await style('#kc-login', 'color'), 'rgb(4, 5, 6)');
  await page.goto(app.address('error', '', 'painted'));
  t.is(await style('h1', 'color'), 'rgb(1, 2, 3)');
  t.not(await style('h1', 'marginTop'), '77px');
  t.not(await page.title(), 'ran');
});

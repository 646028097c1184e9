import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { folder, run } from '../helpers/process.js';

const HTML = { accept: 'text/html,*/*;q=0.8' };
const REALM = {
  realm: 'shop',
  enabled: true,
  displayName: 'The <b>shop</b>',
  clients: [
    {
      clientId: 'till',
      name: 'The till',
      publicClient: true,
      baseUrl: 'http://localhost:3999/till',
      redirectUris: ['http://localhost:3999/*'],
    },
    { clientId: 'own', publicClient: true, rootUrl: '${authBaseUrl}', baseUrl: '/realms/shop/own/' },
  ],
  users: [
    { username: 'tina', credentials: [{ type: 'password', value: 'tina-password' }] },
    { username: 'gone', enabled: false, credentials: [{ type: 'password', value: 'gone-password' }] },
  ],
};

test('welcome page: in development it leads to realms, their accounts, users and applications', async (t) => {
  const host = await startHost(t, { realms: [REALM], plugins: [] });
  const page = await fetchAnswer(`${host.url}/`, { headers: HTML });
  t.is(page.status, 200);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  t.notRegex(page.headers.get('content-security-policy') ?? '', /unsafe-inline|script-src/);
  t.notRegex(page.text, /<script|<b>shop|shop\/own|gone-password/);
  for (const part of [
    'The &lt;b&gt;shop&lt;/b&gt; (shop)',
    `href="${host.url}/realms/shop/account"`,
    'href="http://localhost:3999/till"',
    '<code>tina</code> / <code>tina-password</code>',
    `href="${host.url}/admin/openapi.json"`,
    `href="${host.managementUrl}/health"`,
    'Sign in to the admin console',
    '<code>npx keyhost console</code>',
  ])
    t.true(page.text.includes(part), part);
  for (const link of [...page.text.matchAll(/href="(http:\/\/127[^"]+)"/g)].map(([, url = '']) => url)) {
    t.true((await fetchAnswer(link, { headers: HTML })).status < 400, link);
  }
});

test('welcome page: programs get it as JSON, with the host name of the request', async (t) => {
  const host = await startHost(t, { realms: [REALM], plugins: [] });
  const base = host.url.replace('127.0.0.1', 'localhost');
  const { status, headers, json } = await fetchAnswer(`${base}/`, { headers: { accept: 'application/json' } });
  t.is(status, 200);
  t.is(headers.get('content-type'), 'application/json');
  t.like(json, {
    realms: [
      {
        name: 'shop',
        account: `${base}/realms/shop/account`,
        users: [{ username: 'tina', password: 'tina-password' }],
        applications: [{ name: 'The till', url: 'http://localhost:3999/till' }],
      },
    ],
    admin: `${base}/admin/realms`,
  });
});

test('welcome page: it names users to the machine itself alone, called by a loopback name', async (t) => {
  const host = await startHost(t, { realms: [REALM], plugins: [], argv: ['--proxy-headers', 'xforwarded'] });
  const ask = (headers: Record<string, string>) => fetchAnswer(`${host.url}/`, { headers: { ...HTML, ...headers } });
  t.true((await ask({})).text.includes('tina-password'));
  const away = await ask({ 'x-forwarded-for': '192.168.0.9' });
  t.true(away.text.includes('/realms/shop/account'));
  t.notRegex(away.text, /tina|keyhost console/);
});

test('welcome page: in production it names neither realms nor users nor versions', async (t) => {
  const argv = ['--hostname', 'https://id.example.test/auth', '--http-enabled', '--http-relative-path', '/auth'];
  const host = await startHost(t, { realms: [REALM], plugins: [], mode: 'start', argv });
  const page = await fetchAnswer(`${host.url}/`, { headers: HTML });
  t.is(page.status, 200);
  t.notRegex(page.text, /shop|tina|master|Version|openapi|9000/);
  t.true(page.text.includes('identity server'));
  const { json } = await fetchAnswer(`${host.url}/`, { headers: { accept: 'application/json' } });
  t.deepEqual(Object.keys(json), ['description']);
  const admin = await fetchAnswer(`${host.url}/admin`, { headers: HTML });
  t.deepEqual([admin.status, admin.headers.get('location')], [302, '/auth/admin/desk/']);
});

test('welcome page: it lists 30 enabled realms, counts the others, and leaves out disabled ones', async (t) => {
  const realms = Array.from({ length: 42 }, (_, index) => ({
    realm: `r${String(index).padStart(2, '0')}`,
    enabled: index >= 10,
  }));
  const host = await startHost(t, { realms, plugins: [] });
  const { json } = await fetchAnswer(`${host.url}/`, { headers: { accept: 'application/json' } });
  const { realms: listed, moreRealms } = json as unknown as { realms: { name: string }[]; moreRealms: number };
  t.deepEqual(
    listed.map(({ name }) => name),
    realms.slice(10, 40).map(({ realm }) => realm),
  );
  t.is(moreRealms, 2);
});

test('welcome page: it is at / alone, and the API keeps its paths', async (t) => {
  const host = await startHost(t, { realms: [REALM], plugins: [] });
  t.is((await fetchAnswer(`${host.url}/admin/realms`)).status, 401);
  t.is((await fetchAnswer(`${host.url}/`, { method: 'POST' })).status, 404);
  t.is((await fetchAnswer(`${host.url}/`, { method: 'HEAD' })).status, 200);
});

test('welcome page: a development start prints the page and a user, and in a log no password, before the line that programs read', async (t) => {
  const host = await run(t, await folder(t, [REALM]), ['start-dev']);
  const port = new URL(host.url ?? '').port;
  t.regex(
    host.output(),
    new RegExp(
      `\\n {2}Page {6}http://localhost:${port}/\\n {2}Account {3}http://localhost:${port}/realms/shop/account\\n {2}User {6}tina\\n {2}Password {2}shown on the page\\n {2}Console {3}http://localhost:${port}/admin/\\n {2}Admin {5}npx keyhost console opens the admin console, signed in\\n\\nKeyhost ready http=http://127.0.0.1:${port} `,
    ),
  );
  t.notRegex(host.output(), /built in/);
});

browserTest('welcome page: it fits a narrow and a wide screen, and violates no rule of its policy', async (t) => {
  const host = await startHost(t, { realms: [REALM], plugins: [] });
  const browser = await startBrowser(t);
  const pictures = await mkdtemp(join(tmpdir(), 'keyhost-welcome-'));
  t.log(`screenshots: ${pictures}`);
  for (const [width, colorScheme] of [
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${host.url}/`);
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${width} px`);
    t.deepEqual(complaints, []);
    const path = join(pictures, `${width}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true });
    await page.getByRole('link', { name: 'Sign in to the account page', exact: true }).click();
    await page.locator('#kc-form-login').waitFor();
    await context.close();
  }
});

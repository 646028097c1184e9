import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { ClientRepresentation } from '../../core/model/representation.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { startHost, type TestHostOptions } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const about = { logoUri: '/logo.png?v=2', policyUri: 'https://app.example.test/privacy', tosUri: '/terms' };

/** A host with one client that requires consent and has this presentation. */
async function startWith(
  t: ExecutionContext,
  client: Partial<ClientRepresentation>,
  { argv, mode }: Pick<TestHostOptions, 'argv' | 'mode'> = {},
) {
  const realm = testRealm('demo', { internationalizationEnabled: true, supportedLocales: ['en', 'de'], providers: {} });
  const gazette = {
    clientId: 'gazette',
    publicClient: true,
    consentRequired: true,
    redirectUris: [CALLBACK],
    ...client,
  };
  const options = { ...(argv === undefined ? {} : { argv }), ...(mode === undefined ? {} : { mode }) };
  const host = await startHost(t, { realms: [{ ...realm, clients: [...(realm.clients ?? []), gazette] }], ...options });
  const request = (changes: Record<string, string> = {}) => codeRequest(host, { client_id: 'gazette', ...changes }).url;
  return { host, request };
}

const policyOf = ({ headers }: { headers: Headers }) =>
  /img-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];

test('client presentation: login and consent show the logo, consent links to policy and terms, and nothing else may be loaded', async (t) => {
  const rootUrl = 'https://cdn.example.test';
  const { host, request } = await startWith(t, { name: 'The <i>Gazette</i>', rootUrl, attributes: about });
  const browser = new Browser();
  const login = await browser.open(request());
  const consent = await signIn(browser, request());
  for (const page of [login, consent]) {
    t.is(page.status, 200);
    t.is(policyOf(page), "'self' data: https://cdn.example.test/logo.png");
    t.regex(
      page.text,
      /<img [^>]*src="https:\/\/cdn\.example\.test\/logo\.png\?v=2" alt="" referrerpolicy="no-referrer">/,
    );
  }
  t.regex(login.text, /to continue to The &lt;i&gt;Gazette&lt;\/i&gt;/);
  t.notRegex(login.text, /terms/);
  const links =
    /<a id="kc-client-tos" href="https:\/\/cdn\.example\.test\/terms" target="_blank" rel="noopener noreferrer">Terms of service<\/a>.*<a id="kc-client-policy" href="https:\/\/app\.example\.test\/privacy" target="_blank" rel="noopener noreferrer">Privacy policy<\/a>/;
  t.regex(consent.text, links);
  t.regex(consent.text, /by learning how The &lt;i&gt;Gazette&lt;\/i&gt; will handle your data/);
  const german = await signIn(new Browser(), request({ ui_locales: 'de' }));
  t.regex(german.text, />Nutzungsbedingungen<\/a>.*>Datenschutzerklärung<\/a>/);
  const plain = await new Browser().open(codeRequest(host).url);
  t.is(policyOf(plain), "'self' data:");
  t.notRegex(plain.text, /<img/);
});

test('client presentation: error pages lead back to the application and name the wrong parameter to developers alone; the event always does', async (t) => {
  const wrong = { redirect_uri: 'https://evil.test/<b>', ui_locales: 'en' };
  const production = { mode: 'start', argv: ['--http-enabled', '--hostname', 'http://127.0.0.1:8080'] } as const;
  const cases = [
    [{}, { baseUrl: 'https://app.example.test/home' }, 'https://app.example.test/home', true],
    [production, { rootUrl: 'https://app.example.test' }, 'https://app.example.test', false],
  ] as const;
  for (const [options, client, address, told] of cases) {
    const { host, request } = await startWith(t, client, options);
    const page = await new Browser().open(request(wrong));
    t.is(page.status, 400);
    t.regex(page.text, /kc-error-message">The application sent an invalid request\./);
    t.true(page.text.includes(`id="backToApplication" href="${address}"`), page.text);
    t.is(page.text.includes('For developers: Invalid parameter: redirect_uri'), told);
    t.is(page.text.includes('<br><code>https://evil.test/&lt;b&gt;</code></p>'), told);
    t.is(page.text.replace(/<footer[\s\S]*/, '').includes('evil.test'), told);
    t.is(/redirect_uri/.test(page.text.replace(/<footer[\s\S]*/, '')), told);
    t.is((await host.stored('demo')).at(-1)?.details.reason, 'Invalid parameter: redirect_uri');
  }
});

test('client presentation: plain http is for trying things out: neither production nor a host with https shows it', async (t) => {
  const attributes = {
    logoUri: 'http://cdn.example.test/logo.png',
    policyUri: 'http://app.example.test/privacy',
    tosUri: 'https://app.example.test/terms',
  };
  const shown = async (options: Pick<TestHostOptions, 'argv' | 'mode'>) => {
    const { request } = await startWith(t, { attributes }, options);
    const page = await signIn(new Browser(), request());
    t.is(page.status, 200, page.text);
    return [policyOf(page), /logo\.png/.test(page.text), /\/privacy"/.test(page.text), /\/terms"/.test(page.text)];
  };
  t.deepEqual(await shown({}), ["'self' data: http://cdn.example.test/logo.png", true, true, true]);
  const strict = ["'self' data:", false, false, true];
  const start = ['--http-enabled', '--hostname', 'http://127.0.0.1:8080'];
  t.deepEqual(await shown({ mode: 'start', argv: start }), strict);
  t.deepEqual(await shown({ argv: ['--hostname', 'https://id.example.test'] }), strict);
});

browserTest(
  'client presentation: a browser loads the logo alone of its host, and a page without it is whole',
  async (t) => {
    const browser = await startBrowser(t);
    const asked: string[] = [];
    const image =
      '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><rect width="240" height="80" rx="12" fill="#0a7"/><text x="24" y="54" font-family="sans-serif" font-size="40" fill="#fff">Gazette</text></svg>';
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const found = request.url === '/logo.svg';
      response.writeHead(found ? 200 : 404, { 'content-type': 'image/svg+xml' }).end(found ? image : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [path, width] of [
      ['/logo.svg', 192],
      ['/gone.svg', 0],
    ] as const) {
      const { request } = await startWith(t, { name: 'The Gazette', attributes: { ...about, logoUri: origin + path } });
      const page = await browser.newPage();
      await page.goto(request());
      await page.waitForLoadState('load');
      t.is(Math.round((await page.locator('#kc-client-logo').boundingBox())?.width ?? 0), width, path);
      await page.evaluate(`new Promise((done) => {
      const other = new Image();
      other.onerror = done;
      other.src = '${origin}/other.svg';
    })`);
      await page.locator('#username').fill('alice');
      await page.close();
    }
    t.deepEqual(asked, ['/logo.svg', '/gone.svg']);
  },
);

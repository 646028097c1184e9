import test, { type ExecutionContext } from 'ava';
import type { BrowserContext } from 'playwright-core';
import { administered } from '../helpers/admin.js';
import { openAdminConsole, signIn } from '../helpers/admin-console.js';
import { answering, answeringPlugin } from '../helpers/answering-plugin.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const PKCE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const NAMES = ['plain', 'apart'];
const [first, second] = NAMES.map(answering);
const providers = {
  'realm-restapi-extension': { ...first?.['realm-restapi-extension'], ...second?.['realm-restapi-extension'] },
  'action-token-handler': { ...first?.['action-token-handler'], ...second?.['action-token-handler'] },
};
const host = shareHost(
  test,
  administered({
    realms: [testRealm('demo', { providers }), testRealm('themed', { providers, loginTheme: 'plain' })],
    plugins: [{ module: 'plain' }, { module: 'apart', isolation: 'worker' }],
    packages: {
      ...Object.fromEntries(NAMES.map((name) => [name, answeringPlugin(name)])),
      'keycloak-console': {
        'package.json': '{ "name": "keycloak-console", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
        'dist/index.html': '<script src="./assets/index.js"></script>',
        'dist/assets/index.js': 'document.title = "ran"',
      },
    },
  }),
);

/** The URL of a plugin's document, with a script that an attacker has put into it. */
function address({ realm }: TestHost, parameters: Record<string, string>, name = 'plain'): string {
  return `${realm('demo')}/${name}/document?${new URLSearchParams(parameters)}`;
}

/**
 * A script that would work in the admin console's origin: silently requests an authorization code of the admin console,
 * in every way that a URL can be read back, and writes what it found into the title.
 */
const THIEF = (base: string) => `
const found = [];
const ask = '${base}/realms/master/protocol/openid-connect/auth?' + new URLSearchParams({
  client_id: 'keyhost-desk', redirect_uri: '${base}/admin/desk/', response_type: 'code', scope: 'openid', prompt: 'none', state: 'thief',
  ...${JSON.stringify(PKCE)} });
const note = (way, text) => { if (/code=/.test(text)) found.push(way); };
const tries = {
  fetch: async () => note('fetch', (await fetch(ask, { credentials: 'include' })).url),
  xhr: () => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.withCredentials = true;
    request.onloadend = () => resolve(note('xhr', request.responseURL));
    request.open('GET', ask);
    request.send();
  }),
  frame: () => new Promise((resolve) => {
    const frame = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
    const read = () => { try { note('frame', frame.contentWindow.location.href); } catch {} resolve(); };
    frame.onload = read;
    frame.onerror = read;
    frame.src = ask;
    document.documentElement.append(frame);
  }),
  channel: async () => { new BroadcastChannel('keyhost.desk.sign-in').onmessage = ({ data }) => note('channel', String(data)); },
  storage: async () => { localStorage.setItem('thief', '1'); found.push('storage'); },
  cookie: async () => { document.cookie = 'KEYCLOAK_IDENTITY=x'; found.push('cookie'); },
  worker: async () => { await navigator.serviceWorker.register('${base}/realms/demo/plain/document?type=text/javascript'); found.push('worker'); },
  blank: async () => {
    const blank = open('about:blank');
    note('blank', (await blank.fetch(ask, { credentials: 'include' })).url);
  },
  frameOfText: () => new Promise((resolve) => {
    const frame = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
    globalThis.addEventListener('message', ({ data }) => { note('frameOfText', String(data)); resolve(); }, { once: true });
    frame.srcdoc = '<script>fetch("' + ask.replaceAll('&', '&amp;') + '", { credentials: "include" }).then((a) => parent.postMessage(a.url, "*"), () => parent.postMessage("no", "*"))</' + 'script>';
    document.documentElement.append(frame);
  }),
};
(async () => {
  for (const run of Object.values(tries)) { try { await run(); } catch {} }
  globalThis.tell({ origin: globalThis.origin, found });
})();
`;

async function signedIn(t: ExecutionContext): Promise<BrowserContext> {
  const { page, context } = await openAdminConsole(t, { host: host(), browser: await startBrowser(t) });
  await signIn(page);
  return context;
}

/** The result that the script of a document reports. */
async function stolenBy(context: BrowserContext, url: string): Promise<{ origin: string; found: string[] }> {
  const page = await context.newPage();
  const told = new Promise<{ origin: string; found: string[] }>((resolve) => {
    void page.exposeFunction('tell', resolve).then(() => page.goto(url));
  });
  const stolen = await told;
  await page.close();
  return stolen;
}

browserTest(
  'T500 · documents of plugins: a script in a document of a plugin reads no code of the admin console, whatever the document is',
  async (t) => {
    const context = await signedIn(t);
    const script = THIEF(host().publicUrl);
    const cdata = `<![CDATA[${script}]]>`;
    const documents: Record<string, string> = {
      'text/html': `<!doctype html><title>x</title><body><script>${script}</script>`,
      'application/xhtml+xml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${cdata}</script></body></html>`,
      'image/svg+xml': `<svg xmlns="http://www.w3.org/2000/svg"><script>${cdata}</script></svg>`,
      'text/xml': `<x><script xmlns="http://www.w3.org/1999/xhtml">${cdata}</script></x>`,
    };
    for (const name of NAMES) {
      for (const [type, text] of Object.entries(documents)) {
        const stolen = await stolenBy(context, address(host(), { type, text }, name));
        t.deepEqual(stolen, { origin: 'null', found: [] }, `${name} ${type}`);
      }
    }
  },
);

browserTest(
  'T501 · documents of plugins: a policy of the plugin makes its documents stricter, and relaxes none of the host’s',
  async (t) => {
    const context = await signedIn(t);
    const text = `<!doctype html><title>x</title><script>${THIEF(host().publicUrl)}</script>`;
    for (const policy of [
      'sandbox allow-same-origin allow-scripts allow-top-navigation',
      "default-src * 'unsafe-inline'",
      "script-src 'unsafe-inline', sandbox allow-same-origin allow-scripts",
    ]) {
      const stolen = await stolenBy(context, address(host(), { type: 'text/html', policy, text }));
      t.deepEqual(stolen, { origin: 'null', found: [] }, policy);
    }
    const page = await context.newPage();
    await page.goto(address(host(), { type: 'text/html', policy: "script-src 'none'", text }));
    await shows(t, () => page.evaluate('typeof stolen'), 'undefined', 'what it forbids itself is forbidden');
  },
);

test('T501 · documents of plugins: every body of a plugin is sandboxed, also one without a type or with one that is broken; a PDF is not', async (t) => {
  const policyOf = async (type: string) => {
    const { headers } = await fetchAnswer(
      address(host(), { ...(type !== '' && { type }), text: '<script>1</script>' }),
    );
    t.is(headers.get('x-content-type-options'), 'nosniff');
    return headers.get('content-security-policy');
  };
  for (const type of [
    '',
    'text/html',
    'TEXT/HTML; charset=utf-7',
    'application/xhtml+xml',
    'image/svg+xml',
    'application/xml',
    'text/plain',
    'application/atom+xml',
    'text/xsl',
    'multipart/x-mixed-replace; boundary=a',
    'message/rfc822',
    'nonsense',
    'text/',
    'application/pdf, text/html',
    'application/pdf;text/html',
    'text/html, application/pdf',
    'application/pdf; a=b',
  ])
    t.regex((await policyOf(type)) ?? '', /^sandbox (?!.*(same-origin|top-navigation))/, type);
  t.is(await policyOf('application/pdf'), null);
});

browserTest(
  'T500 · documents of plugins: a document of a plugin still runs its scripts, sends its forms, opens pages and offers files',
  async (t) => {
    const context = await (await startBrowser(t)).newContext();
    const page = await context.newPage();
    const open = (text: string) => page.goto(address(host(), { type: 'text/html', text }));
    const next = address(host(), { type: 'text/html', text: '<title>next</title>' });
    await open('<title>x</title><script>document.title = "ran"</script>');
    t.is(await page.title(), 'ran');
    await open(
      `<form action="${host().realm('demo')}/plain/document"><input name="text" value="sent"><input name="type" value="text/plain"><button>go`,
    );
    await page.getByRole('button').click();
    await page.getByText('sent').waitFor();
    await open(`<a target="_blank" href="${next.replaceAll('&', '&amp;')}">go`);
    const [opened] = await Promise.all([context.waitForEvent('page'), page.getByRole('link').click()]);
    await opened.waitForLoadState();
    t.is(await opened.title(), 'next');
    await open('<a download="a.txt" href="data:text/plain,a">go');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link').click()]);
    t.is(file.suggestedFilename(), 'a.txt');
  },
);

browserTest(
  'T502 · documents of plugins: pages of the host’s origin run no program of a plugin, even if a theme’s document names one',
  async (t) => {
    const context = await (await startBrowser(t)).newContext();
    const page = await context.newPage();
    const refused = page.waitForEvent('console', {
      predicate: (message) => /Content Security Policy/.test(message.text()),
      timeout: 60_000,
    });
    const request = { client_id: 'web', response_type: 'code', redirect_uri: 'http://127.0.0.1:9999/cb', ...PKCE };
    await page.goto(`${host().oidc('themed')}/auth?${new URLSearchParams(request)}`);
    await page.getByText('theme').waitFor();
    await refused;
    t.is(await page.title(), 'theme');
    const program = address(host(), { type: 'text/javascript', text: 'onfetch = null' });
    const asked = await fetchAnswer(program, {
      headers: { 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-origin' },
    });
    t.is(asked.status, 403);
    const worker = await fetchAnswer(program, { headers: { 'service-worker': 'script' } });
    t.is(worker.status, 403);
    t.is(
      (await fetchAnswer(program, { headers: { 'sec-fetch-dest': 'script', 'sec-fetch-site': 'cross-site' } })).status,
      200,
    );
  },
);

test('T508 · documents of plugins: a plugin with the package name of Keycloak’s console does not replace it', async (t) => {
  const page = await fetchAnswer(`${host().url}/admin/demo/console/`);
  t.deepEqual([page.status, page.headers.get('location')], [302, '/admin/desk/?realm=demo']);
  t.is((await fetchAnswer(`${host().url}/resources/keycloak-console/assets/index.js`)).status, 404);
  t.true(host().log.some(({ level, message }) => level === 'warn' && message.startsWith('no console is served')));
});

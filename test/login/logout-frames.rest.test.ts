import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { partOf } from '../helpers/forge.js';
import { Browser, CALLBACK } from '../helpers/form-browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { logInByBrowser, logoutUrl } from '../helpers/logout.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

/** An application: every path shows a page that frames the URL after `#`, and posts and collects messages. */
const APP = `<!doctype html><title>app</title><script>
const frame = (src) => new Promise((resolve) => {
  const element = document.createElement('iframe');
  element.onload = () => resolve(element);
  element.src = src;
  document.documentElement.append(element);
});
const answer = async (run) => {
  const answered = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
  const none = new Promise((resolve) => setTimeout(resolve, 5_000, 'none'));
  await run();
  return Promise.race([answered, none]);
};
const ask = (element, text) => answer(() => element.contentWindow.postMessage(text, '*'));
</script>`;
const app = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(APP));
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
test.after.always(() => {
  app.close();
  app.closeAllConnections();
});
const ORIGIN = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

const realm = testRealm('demo');
const clients = (realm.clients ?? []).map((client) =>
  client.clientId === 'web' ? { ...client, redirectUris: [CALLBACK, `${ORIGIN}/cb`] } : client,
);
const host = shareHost(test, { realms: [{ ...realm, clients }] });
const address = (path: string, at: TestHost = host()) => `${at.oidc('demo')}/${path}`;

test('session frames: they are scripts of the host alone, framed by the web origins of the realm alone', async (t) => {
  for (const path of ['login-status-iframe.html', '3p-cookies/step1.html', '3p-cookies/step2.html']) {
    const page = await fetchAnswer(address(path));
    t.is(page.status, 200);
    t.is(page.headers.get('x-frame-options'), null);
    const policy = page.headers.get('content-security-policy') ?? '';
    t.regex(
      policy,
      /^default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; /,
    );
    t.true(policy.includes(`frame-ancestors 'self' http://127.0.0.1:9999 ${ORIGIN} http://127.0.0.1:9998`), policy);
    t.notRegex(page.text, /<script>|onload=/);
    const script = /src="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const answer = await fetchAnswer(new URL(script, host().url).href);
    t.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
  }
});

test('session frames: init knows the origins of each client, and compares a session if requested', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const ask = (parameters: Record<string, string>, by = browser) =>
    by.open(`${address('login-status-iframe.html/init')}?${new URLSearchParams(parameters)}`);
  const own = new URL(host().url).origin;
  for (const origin of [ORIGIN, own]) t.is((await ask({ client_id: 'web', origin })).status, 204);
  const refused = [
    { client_id: 'web', origin: 'https://evil.test' },
    { client_id: 'web', origin: 'null' },
    { client_id: 'spa', origin: ORIGIN },
    { client_id: 'nobody', origin: ORIGIN },
    { client_id: 'app-disabled', origin: own },
    { client_id: 'web' },
    {},
  ] as Record<string, string>[];
  const session = String(partOf(tokens.id_token, 1).sid);
  for (const parameters of refused) {
    const answer = await ask({ ...parameters, session_state: session });
    t.deepEqual([answer.status, answer.text], [403, ''], JSON.stringify(parameters));
  }
  const compare = async (session_state: string, by = browser) =>
    (await ask({ client_id: 'web', origin: ORIGIN, session_state }, by)).text;
  t.is(await compare(session), 'unchanged');
  t.is(await compare('another'), 'changed');
  t.is(await compare(session, new Browser()), 'changed');
  await browser.open(logoutUrl(host(), { id_token_hint: tokens.id_token }));
  t.is(await compare(session), 'changed');
});

browserTest('session frames: in a real browser the frames answer as keycloak-js expects', async (t) => {
  const chromium = await startBrowser(t);
  const { browser, tokens } = await logInByBrowser(host());
  const session = String(partOf(tokens.id_token, 1).sid);
  const context = await chromium.newContext();
  const cookie = browser.cookies.get('KEYCLOAK_SESSION') ?? '';
  const path = '/realms/demo/';
  await context.addCookies([{ name: 'KEYCLOAK_SESSION', value: cookie, domain: '127.0.0.1', path, sameSite: 'Lax' }]);
  const page = await context.newPage();
  await page.goto(ORIGIN);
  const step1 = JSON.stringify(address('3p-cookies/step1.html'));
  await shows(t, () => page.evaluate(`answer(() => frame(${step1}))`), 'supported');
  await page.evaluate(
    `frame(${JSON.stringify(address('login-status-iframe.html'))}).then((made) => { statusFrame = made; })`,
  );
  const ask = (text: string) => page.evaluate(`ask(statusFrame, ${JSON.stringify(text)})`);
  t.is(await ask(`web ${session}`), 'unchanged');
  t.is(await ask('web another'), 'changed');
  t.is(await ask('web '), 'changed');
  t.is(await ask(`spa ${session}`), 'error', 'the origin is not of this client');
  await context.clearCookies();
  t.is(await ask(`web ${session}`), 'changed');
  t.is(await ask('web '), 'unchanged', 'nobody is logged in, and the application knows it');
  await context.addCookies([{ name: 'KEYCLOAK_SESSION', value: cookie, domain: '127.0.0.1', path, sameSite: 'Lax' }]);
  for (const framed of page.frames().slice(1))
    await framed.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined })");
  t.is(await ask(`web ${session}`), 'unchanged', 'the host compares');
  t.is(await ask('web another'), 'changed', 'the host compares');
});

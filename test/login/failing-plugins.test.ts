import test, { type ExecutionContext } from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, follow, formAction } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { rawRequest } from '../helpers/raw.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { shareHost } from '../helpers/shared-host.js';

/** How each method of a plugin fails, by the value in its configuration. */
const HOW = `import { ActionTokenHandler, Authenticator, HostError, provide, RealmResourceProvider, RequiredAction, Theme } from '@keyhost/spi';
const fail = async (how) => {
  if (how === 'hang') return new Promise(() => {});
  if (how === 'refuse') throw new HostError('no_more', 'Not <b>today</b>', { status: 401, expose: true });
  throw new Error('secret of the plugin');
};
const page = { outcome: 'challenge', page: { page: 'form', title: { key: 'Here' }, fields: [], submit: { key: 'doSubmit' } } };
const away = ({ returnTo }) => ({ outcome: 'redirect', to: 'https://there.test/?' + new URLSearchParams({ state: returnTo?.state ?? '' }) });
const step = (id, methods) => provide(Authenticator, { id, describe: { displayName: id, proves: true }, open: () => ({ create: () => ({ authenticate: async () => page, ...methods }) }) });
const action = (id, methods) => provide(RequiredAction, { id, displayText: id, open: () => ({ create: () =>
  ({ triggered: async () => true, challenge: async () => page, action: async () => ({ outcome: 'success' }), ...methods }) }) });
const link = (id, methods) => provide(ActionTokenHandler, { id, eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'invalid_token', defaultMessage: 'expiredActionTokenNoSessionMessage', open: () => ({ create: () => ({ handle: async () => ({ status: 204 }), ...methods }) }) });
`;
const FAILING = `${HOW}export default { name: 'failing', api: 1, providers: [
  step('throws', { authenticate: () => fail() }), step('throws-then', { action: () => fail() }),
  step('returns', { authenticate: async (context) => away(context), returned: () => fail() }),
  action('at-once', { challenge: () => fail() }), action('then', { action: () => fail() }), action('trigger', { triggered: () => fail() }),
  link('verifies', { verify: () => fail() }), link('handles', { handle: () => fail() }),
  link('refuses', { handle: () => fail('refuse') }), link('asks', { confirm: () => fail('refuse') }),
  provide(RealmResourceProvider, { id: 'links', routes: { issue: { method: 'GET', path: '/{type}/{user}' } }, open: () => ({ create: ({ actionTokens, users }) => ({
    issue: async ({ params }) => ({ body: (await actionTokens.issue({ type: params.type, userId: (await users.byUsername(params.user)).id, expiresIn: 60 })).link }) }) }) }),
  provide(Theme, { id: 'broken', open: () => ({ create: () => ({ render: () => fail() }) }) }),
] };`;

/** Only has methods that never resolve. */
const LATE = `${HOW}export default { name: 'late', api: 1, providers: [
  step('hangs', { authenticate: () => fail('hang') }), link('waits', { handle: () => fail('hang') }),
] };`;

const GERMAN = {
  displayName: 'Die Firma',
  internationalizationEnabled: true,
  supportedLocales: ['de'],
  defaultLocale: 'de',
};
const asked = (alias: string) => ({ alias, providerId: alias, name: alias, enabled: true });
const REALMS = [
  ...['throws', 'hangs', 'throws-then', 'returns'].map((id) => codeRealm(id, { ...flowWith(id), ...GERMAN })),
  ...['at-once', 'then', 'trigger'].map((id) =>
    codeRealm(id, { providers: {}, ...GERMAN, requiredActions: [asked(id)] }),
  ),
  codeRealm('demo', {
    providers: {
      'realm-restapi-extension': { links: { enabled: true } },
      'action-token-handler': Object.fromEntries(
        ['verifies', 'handles', 'waits', 'refuses', 'asks'].map((id) => [id, { enabled: true }]),
      ),
    },
    ...GERMAN,
    loginTheme: 'broken',
  }),
];

const host = shareHost(
  test,
  {
    realms: REALMS,
    plugins: [{ module: 'failing' }, { module: 'late', limits: { callTimeout: 1 } }],
    packages: { failing: FAILING, late: LATE },
  },
  /secret of the plugin|provider_timeout|no_more/,
);

/** The `Accept` header of every browser on navigation, also over plain HTTP. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** A browser's request over plain HTTP, without headers that indicate a navigation. */
function send(browser: Browser, url: string, form?: Record<string, string>, accept = BROWSER): Promise<string> {
  const { host: name, pathname, search } = new URL(url);
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const body = form === undefined ? '' : `${new URLSearchParams(form)}`;
  const lines = [`Host: ${name}`, `Accept: ${accept}`, `Cookie: ${cookie}`, 'Connection: close'];
  const ofBody = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
  const first = `${form === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`;
  return rawRequest(host().url, [first, ...lines, ...ofBody, '', body].join('\r\n'));
}

const FAULT = /kc-error-message">Es ist ein interner Serverfehler aufgetreten/;

function isPage(t: ExecutionContext, answer: string, status: number, what: string, text = FAULT): void {
  t.regex(answer, new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*content-type: text/html`, 'i'), `${what}: ${answer}`);
  t.regex(answer, text, what);
  t.regex(answer, /<html lang="de"[\s\S]*Die Firma/, what);
  t.notRegex(answer, /secret of|failing|at file|<b>today/, what);
}

function isJson(t: ExecutionContext, answer: string, status: number, what: string): void {
  t.regex(answer, new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*content-type: application/json`, 'i'), `${what}: ${answer}`);
  t.notRegex(answer, /secret of|failing|at file/, what);
}

test('failing plugins: a step that throws or is late gives a browser a page in its language, and a program JSON', async (t) => {
  for (const [realm, status] of [
    ['throws', 500],
    ['hangs', 504],
  ] as const) {
    const { url } = codeRequest(host(), {}, realm);
    isPage(t, await send(new Browser(), url), status, realm);
    isJson(t, await send(new Browser(), url, undefined, 'application/json'), status, realm);
  }
  const typing = new Browser();
  const page = await typing.open(codeRequest(host(), {}, 'throws-then').url);
  isPage(t, await send(typing, formAction(page), {}), 500, 'throws-then');
  isJson(t, await send(typing, formAction(page), {}, 'text/html, */*; q=.2'), 500, 'as a library of programs asks');
  const browser = new Browser();
  const away = await browser.open(codeRequest(host(), {}, 'returns').url);
  const state = away.location?.searchParams.get('state') ?? '';
  isPage(t, await send(browser, `${host().realm('returns')}/login-actions/return`, { state }), 500, 'returned');
});

test('failing plugins: a failing required action gives a browser a page in its language', async (t) => {
  for (const realm of ['at-once', 'then', 'trigger']) {
    const browser = new Browser();
    const page = await browser.open(codeRequest(host(), {}, realm).url);
    const login = { username: 'alice', password: 'Alice-pass-1!' };
    if (realm !== 'then') {
      isPage(t, await send(browser, formAction(page), login), 500, realm);
      continue;
    }
    const next = await follow(browser, await browser.submit(page, login));
    isPage(t, await send(browser, formAction(next), {}), 500, realm);
  }
});

test('failing plugins: a failing or refusing link handler gives a browser a page in its language', async (t) => {
  const cases: [type: string, status: number, text?: RegExp][] = [
    ['verifies', 500],
    ['handles', 500],
    ['waits', 504],
    ['refuses', 401, /kc-error-message">Not &lt;b&gt;today/],
    ['asks', 401, /kc-error-message">Not &lt;b&gt;today/],
  ];
  for (const [type, status, text] of cases) {
    const issued = await fetchAnswer(`${host().realm('demo')}/links/${type}/alice`);
    t.is(issued.status, 200, issued.text);
    isPage(t, await send(new Browser(), issued.text.replaceAll('"', '')), status, type, text);
    const again = await fetchAnswer(`${host().realm('demo')}/links/${type}/alice`);
    isJson(t, await send(new Browser(), again.text.replaceAll('"', ''), undefined, 'application/json'), status, type);
  }
});

test('failing plugins: a failing theme gives a browser the host’s page', async (t) => {
  const answer = await send(new Browser(), codeRequest(host()).url);
  t.regex(answer, /^HTTP\/1.1 200 [\s\S]*<html lang="de"[\s\S]*Die Firma/);
  t.notRegex(answer, /secret of/);
});

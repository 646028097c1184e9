import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { BooksClient } from '../helpers/books.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { basic, bearer, NL, serviceToken, WEB2 } from '../helpers/login.js';
import { ALICE, guardedRealm, testRealm } from '../helpers/realms.js';

const PLUGINS = fileURLToPath(new URL('../../../test/fixtures/plugins', import.meta.url));
const NOW = Date.UTC(2030, 0, 1);

type Observations = Record<string, unknown>;

/**
 * Runs the same steps with the plugins in the process and in workers, and compares the results.
 * @returns the result that both have in common
 */
async function compareIsolationModes(
  t: ExecutionContext,
  observe: (isolation: string) => Promise<Observations>,
): Promise<Observations> {
  const inProcess = await observe('none');
  const inWorker = await observe('worker');
  t.deepEqual(inWorker, inProcess);
  return inWorker;
}

async function answer(url: string, init?: RequestInit): Promise<unknown[]> {
  const { status, headers, text } = await fetchAnswer(url, init);
  return [status, headers.get('content-type'), headers.get('cache-control'), headers.get('retry-after'), text];
}

test('isolation modes: the newsletter and its handler: a back-end requests, the link brings a token once, refusals are the same', async (t) => {
  const observed = await compareIsolationModes(t, async (isolation) => {
    const plugins = ['newsletter', 'external-app-notification'].map((name) => ({
      module: `@keyhost/${name}`,
      isolation,
    }));
    const host = await startHost(t, { realms: [guardedRealm('demo', { singleUse: true })], plugins });
    const generate = (headers: Record<string, string>, changes = {}) =>
      fetchAnswer(`${host.realm('demo')}/newsletter/generate-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ userId: ALICE, applicationId: '42', ...changes }),
      });
    const nl = basic(NL.client_id, NL.client_secret);
    const refusals = await Promise.all([
      generate({}),
      generate(basic('nl', 'wrong')),
      generate(bearer(await serviceToken(host))),
      generate(nl, { userId: 'nobody' }),
      generate(nl, { applicationId: '1 openid' }),
    ]);
    const { status, json } = await generate(nl);
    const followed = await Promise.all(Array.from({ length: 10 }, () => fetchAnswer(json.link ?? '')));
    const good = followed.filter((each) => each.status === 200);
    const { scope, sub, aud, act, azp } = claimsOf(good[0]?.json.access_token ?? '');
    const events = (await host.stored('demo')).map(({ type, error, clientId, details }) =>
      [type, error, clientId, details['note.INITIATED_BY_ACTION_TOKEN_EXT_APP']].join(),
    );
    return {
      refusals: refusals.map((each) => [each.status, each.text]),
      generated: [status, Object.keys(json), json.expiresIn],
      good: good.length,
      claims: { scope, sub, aud, azp, act: typeof act },
      events: events.sort(),
    };
  });
  t.deepEqual([observed.good, observed.generated], [1, [200, ['token', 'link', 'expiresIn'], 300]]);
  t.like(observed.claims, { scope: 'newsletterscope42', sub: ALICE, aud: 'newsletter-api' });
});

test('isolation modes: the books: all four calls, and the end of one that asks for too much', async (t) => {
  const observed = await compareIsolationModes(t, async (isolation) => {
    const host = await startHost(t, {
      realms: [testRealm('demo', { providers: { 'grpc-service': { books: { enabled: true } } } })],
      plugins: [{ module: '@keyhost/books', isolation, config: { 'grpc-service/books': { maxResults: 5 } } }],
    });
    const books = new BooksClient(t, host.grpcAddress ?? '');
    const author = (author_id: number) => ({ author_id });
    const call = async (method: string, ...sent: object[]) => {
      const { messages, error } = await books.call(method, sent);
      return [messages, error?.code, error?.details];
    };
    return {
      author: await call('getAuthor', author(1)),
      nobody: await call('getAuthor', author(77)),
      byAuthor: await call('getBooksByAuthor', author(1)),
      dearest: await call('getExpensiveBook', { price: 1 }, { price: 3, title: 'dear' }, { price: 2 }),
      byGender: await call('getBooksByGender', author(3), author(1)),
      tooMuch: await call('getBooksByGender', author(1), author(1), author(1)),
    };
  });
  t.deepEqual(observed.tooMuch, [[], 8, 'The result would have more than 5 books']);
  t.is((observed.byGender as [unknown[]])[0].length, 4);
});

const mapper = {
  name: 'mapper',
  protocol: 'openid-connect',
  protocolMapper: 'mapper',
  config: { suffix: 'mapped', 'access.token.claim': 'true' },
};

function start(t: ExecutionContext, isolation: string): Promise<TestHost> {
  const realm = codeRealm('demo');
  const on = { enabled: true };
  const steps = [
    { authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 10 },
    { flowAlias: 'by password', requirement: 'CONDITIONAL', priority: 20 },
  ];
  const inner = [
    { authenticator: 'by-password', requirement: 'REQUIRED', priority: 10, authenticatorConfig: 'by password' },
    { authenticator: 'once', requirement: 'REQUIRED', priority: 20 },
  ];
  return startHost(t, {
    realms: [
      {
        ...realm,
        eventsListeners: ['ears'],
        loginTheme: 'plain',
        requiredActions: [{ alias: 'colour', providerId: 'colour', name: 'Colour', enabled: true }],
        browserFlow: 'own',
        authenticationFlows: [
          { alias: 'own', authenticationExecutions: steps },
          { alias: 'by password', authenticationExecutions: inner },
        ],
        authenticatorConfig: [{ alias: 'by password', config: { type: 'password' } }],
        clients: (realm.clients ?? []).map((client) => ({ ...client, protocolMappers: [mapper] })),
        providers: {
          'realm-restapi-extension': { all: { enabled: true, config: { word: 'another' } } },
          'oauth2-grant-type': { 'urn:test:alice': on },
          'action-token-handler': { notes: on, refuses: on },
        },
      },
    ],
    plugins: [{ module: 'all-spis', isolation }],
    argv: ['--providers-dir', PLUGINS],
    clock: new TestClock(NOW),
  });
}

test('isolation modes: every kind of provider, and all that a session gives', async (t) => {
  const observed = await compareIsolationModes(t, async (isolation) => {
    const host = await start(t, isolation);
    const all = `${host.realm('demo')}/all`;
    const nl = basic(NL.client_id, NL.client_secret);
    const bytes = new Uint8Array([0, 1, 255]);
    const form = { grant_type: 'urn:test:alice', thing: 'one' };
    const token = await host.token('demo', { ...WEB2, ...form });
    const notes = (await fetchAnswer(`${all}/issue/notes`)).json.link ?? '';
    const refuses = (await fetchAnswer(`${all}/issue/refuses`)).json.link ?? '';
    const links = [await answer(notes), await answer(notes), await answer(refuses)];
    const browser = new Browser();
    const { url } = codeRequest(host);
    const page = await browser.open(url);
    const asked = await signIn(browser, url);
    const coloured = await browser.submit(asked, {});
    const done = await browser.submit(coloured, { colour: 'red' });
    const noted = (await fetchAnswer(`${all}/issue/notes`)).json.link ?? '';
    const visited = await browser.open(noted);
    await host.events.flush();
    const { by, form: given, hasPrototype, repeated, mapped } = claimsOf(token.json.access_token ?? '');
    const looked = await fetchAnswer(`${all}/look/7?a=1&a=2`, { headers: nl });
    return {
      looked: looked.json,
      echo: await answer(`${all}/echo`, {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      }),
      refuse: await answer(`${all}/refuse`),
      missing: await answer(`${all}/missing`),
      token: [token.status, token.json.extra, by, given, hasPrototype, repeated, mapped],
      links,
      theme: page.text.includes('Go in'),
      login: [asked.text.includes('Sure?'), typeof done.location?.searchParams.get('code')],
      action: coloured.text.includes('Colour of alice false en'),
      visited: JSON.parse(visited.text),
      heard: (await fetchAnswer(`${all}/heard`)).json,
    };
  });
  t.like(observed.looked as object, {
    size: 3,
    clock: [NOW, NOW],
    queryHasPrototype: false,
    remote: '127.0.0.1',
  });
  t.like(observed.looked as object, {
    replaced: [true, false, true],
    listed: [{ key: 'list/a', value: { n: 3 } }],
    odd: ['invalid_argument', 'invalid_argument', 'invalid_argument', 'undefined', 'invalid_argument'],
    many: 'invalid_argument',
  });
  t.deepEqual((observed.looked as Record<string, unknown>).frozen, [true, true, true, true, true]);
  t.deepEqual(observed.token, [200, true, 'web2', { thing: 'one' }, false, { thing: ['one'] }, 'alice mapped']);
  t.deepEqual([observed.theme, observed.login], [true, [true, 'string']]);
  t.true(observed.action);
  t.like(observed.visited as object, { username: 'alice', joined: false, browser: 'alice' });
  t.like((observed.heard as { condition: object }).condition, {
    user: 'alice',
    client: 'web',
    config: { type: 'password' },
    credentialTypes: ['password'],
    levels: ['undefined', 'undefined'],
    executions: [
      { authenticator: 'by-password', requirement: 'REQUIRED', executions: [] },
      { authenticator: 'once', requirement: 'REQUIRED', executions: [] },
    ],
  });
  t.regex(JSON.stringify(observed.heard), /OAUTH2_EXTENSION_GRANT alice;.*LOGIN alice;/);
});

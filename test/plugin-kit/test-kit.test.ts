import books from '@keyhost/books';
import externalApp from '@keyhost/external-app-notification';
import newsletter from '@keyhost/newsletter';
import { Authenticator, HostError, type Plugin, provide, RealmResourceProvider, Theme } from '@keyhost/spi';
import { APP, FormBrowser, startHost, TestClock, testRealm, withEnabled } from '@keyhost/spi/testing';
import test from 'ava';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';

const BOOKS = 'com.devProblems.BookAuthorService';
const NOTIFICATION = {
  'external-app-notification': { enabled: true, config: { clientId: 'nl', clientSecret: 'nl', audience: 'app' } },
};

const desk: Plugin = {
  name: 'desk',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'desk',
      config: {
        type: 'object',
        properties: { greeting: { type: 'string', default: 'Hello' } },
        additionalProperties: false,
      },
      routes: {
        greet: { method: 'GET', path: '/{name}' },
        note: { method: 'POST', path: '/', consumes: 'text/plain' },
      },
      open: ({ greeting }) => ({
        create: (session) => ({
          async greet({ params }) {
            const { userId = '', scopes } = await session.authenticate();
            const user = await session.users.byId(userId);
            return { body: { text: `${greeting}, ${params.name}`, from: user?.username ?? null, scopes: [...scopes] } };
          },
          async note({ body }) {
            session.logger.info('noted', { bytes: (body as Uint8Array).length });
            throw new HostError('full', 'The desk is full', { status: 409 });
          },
        }),
      }),
    }),
  ],
};

test('test kit: a test host serves plugins over HTTP, with a token for any user, configuration, a log and events', async (t) => {
  const host = await startHost(t, {
    plugins: [{ plugin: desk, config: { 'realm-restapi-extension/desk': { greeting: 'Welcome' } } }],
  });
  t.regex(host.bootTree, /^desk@.*\n└─ realm-restapi-extension\/desk/m);
  const realm = host.realm();
  t.is(realm.name, 'test');
  t.is((await realm.fetch('/desk/you')).status, 401);
  const token = await realm.token('bob', { clientId: 'app', scope: 'openid' });
  const answer = await realm.fetch('/desk/you', { token });
  t.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json']);
  t.deepEqual(answer.json, { text: 'Welcome, you', from: 'bob', scopes: ['openid', 'profile', 'email'] });
  const note = await realm.fetch('/desk', { body: 'x', headers: { 'content-type': 'text/plain' } });
  t.deepEqual([note.status, (note.json as { error: string }).error], [409, 'full']);
  t.deepEqual(
    host.log.filter(({ message }) => message === 'noted'),
    [{ level: 'info', message: 'noted', fields: { bytes: 1, plugin: 'desk', realm: 'test' } }],
  );

  t.is(
    (await realm.tokenRequest({ ...APP, grant_type: 'password', username: 'alice', password: 'wrong' })).status,
    400,
  );
  const events = await realm.events();
  t.deepEqual(
    events.map(({ type, error }) => [type, error]),
    [['LOGIN_ERROR', 'invalid_user_credentials']],
    'the kit’s own logins are not told',
  );
  await t.throwsAsync(realm.token('nobody'), { message: /^no token for nobody: 400 .*User nobody not found/ });
  t.throws(() => host.realm('other'), { message: 'realm other not found: the realms are test' });
});

test('test kit: action tokens are issued for tests, and the clock decides whether their links still work', async (t) => {
  const clients = [
    {
      clientId: 'nl',
      secret: 'nl',
      serviceAccountsEnabled: true,
      defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
      optionalClientScopes: ['item'],
      impersonation: { enabled: true, scopes: ['newsletterscope*'], audiences: ['app'] },
    },
  ];
  const clock = new TestClock(Date.UTC(2026, 0, 1));
  const { clients: standard } = testRealm('one') as unknown as { clients: object[] };
  const realms = ['one', 'two'].map((name) =>
    testRealm(name, {
      clients: [...standard, ...clients] as never,
      clientScopes: [
        {
          name: 'newsletterscope',
          protocol: 'openid-connect',
          attributes: { 'is.dynamic.scope': 'true', 'dynamic.scope.regexp': 'newsletterscope*' },
        },
        { name: 'item', protocol: 'openid-connect' },
      ],
      providers: name === 'one' ? { 'action-token-handler': NOTIFICATION } : {},
    }),
  );
  const host = await startHost(t, { plugins: [externalApp], realms, clock });
  const realm = host.realm('one');
  const { link, expiresIn } = await realm.actionToken('external-app-notification', 'alice', {
    claims: { 'app-id': '42' },
  });
  const followed = await realm.fetch(link);
  t.is(followed.status, 403, 'nl may not have that scope');
  const { type, details } = (await realm.events()).at(-1) ?? {};
  t.is(type, 'EXECUTE_ACTION_TOKEN_ERROR');
  t.is(details?.['note.INITIATED_BY_ACTION_TOKEN_EXT_APP'], 'true');
  clock.forward(expiresIn + 1);
  t.is((await realm.fetch(link)).status, 400);
  await t.throwsAsync(realm.actionToken('external-app-notification', 'alice'), { message: /: 400 .*app-id/ });
  await t.throwsAsync(host.realm('two').actionToken('external-app-notification', 'alice'), { message: /: 404 / });
});

test('test kit: every kind of rpc is called with plain messages, with and without a token', async (t) => {
  const bearer = { 'grpc-service/books': { authentication: 'bearer' } };
  const host = await startHost(t, { plugins: [{ plugin: books, config: bearer }] });
  const refused = await host.grpc(BOOKS, 'getAuthor', { author_id: 1 });
  t.deepEqual([refused.code, refused.messages], ['UNAUTHENTICATED', []]);
  const token = await host.realm().token('alice', { scope: 'books' });
  const { code, messages } = await host.grpc(BOOKS, 'getAuthor', { author_id: 1 }, { token });
  t.deepEqual([code, messages.map(({ author_id }) => author_id)], ['OK', [1]]);
  const streamed = await host.grpc(BOOKS, 'getBooksByGender', [{ author_id: 1 }, { author_id: 2 }], { token });
  t.deepEqual([streamed.code, new Set(streamed.messages.map(({ author_id }) => author_id))], ['OK', new Set([1, 2])]);
  await t.throwsAsync(host.grpc(BOOKS, 'getNothing', {}), { message: /has no rpc getNothing: it has getAuthor, / });
  await t.throwsAsync(host.grpc('x.Y', 'z', {}), { message: /no plugin under test serves x\.Y/ });
});

test('test kit: a login is walked form by form', async (t) => {
  const host = await startHost(t, { plugins: [newsletter], realms: [withEnabled(testRealm('shop'), [newsletter])] });
  const browser = new FormBrowser(host.realm());
  const page = await browser.logIn();
  t.regex(page.text, /kc-form-login/);
  const wrong = await browser.submit(page, { username: 'alice', password: 'wrong' });
  t.regex(wrong?.text ?? '', /Invalid username or password/);
  const done = await browser.submit(wrong ?? page, { username: 'alice', password: 'alice' });
  t.deepEqual([done?.status, /^http:\/\/localhost\/callback\?.*code=/.test(done?.headers.location ?? '')], [302, true]);
  t.is(await browser.submit({ ...page, text: '' }, {}), undefined);
});

test('test kit: a test waits for background work that is due, and moves the clock to the next run', async (t) => {
  const counter: Plugin = {
    name: 'counter',
    api: 1,
    providers: [
      provide(RealmResourceProvider, {
        id: 'counter',
        background: true,
        routes: { count: { method: 'GET', path: '/' } },
        open: () => ({
          create: ({ store }) => ({
            count: async () => ({ body: (await store.get('runs')) ?? 0 }),
            async background() {
              await store.put('runs', Number((await store.get('runs')) ?? 0) + 1);
              return { again: 60 };
            },
          }),
        }),
      }),
    ],
  };
  const host = await startHost(t, { plugins: [counter] });
  const runs = async () => {
    await host.settled();
    return (await host.realm().fetch('/counter')).json;
  };
  t.deepEqual([await runs(), await runs()], [1, 1]);
  host.clock.forward(60);
  t.is(await runs(), 2);
});

test('test kit: the settings of a test realm stay when plugins are enabled in it', (t) => {
  const plugin: Plugin = {
    name: 'steps',
    api: 1,
    providers: [
      provide(Authenticator, {
        id: 'step',
        open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'attempted' }) }) }),
      }),
      provide(Theme, { id: 'look', open: () => ({ create: () => ({}) }) }),
    ],
  };
  const entry = (authenticator: string, priority: number) => ({ authenticator, requirement: 'REQUIRED', priority });
  const flow = (...entries: ReturnType<typeof entry>[]) => ({
    alias: 'own',
    topLevel: true,
    authenticationExecutions: entries,
  });
  const enabled = (...entries: ReturnType<typeof entry>[]) => {
    const own = { browserFlow: 'own', loginTheme: 'other', authenticationFlows: [flow(...entries)] };
    const { authenticationFlows, browserFlow, loginTheme } = withEnabled(testRealm('shop', own), [plugin]);
    const [first] = authenticationFlows as ReturnType<typeof flow>[];
    return [browserFlow, loginTheme, first?.authenticationExecutions];
  };
  const form = entry('auth-username-password-form', 10);
  t.deepEqual(enabled(form), ['own', 'other', [form, entry('step', 11)]]);
  t.deepEqual(enabled(entry('step', 5), form), ['own', 'other', [entry('step', 5), form]]);
  const configured = { providers: { 'realm-restapi-extension': { desk: { config: { greeting: 'Hi' } } } } };
  t.deepEqual(withEnabled(testRealm('shop', configured), [desk]).providers, {
    'realm-restapi-extension': { desk: { enabled: true, config: { greeting: 'Hi' } } },
  });
});

test('test kit: a failed start has the whole reason, and a host ends with any test runner’s test, once', async (t) => {
  const wrong = { 'realm-restapi-extension/desk': { greting: 1 } };
  const error = await t.throwsAsync(startHost(t, { plugins: [{ plugin: desk, config: wrong }] }));
  t.is((error as { code?: string }).code, 'plugin_config');
  t.regex(
    error?.message ?? '',
    /desk is not configured correctly[\s\S]*greting: unknown key \(did you mean "greeting"\?\)/,
  );

  const ends: (() => Promise<void>)[] = [];
  const host = await startHost({ after: (end) => void ends.push(end) }, { plugins: [desk] });
  await host.close();
  for (const end of ends) await end();
  await t.throwsAsync(host.realm().fetch('/desk'));
});

test('test kit: a test sees the mails of its plugin', async (t) => {
  const plugin: Plugin = {
    name: 'mails',
    api: 1,
    needs: { 'mail-any-address': 'invites' },
    providers: [
      provide(RealmResourceProvider, {
        id: 'mails',
        routes: { send: { method: 'POST', path: '/' } },
        open: () => ({
          create: ({ mail }) => ({
            async send() {
              const to = { address: 'guest@example.test', name: 'Guest' };
              const link = { label: { key: 'Come in' }, url: 'https://example.test/in' };
              return { body: await mail.send({ to, subject: { key: 'Welcome' }, before: [{ key: 'Hello.' }], link }) };
            },
          }),
        }),
      }),
    ],
  };
  const host = await startHost(t, { plugins: [plugin] });
  t.is((await host.realm().fetch('/mails', { method: 'POST' })).status, 200);
  await host.settled();
  t.like(host.mails, [{ realm: 'test', to: { name: 'Guest', address: 'guest@example.test' }, subject: 'Welcome' }]);
  t.regex(host.mails[0]?.text ?? '', /Hello\..*https:\/\/example\.test\/in/s);
  t.regex(host.mails[0]?.html ?? '', /href="https:\/\/example\.test\/in"/);
});

import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { ALICE, DAVE } from '../helpers/realms.js';
import { flow, inner, step } from '../helpers/stepping-realm.js';

/** Codes that are each good once; some words are faults. */
const SAFES = `import { Authenticator, CredentialProvider, provide, RequiredAction } from '@keyhost/spi';
const page = (key) => ({ outcome: 'challenge', page: { page: 'form', title: { key }, submit: { key: 'doSubmit' },
  fields: [{ name: 'code', type: 'password', label: { key: 'Code' } }] } });
const mind = async (input) => {
  if (input === 'throws') throw new Error('the safe is away');
  if (input === 'nonsense') return { nonsense: true };
  if (input === 'dies') process.exit(1);
};
const stored = (codes) => ({ secret: { codes }, data: { left: codes.length } });
export default { name: 'safes', api: 1, messages: { en: { safe: 'Safe' }, de: { safe: 'Tresor' } }, providers: [
  provide(CredentialProvider, { id: 'safe-code', describe: { displayName: '\${safe}', helpText: 'Codes of a safe.' },
    category: 'two-factor', createAction: 'safe-setup', iconCssClass: 'safe',
    open: () => ({ create: () => ({
      create: async ({ input }) => (await mind(input)) ?? stored(input.split(' ')),
      async verify({ credential: { secret: { codes } }, input }) {
        const fault = await mind(input);
        if (fault) return fault;
        return codes.includes(input) ? { valid: true, changed: stored(codes.filter((code) => code !== input)) } : { valid: false };
      },
      present: async ({ label, data }) => (await mind(label)) ?? { label: 'Some safe', data: { remaining: data.left } },
    }) }) }),
  provide(Authenticator, { id: 'safe-form', describe: { displayName: 'Safe', proves: true }, open: () => ({ create: ({ ownCredentials }) => ({
    configuredFor: async () => (await ownCredentials.list('safe-code')).length > 0,
    authenticate: async ({ user }) => (user ? page('Open the safe') : { outcome: 'attempted' }),
    async action({ user }, { code }) {
      if (code === 'make me one') await ownCredentials.create('safe-code', 'mine');
      if (code === 'empty it') for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
      const verdict = await ownCredentials.verify('safe-code', code);
      if (verdict.valid) return { outcome: 'success', credentialType: 'safe-code' };
      return { ...page('Open the safe'), message: { key: 'That is not it.' }, error: verdict.error, userId: user.id };
    },
  }) }) }),
  provide(RequiredAction, { id: 'safe-setup', displayText: 'Set up a safe', initiable: true, open: () => ({ create: ({ ownCredentials }) => ({
    challenge: async () => page('New safe'),
    async action(_, { code }) {
      if (code === 'none') for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
      else await ownCredentials.create('safe-code', code, code.startsWith('named') ? { label: ' Mine ' } : {});
      return { outcome: 'success' };
    },
  }) }) }),
] };`;

/** Another plugin, which is curious. */
const THIEF = `import { Authenticator, provide, RealmResourceProvider } from '@keyhost/spi';
const asks = async ({ ownCredentials }) => {
  const codes = [];
  for (const type of ['safe-code', 'password', 'keycloak-otp', 'none']) {
    for (const call of ['list', 'verify', 'create', 'remove']) codes.push(await ownCredentials[call](type, 'one').then(() => 'let in', ({ code }) => code));
  }
  return [...new Set(codes)];
};
export default { name: 'thief', api: 1, providers: [
  provide(Authenticator, { id: 'thief', describe: { displayName: 'Thief' }, open: () => ({ create: (session) => ({
    authenticate: async () => ({ outcome: 'success', notes: { found: (await asks(session)).join() } }) }) }) }),
  provide(RealmResourceProvider, { id: 'thief', routes: { ask: { method: 'GET', path: '/' } }, open: () => ({ create: (session) => ({
    ask: async () => ({ body: await asks(session) }) }) }) }),
] };`;

/** Of no login at all. */
const OUTSIDE = `import { CredentialProvider, provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'outside', api: 1, providers: [
  provide(CredentialProvider, { id: 'badge', describe: { displayName: 'Badge' }, category: 'passwordless', removable: false, single: true,
    open: () => ({ create: () => ({ create: async () => ({ secret: {}, data: {} }), verify: async () => ({ valid: true }) }) }) }),
  provide(RealmResourceProvider, { id: 'outside', routes: { ask: { method: 'GET', path: '/' } }, open: () => ({ create: ({ ownCredentials }) => ({
    ask: async () => ({ body: await ownCredentials.list('badge').catch(({ code }) => [code]) }) }) }) }),
] };`;

const PASSWORD = 'Alice-pass-1!';
const SAFE = 'open1';
const safe = (codes: string[], more: object = {}) => ({
  ...{ id: SAFE, type: 'safe-code', createdDate: 1_700_000_000_000, ...more },
  ...{ secretData: JSON.stringify({ codes }), credentialData: JSON.stringify({ left: codes.length }) },
});
const on = { enabled: true };

function realmOf(name: string, own: object[], changes: object = {}) {
  const realm = codeRealm(name, {
    bruteForceProtected: true,
    failureFactor: 3,
    quickLoginCheckMilliSeconds: 0,
    providers: {
      credential: { 'safe-code': on, badge: on },
      'realm-restapi-extension': { thief: on, outside: on },
    },
    requiredActions: [
      { alias: 'safe-setup', providerId: 'safe-setup', name: 'Safe', ...on },
      { alias: 'delete_credential', providerId: 'delete_credential', name: 'Delete', ...on },
    ],
    browserFlow: 'own',
    authenticationFlows: [
      { ...flow('own', step('auth-cookie', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')), topLevel: true },
      flow('forms', step('auth-username-password-form'), inner('second', 'CONDITIONAL'), inner('third', 'CONDITIONAL')),
      flow('second', step('conditional-user-configured'), step('safe-form')),
      flow('third', step('conditional-credential', 'REQUIRED', 'by safe'), step('thief')),
      { ...flow('unproven', step('auth-username-form'), step('safe-form')), topLevel: true },
    ],
    authenticatorConfig: [{ alias: 'by safe', config: { credentials: 'safe-code', included: 'true' } }],
    ...changes,
  } as never);
  const password = { type: 'password', value: PASSWORD };
  const users = (realm.users ?? []).map((user) =>
    user.username === 'alice' ? { ...user, credentials: [password, ...own] as never } : user,
  );
  return { ...realm, users };
}

function start(t: ExecutionContext, isolation: string, realms: object[], clock = new TestClock()): Promise<TestHost> {
  return startAdministered(t, {
    realms: realms as never,
    plugins: ['safes', 'thief', 'outside'].map((module) => ({ module, isolation })),
    packages: { safes: SAFES, thief: THIEF, outside: OUTSIDE },
    clock,
  });
}

const login = (host: TestHost, changes: Record<string, string> = {}) => codeRequest(host, changes).url;
const codeOf = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const titleOf = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]?.trim();
const events = async (host: TestHost) =>
  (await host.stored(host.home)).map(({ type, error, details }) =>
    [type, error ?? details.credential_type ?? ''].filter(Boolean).join(' '),
  );
const storedOf = async (host: TestHost) =>
  ((await host.store.users.byUsername(host.home, 'alice'))?.representation.credentials ?? []).filter(
    ({ type }) => type === 'safe-code',
  );

for (const isolation of ['none', 'worker']) {
  test(`a type of a plugin is set up, asked for, listed, named, moved and removed as the host's own (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation, [realmOf('demo', [])]);
    const call = await adminCaller(host);
    const at = `/realms/demo/users/${ALICE}/credentials`;
    const listed = async () => (await call('GET', at)).json as unknown as Record<string, string>[];
    const browser = new Browser();

    const setUp = await signIn(browser, login(host, { kc_action: 'safe-setup' }));
    t.is(titleOf(setUp), 'New safe');
    const done = await browser.submit(setUp, { code: 'named one two' });
    t.truthy(codeOf(done));
    t.is(done.location?.searchParams.get('kc_action_status'), 'success');
    t.true((await events(host)).includes('UPDATE_CREDENTIAL safe-code'));
    const [stored] = await storedOf(host);
    t.is(stored?.secretData, '{"codes":["named","one","two"]}');

    // It is asked for from now on, each code once.
    const asked = await signIn(new Browser(), login(host));
    t.is(titleOf(asked), 'Open the safe');
    const elsewhere = new Browser();
    const wrong = await elsewhere.submit(await signIn(elsewhere, login(host)), { code: 'three' });
    t.regex(wrong.text, /That is not it\./);
    t.true((await events(host)).includes('LOGIN_ERROR invalid_user_credentials'));
    const right = await elsewhere.submit(wrong, { code: 'one' });
    t.truthy(codeOf(right), right.text);
    const again = new Browser();
    t.regex((await again.submit(await signIn(again, login(host)), { code: 'one' })).text, /That is not it\./);

    // Admins, and the user: without the secret, and with what the provider shows.
    const [password, shown] = await listed();
    t.like(shown, { type: 'safe-code', userLabel: 'Mine', credentialData: '{"remaining":2}' });
    t.notRegex(JSON.stringify(await listed()), /secretData|named/);
    t.is((await call('POST', `${at}/${shown?.id}/moveToFirst`)).status, 204);
    t.deepEqual(
      (await listed()).map(({ type }) => type),
      ['safe-code', 'password'],
    );
    t.is((await call('POST', `${at}/${shown?.id}/moveAfter/${password?.id}`)).status, 204);
    let { access_token: token } = await logIn(host, { username: 'alice', password: PASSWORD });
    const own = (method: string, path = '', body?: unknown) =>
      fetchAnswer(`${host.realm('demo')}/account/credentials${path}`, {
        method,
        headers: {
          ...{ accept: 'application/json', 'content-type': 'application/json', 'accept-language': 'de' },
          ...bearer(token),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const containers = (await own('GET')).json as unknown as Record<string, unknown>[];
    t.like(containers[1], {
      ...{ type: 'safe-code', category: 'two-factor', displayName: 'Tresor', helptext: 'Codes of a safe.' },
      ...{ iconCssClass: 'safe', createAction: 'safe-setup', removeable: true },
    });
    t.is((await own('PUT', `/${shown?.id}/label`, 'throws')).status, 204);
    // A provider that fails shows no more than the name.
    t.like((await listed())[1], { userLabel: 'throws', credentialData: undefined });

    // One that comes from elsewhere, and one that goes.
    const sent = safe(['three'], { id: undefined });
    t.is((await call('PUT', `/realms/demo/users/${ALICE}`, { credentials: [sent] })).status, 204);
    t.is((await storedOf(host)).length, 2);
    t.like((await listed())[2], { userLabel: 'Some safe' });
    // What an admin changes there ends the user's sessions.
    ({ access_token: token } = await logIn(host, { username: 'alice', password: PASSWORD }));
    t.is((await own('DELETE', `/${shown?.id}`)).status, 204);
    t.true((await events(host)).includes('REMOVE_CREDENTIAL safe-code'));
    const [{ id = '' } = {}] = await storedOf(host);
    const removal = await signInWith(host, 'three', { kc_action: `delete_credential:${id}` });
    const { location } = await removal.browser.submit(removal.page, {});
    t.is(location?.searchParams.get('kc_action_status'), 'success');
    t.deepEqual(await storedOf(host), []);
    t.is((await call('DELETE', `${at}/${id}`)).status, 404);
    t.truthy(codeOf(await signIn(new Browser(), login(host))), 'nothing is asked for beside the password');
  });

  test(`wrong guesses lock the user, a provider that fails lets nobody in and counts none (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation, [realmOf('demo', [safe(['one', 'two'])])]);
    const tries = async (code: string) => {
      const browser = new Browser();
      return browser.submit(await signIn(browser, login(host)), { code });
    };
    for (const code of ['throws', 'nonsense', 'throws', 'nonsense', ...(isolation === 'worker' ? ['dies'] : [])]) {
      const { status, location, text } = await tries(code);
      t.deepEqual([status, location], [503, undefined], code);
      t.notRegex(text, /the safe is away|Error/);
    }
    if (isolation === 'worker') return;
    t.deepEqual((await storedOf(host))[0]?.secretData, '{"codes":["one","two"]}');
    // The password is right each time: that takes none of these back.
    for (const code of ['no', 'nope', 'never']) t.regex((await tries(code)).text, /That is not it\./, code);
    const locked = await signIn(new Browser(), login(host));
    t.is(codeOf(locked), undefined);
    t.is(titleOf(locked) === 'Open the safe', false);
    t.true((await events(host)).includes('LOGIN_ERROR user_temporarily_disabled'));
  });

  test(`a code is good once, whoever types it at the same time (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation, [realmOf('demo', [safe(['one', 'two'])], { bruteForceProtected: false })]);
    const asked = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const browser = new Browser();
        return { browser, page: await signIn(browser, login(host)) };
      }),
    );
    const answers = await Promise.all(asked.map(({ browser, page }) => browser.submit(page, { code: 'one' })));
    t.is(answers.filter((answer) => codeOf(answer) !== undefined).length, 1);
    t.is((await storedOf(host))[0]?.secretData, '{"codes":["two"]}');
  });

  test(`a plugin has the types that are its own, for the user of a login that has proven it (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation, [realmOf('demo', [safe(['one'])])]);
    const ask = async (id: string) => (await fetchAnswer(`${host.realm('demo')}/${id}`)).json as unknown;
    t.deepEqual(await ask('thief'), ['credential_type_not_own']);
    t.deepEqual(await ask('outside'), ['credential_without_user']);
    // Another plugin's step, in a login by that very type.
    const browser = new Browser();
    t.truthy(codeOf(await browser.submit(await signIn(browser, login(host)), { code: 'one' })));

    const call = await adminCaller(host);
    t.is((await call('PUT', '/realms/demo', { browserFlow: 'unproven' })).status, 204);
    for (const code of ['make me one', 'empty it']) {
      const visitor = new Browser();
      const named = await visitor.submit(await visitor.open(login(host)), { username: 'alice' });
      t.is((await visitor.submit(named, { code })).status, 500, code);
    }
    t.is((await storedOf(host)).length, 1, 'whoever knows the name has made and removed nothing');
    const told = host.log.filter(({ fields }) => JSON.stringify(fields).includes('has not proven yet'));
    t.true(told.length > 0);
  });
}

test('where a type is off nobody is shown its credentials, and none is lost', async (t) => {
  const host = await start(t, 'none', [realmOf('demo', [safe(['one']), { type: 'unknown', secretData: '{}' }])]);
  const call = await adminCaller(host);
  const at = `/realms/demo/users/${ALICE}/credentials`;
  const types = async () => ((await call('GET', at)).json as unknown as { type: string }[]).map(({ type }) => type);
  t.deepEqual(await types(), ['password', 'safe-code'], 'of types that nobody has none is shown');
  t.is((await call('PUT', '/realms/demo/providers/credential/safe-code', { enabled: false })).status, 204);
  t.deepEqual(await types(), ['password']);
  for (const [method, path, body] of [
    ['DELETE', `${at}/${SAFE}`],
    ['PUT', `${at}/${SAFE}/userLabel`, 'x'],
    ['POST', `${at}/${SAFE}/moveToFirst`],
  ] as const) {
    t.is((await call(method, path, body)).status, 404, method);
  }
  t.is((await call('PUT', '/realms/demo/providers/credential/safe-code', on)).status, 204);
  t.deepEqual(await types(), ['password', 'safe-code']);
  t.is((await storedOf(host))[0]?.secretData, '{"codes":["one"]}');
  const user = (await call('GET', `/realms/demo/users/${DAVE}/credentials`)).json as unknown as { type: string }[];
  t.deepEqual(
    user.map(({ type }) => type),
    ['password'],
  );
});

test('the host lists its types as Keycloak does, and refuses what would turn one of them off', async (t) => {
  const host = await start(t, 'none', [realmOf('demo', [])]);
  const call = await adminCaller(host);
  const info = (await call('GET', '/serverinfo')).json as unknown as {
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  t.deepEqual(Object.keys(info.providers.credential?.providers ?? {}).sort(), [
    'badge',
    'keycloak-otp',
    'keycloak-password',
    'keycloak-recovery-authn-codes',
    'keycloak-webauthn',
    'keycloak-webauthn-passwordless',
    'safe-code',
  ]);
  const refused = await call('PUT', '/realms/demo/providers/credential/keycloak-otp', { enabled: false });
  t.is(refused.status, 400);
  t.regex(refused.text, /keycloak-otp.*must be true/);
  const flows = (await call('GET', '/realms/demo/authentication/flows/third/executions')).json as unknown as {
    authenticationConfig?: string;
  }[];
  const mistyped = { alias: 'by safe', config: { credentials: 'safe-cod', included: 'true' } };
  const config = `/realms/demo/authentication/config/${flows[0]?.authenticationConfig}`;
  const { status, text } = await call('PUT', config, mistyped);
  t.is(status, 400);
  t.regex(text, /safe-cod.*safe-code/);
  const description = await call('GET', '/realms/demo/authentication/config-description/conditional-credential');
  const [credentials] = (description.json as unknown as { properties: { options: string[] }[] }).properties;
  t.true(['none', 'otp', 'safe-code'].every((type) => credentials?.options.includes(type)));
});

async function signInWith(host: TestHost, code: string, changes: Record<string, string>) {
  const browser = new Browser();
  const page = await browser.submit(await signIn(browser, login(host, changes)), { code });
  return { browser, page };
}

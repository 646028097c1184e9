import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type {
  ClientRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
  RealmRepresentation,
} from '../../core/model/representation.js';
import { CallTimeout } from '../../core/registry/module.js';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { type Answer, inRealm, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** The direct grant flow as Keycloak 26 exports it, with these steps after it, and one for clients of their own. */
function flows(...more: ExecutionRepresentation[]): FlowRepresentation[] {
  const step = (authenticator: string, priority: number) => ({ authenticator, requirement: 'REQUIRED', priority });
  const otp = { authenticatorFlow: true, flowAlias: 'Direct Grant - Conditional OTP', requirement: 'CONDITIONAL' };
  const password = [step('direct-grant-validate-username', 10), step('direct-grant-validate-password', 20)];
  return [
    { alias: 'direct grant', authenticationExecutions: [...password, { ...otp, priority: 30 }, ...more] },
    {
      alias: 'Direct Grant - Conditional OTP',
      authenticationExecutions: [step('conditional-user-configured', 10), step('direct-grant-validate-otp', 20)],
    },
    { id: '7b0c4b4e', alias: 'strict grant', authenticationExecutions: [...password, step('word', 30)] },
    {
      id: '5f1d2a90',
      alias: 'strict browser',
      authenticationExecutions: [step('auth-username-password-form', 10), step('word', 20)],
    },
  ];
}

/** A plugin whose step `word` requires the parameter `word`, and behaves as its value says. */
const WORD = pluginSource(import.meta.url, 'plugins/word.js');

const shared = shareHost(
  test,
  { realms: [], plugins: [{ module: 'word' }], packages: { word: WORD }, replace: [replacing(CallTimeout, 3000)] },
  // Errors of the values that make the step throw, hang, and return nothing or nonsense.
  /secret-of-the-plugin|provider_timeout|what its SPI does not allow/,
);

const withFlows = (changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => codeRealm(name, { providers: {}, ...changes }));

const grant = (host: TestHost, changes: Record<string, string> = {}) =>
  host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, scope: 'openid', ...changes });

/** The test realm's clients; web has flows of its own. */
function overriding(authenticationFlowBindingOverrides: Record<string, string>): ClientRepresentation[] {
  const { clients = [] } = testRealm('demo');
  return clients.map((client) =>
    client.clientId === 'web' ? { ...client, authenticationFlowBindingOverrides } : client,
  );
}

const refusal = (description = 'Invalid user credentials') => ({
  error: 'invalid_grant',
  error_description: description,
});

async function refused(t: ExecutionContext, host: TestHost, answer: Answer, event: string, description?: string) {
  t.deepEqual([answer.status, answer.json as object], [400, refusal(description)], event);
  t.like((await host.stored(host.defaultRealm))[0], { type: 'LOGIN_ERROR', error: event, clientId: 'web' });
}

test('password grant: errors are the same for everybody, events differ, by any flow of Keycloak’s', async (t) => {
  const named: Partial<RealmRepresentation> = { directGrantFlow: 'direct grant', authenticationFlows: flows() };
  for (const changes of [{}, { directGrantFlow: 'direct grant' }, named]) {
    const host = await withFlows(changes);
    await refused(t, host, await grant(host, { username: 'nobody' }), 'user_not_found');
    await refused(t, host, await grant(host, { password: 'wrong' }), 'invalid_user_credentials');
    await refused(t, host, await grant(host, { password: '' }), 'invalid_user_credentials');
    await refused(t, host, await grant(host, { username: 'service-account-nl' }), 'invalid_user');
    await refused(t, host, await grant(host, { username: 'carol' }), 'invalid_user_credentials');
    const carol = { username: 'carol', password: 'Carol-pass-1!' };
    await refused(t, host, await grant(host, carol), 'user_disabled', 'Account disabled');
    for (const username of ['alice', 'ALICE', 'alice@example.test']) {
      const { status, json } = await grant(host, { username });
      t.is(status, 200, username);
      t.is((await userinfo(host, String(json.access_token))).status, 200);
    }
    t.like((await host.stored(host.defaultRealm)).at(0), {
      type: 'LOGIN',
      details: { username: 'alice', auth_method: 'oauth_credentials' },
    });
  }
});

test('password grant: a user with a one-time password needs it, and gets the same error as everybody', async (t) => {
  const otp = { type: 'otp', secretData: '{"value":"x"}', credentialData: '{"subType":"totp"}' };
  for (const changes of [{}, { authenticationFlows: flows() }]) {
    const host = await inRealm(shared(), (name) => {
      const { users = [], ...realm } = codeRealm(name, { providers: {}, ...changes });
      const withOtp = users.map((user) =>
        user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), otp] } : user,
      );
      return { ...realm, users: withOtp };
    });
    await refused(t, host, await grant(host), 'invalid_user_credentials');
    await refused(t, host, await grant(host, { totp: '123456' }), 'invalid_user_credentials');
    const credentialType = async () => (await host.stored(host.defaultRealm))[0]?.details?.credential_type;
    t.is(await credentialType(), 'otp');
    await refused(t, host, await grant(host, { password: 'wrong' }), 'invalid_user_credentials');
    t.is(await credentialType(), undefined);
    t.is((await grant(host, { username: 'dave', password: 'Dave-pass-1!' })).status, 200, 'others get tokens');
  }
});

test('password grant: a plugin’s step reads the parameters, and decides', async (t) => {
  const host = await withFlows({
    authenticationFlows: flows({ authenticator: 'word', requirement: 'REQUIRED', priority: 40 }),
  });
  const { status, json } = await grant(host, { word: 'right' });
  t.is(status, 200);
  const session = await host.store.sessions.get({
    realm: host.defaultRealm,
    id: String(json.session_state),
    offline: false,
  });
  t.is(session?.notes.said, 'right');
  await refused(t, host, await grant(host, { word: 'fail' }), 'access_denied', 'Not with x');
  await refused(t, host, await grant(host, { word: 'known' }), 'access_denied', 'Consent denied.');
  await refused(t, host, await grant(host, { word: 'ask' }), 'invalid_word', 'Another word, please');
  await refused(t, host, await grant(host), 'invalid_user_credentials');
  await refused(t, host, await grant(host, { word: 'attempted' }), 'invalid_user_credentials');
  await refused(t, host, await grant(host, { word: 'other' }), 'user_conflict', 'Invalid username or password.');
  await refused(t, host, await grant(host, { word: 'right', password: 'wrong' }), 'invalid_user_credentials');
  await refused(t, host, await grant(host, { word: 'secret' }), 'access_denied', 'scope username word');
  for (const word of ['throw', 'nothing', 'odd', 'hang']) {
    const answer = await grant(host, { word });
    t.is(answer.status, word === 'hang' ? 504 : 500, word);
    t.notRegex(answer.text, /secret-of-the-plugin|access_token/, word);
  }
});

test('password grant: a client’s flow overrides the realm’s, in the grant and in the browser', async (t) => {
  const overrides = [
    { browser: '5f1d2a90', direct_grant: '7b0c4b4e' },
    { browser: 'strict browser', direct_grant: 'strict grant' },
  ];
  for (const given of overrides) {
    const host = await withFlows({ authenticationFlows: flows(), clients: overriding(given) });
    await refused(t, host, await grant(host), 'invalid_user_credentials');
    t.is((await grant(host, { word: 'right' })).status, 200);
    t.is((await grant(host, WEB2)).status, 200, 'another client');

    const browser = new Browser();
    const asked = await signIn(browser, codeRequest(host).url);
    t.regex(asked.text, /name="word"/);
    t.regex((await browser.submit(asked, { word: 'wrong' })).text, /name="word"/);
    t.truthy((await browser.submit(asked, { word: 'right' })).location?.searchParams.get('code'));
    const other = codeRequest(host, { client_id: 'web2', redirect_uri: TWO });
    t.truthy((await signIn(new Browser(), other.url)).location?.searchParams.get('code'), 'another client');
  }
  const none = { browser: '', direct_grant: '' };
  const host = await withFlows({ authenticationFlows: flows(), clients: overriding(none) });
  t.is((await grant(host)).status, 200, 'an empty override is none');
  t.truthy((await signIn(new Browser(), codeRequest(host).url)).location?.searchParams.get('code'));
});

test('password grant: a flow that needs a page, has unknown steps or no steps lets nobody in', async (t) => {
  const own = (...authenticationExecutions: ExecutionRepresentation[]): Partial<RealmRepresentation> => ({
    directGrantFlow: 'own',
    authenticationFlows: [{ alias: 'own', authenticationExecutions }],
  });
  const required = (authenticator: string) => ({ authenticator, requirement: 'REQUIRED' });
  const odd: [string, Partial<RealmRepresentation>, string][] = [
    ['no steps', own(), 'invalid_user_credentials'],
    ['the browser’s flow', { directGrantFlow: 'browser' }, 'invalid_user_credentials'],
    ['a step that nobody has', own(required('no-such-step')), 'invalid_user_credentials'],
    ['the password alone', own(required('direct-grant-validate-password')), 'user_not_found'],
    [
      'the password before the name',
      own(required('direct-grant-validate-password'), required('direct-grant-validate-username')),
      'user_not_found',
    ],
  ];
  for (const [what, changes, event] of odd) {
    const host = await withFlows(changes);
    const answer = await grant(host);
    t.deepEqual([answer.status, answer.json as object], [400, refusal()], what);
    t.is((await host.stored(host.defaultRealm))[0]?.error, event, what);
  }
  const host = await withFlows({ browserFlow: 'direct grant' });
  const page = await new Browser().open(codeRequest(host).url);
  t.deepEqual([page.status, page.location], [400, undefined], 'the password grant’s flow in a browser');
});

test('password grant: a missing flow lets nobody in, and no other flow replaces it', async (t) => {
  const gone = { browser: 'gone', direct_grant: 'gone' };
  const changes: ((realm: RealmRepresentation) => Partial<RealmRepresentation>)[] = [
    () => ({ browserFlow: 'gone', directGrantFlow: 'gone' }),
    ({ clients = [] }) => ({
      clients: clients.map((client) =>
        client.clientId === 'web' ? { ...client, authenticationFlowBindingOverrides: gone } : client,
      ),
    }),
  ];
  for (const change of changes) {
    const host = await withFlows();
    t.is((await grant(host)).status, 200);
    const record = await host.store.realms.get(host.defaultRealm);
    if (record === undefined) throw new Error('the realm is not stored');
    // Realm files cannot contain this, but the store can.
    const representation = { ...record.representation, ...change(record.representation) };
    t.not(await host.store.realms.put({ ...record, representation }, { expectedVersion: record.version }), 'conflict');
    host.realms.invalidate(host.defaultRealm);
    await refused(t, host, await grant(host), 'invalid_user_credentials');
    const page = await new Browser().open(codeRequest(host).url);
    t.deepEqual([page.status, page.location], [400, undefined]);
    t.notRegex(page.text, /id="password"/);
  }
});

// Measured with Keycloak 26.7.3, which answers 401 with a page if the sub-flow runs: it denies access.
const CONDITIONAL_FLOWS: [condition: string, requirement: string | undefined, status: number][] = [
  ['no condition', undefined, 200],
  ['a disabled condition', 'DISABLED', 200],
  ['a condition that is met', 'REQUIRED', 400],
  ['a condition that is not met', 'REQUIRED', 200],
];

test('CONDITIONAL sub-flow: it runs only if it has a condition that is met', async (t) => {
  for (const [what, requirement, status] of CONDITIONAL_FLOWS) {
    const role = what.includes('not met') ? 'nobody-has-it' : 'reader';
    const condition = { authenticator: 'conditional-user-role', priority: 10, authenticatorConfig: 'role' };
    const entries = [
      { authenticator: 'direct-grant-validate-username', requirement: 'REQUIRED', priority: 10 },
      { authenticator: 'direct-grant-validate-password', requirement: 'REQUIRED', priority: 20 },
      { flowAlias: 'denied', requirement: 'CONDITIONAL', priority: 30 },
    ];
    const deny = { authenticator: 'deny-access-authenticator', requirement: 'REQUIRED', priority: 20 };
    const host = await withFlows({
      directGrantFlow: 'own',
      authenticationFlows: [
        { alias: 'own', authenticationExecutions: entries },
        {
          alias: 'denied',
          authenticationExecutions: requirement === undefined ? [deny] : [{ ...condition, requirement }, deny],
        },
      ],
      authenticatorConfig: [{ alias: 'role', config: { condUserRole: role } }],
    });
    t.is((await grant(host)).status, status, what);
  }
});

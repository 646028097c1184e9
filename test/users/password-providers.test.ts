import { createHash, randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** A rule that refuses passwords with a word, fails with another, and an algorithm that does the same. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/words.js');

const salted = (password: string) => {
  const salt = randomBytes(9).toString('base64');
  const value = createHash('sha256').update(`${salt}${password}`).digest('base64');
  return {
    type: 'password',
    secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations: 1, algorithm: 'salted', additionalParameters: {} }),
  };
};

const user = (username: string, credential: object) => ({ username, enabled: true, credentials: [credential] });

function start(t: ExecutionContext, isolation: string): Promise<TestHost> {
  const users = [
    user('bettina', salted('from elsewhere')),
    user('throws', salted('it throws')),
    user('nonsense', salted('it is nonsense')),
    user('dies', salted('it dies')),
  ] as never;
  return startAdministered(t, {
    realms: [
      testRealm('ruled', { providers: {}, passwordPolicy: 'length(6) and noWord and fewest(7)', users }),
      testRealm('salted', { providers: {}, passwordPolicy: 'hashAlgorithm(salted) and hashIterations(3)', users }),
      testRealm('plain', { providers: {}, users }),
    ],
    plugins: [{ module: 'words', isolation }],
    packages: { words: PLUGIN },
  });
}

const asAdmin = async (host: TestHost) => {
  const form = { grant_type: 'password', client_id: 'admin-cli', ...ROOT };
  const headers = bearer((await host.token('master', form)).json.access_token ?? '');
  return async (method: string, path: string, body?: object) =>
    fetchAnswer(`${host.url}/admin/realms/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
};

const login = async (host: TestHost, realm: string, username: string, password: string) => {
  const form = { client_id: 'web', client_secret: 's3cret:+/%&é', grant_type: 'password', username, password };
  const { status, json } = await host.token(realm, form);
  return [status, json.error] as unknown[];
};

const stored = async (host: TestHost, realm: string, username: string) => {
  const record = await host.store.users.byUsername(realm, username);
  const [password] = record?.representation.credentials ?? [];
  return JSON.parse(password?.credentialData ?? '{}') as { algorithm?: string; hashIterations?: number };
};

for (const isolation of ['none', 'worker']) {
  test(`password providers: rules and hashes of plugins hold as the host's own do (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation);
    const call = await asAdmin(host);
    const reset = async (realm: string, value: string, locale = 'en') => {
      const [found] = (await call('GET', `${realm}/users?username=bettina`)).json as unknown as { id: string }[];
      const body = { type: 'password', value };
      const { status, json } = await call('PUT', `${realm}/users/${found?.id}/reset-password?locale=${locale}`, body);
      return [status, json.error, json.error_description] as unknown[];
    };

    // The rules, in the policy's order.
    t.deepEqual(await reset('ruled', 'short'), [
      400,
      'invalidPasswordMinLengthMessage',
      'Invalid password: minimum length 6.',
    ]);
    t.deepEqual(await reset('ruled', 'my shop'), [400, 'wordInPassword', 'No shop in it, bettina.']);
    t.deepEqual((await reset('ruled', 'sixsix')).slice(0, 2), [400, 'tooFew']);
    t.is((await reset('ruled', 'good enough'))[0], 204);
    t.deepEqual(await login(host, 'ruled', 'bettina', 'good enough'), [200, undefined]);
    // A password that cannot be checked is rejected, and changes nothing.
    for (const bad of ['it throws', 'it is nonsense']) {
      const [status, error] = await reset('ruled', bad);
      t.deepEqual([status, error], [503, 'temporarily_unavailable'], bad);
    }
    t.deepEqual(await login(host, 'ruled', 'bettina', 'good enough'), [200, undefined]);

    // An imported hash, and its conversion under another policy.
    t.deepEqual(await login(host, 'plain', 'bettina', 'wrong'), [400, 'invalid_grant']);
    t.deepEqual(await login(host, 'plain', 'bettina', 'from elsewhere'), [200, undefined]);
    t.is((await stored(host, 'plain', 'bettina')).algorithm, 'argon2');
    t.deepEqual(await login(host, 'plain', 'bettina', 'from elsewhere'), [200, undefined]);
    t.deepEqual(await login(host, 'salted', 'bettina', 'from elsewhere'), [200, undefined]);
    t.like(await stored(host, 'salted', 'bettina'), { algorithm: 'salted', hashIterations: 3 });
    t.is((await reset('salted', 'anew'))[0], 204);
    t.deepEqual(await login(host, 'salted', 'bettina', 'anew'), [200, undefined]);
    t.deepEqual(await login(host, 'salted', 'bettina', 'from elsewhere'), [400, 'invalid_grant']);
    t.deepEqual(await login(host, 'salted', 'nobody', 'anything'), [400, 'invalid_grant']);
    // A failing hash does not sign in the user, and does not count as a wrong password.
    for (const [name, password] of Object.entries({ throws: 'it throws', nonsense: 'it is nonsense' })) {
      const [status, error] = await login(host, 'salted', name, password);
      t.deepEqual([status, error], [503, 'temporarily_unavailable'], name);
    }
    // The answers are general; the log has the plugin's error.
    const reasons = host.log
      .filter(({ message }) => message === 'a call of a provider failed')
      .map(({ fields }) => fields as { plugin: string; provider: string; realm: string; reason: string });
    for (const [provider, realm] of [
      ['password-policy/noWord', 'ruled'],
      ['password-hashing/salted', 'salted'],
    ]) {
      const told = reasons.filter((one) => one.plugin === 'words' && one.provider === provider && one.realm === realm);
      t.true(
        told.some(({ reason }) => reason === 'the list of words is away'),
        provider,
      );
      t.true(
        told.some(({ reason }) => /what its SPI does not allow/.test(reason)),
        provider,
      );
    }
    // A worker that dies is one that failed; and then it is not there for a while.
    for (const password of isolation === 'worker' ? ['it dies', 'from elsewhere'] : []) {
      t.is((await login(host, 'salted', 'dies', password))[0], 503, password);
      t.is((await reset('ruled', password))[0], 503, password);
    }
    t.deepEqual(await login(host, 'ruled', 'bettina', 'good enough'), [200, undefined]);
  });
}

test('password providers: an unknown policy, or an invalid value, is refused at its place', async (t) => {
  const host = await start(t, 'none');
  const call = await asAdmin(host);
  const cases: readonly [policy: string, message: RegExp][] = [
    ['noWords(shop)', /noWords.*is not known.*noWord/],
    ['noWord(ab)', /noWord: the value must NOT have fewer than 3 characters|noWord: the value .*3/],
    ['fewest', /fewest requires a value/],
    ['fewest(many)', /fewest: the value .*/],
    ['fewest(3)', /fewest: the value .*4/],
    ['hashAlgorithm(saltd)', /saltd.*is not known; known are .*salted/],
  ];
  for (const [passwordPolicy, message] of cases) {
    const { status, text } = await call('PUT', 'plain', { passwordPolicy });
    t.is(status, 400, passwordPolicy);
    t.regex(text, message, passwordPolicy);
  }
  t.is((await call('PUT', 'plain', { passwordPolicy: 'noWord(undefined) and fewest(9)' })).status, 204);
  // A hash of an unknown algorithm cannot be imported either.
  const credentials = [{ ...salted('x'), credentialData: '{"algorithm":"md4","hashIterations":1}' }];
  const refused = await call('POST', 'plain/users', { username: 'old', credentials });
  t.is(refused.status, 400);
  t.regex(refused.text, /md4/);
  t.is((await call('POST', 'plain/users', { username: 'new', credentials: [salted('x')] })).status, 201);
});

test('password providers: admins see the policies and algorithms of plugins beside the own ones', async (t) => {
  const host = await start(t, 'none');
  const call = await asAdmin(host);
  const { json } = await fetchAnswer(`${host.url}/admin/serverinfo`, {
    headers: bearer(
      (await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT })).json.access_token ?? '',
    ),
  });
  const info = json as unknown as {
    passwordPolicies: { id: string }[];
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  t.is(info.passwordPolicies.length, 20);
  t.deepEqual(
    info.passwordPolicies.filter(({ id }) => ['length', 'noWord', 'fewest', 'notEmail'].includes(id)),
    [
      { id: 'length', displayName: 'Minimum Length', configType: 'int', defaultValue: '8', multipleSupported: false },
      { id: 'notEmail', displayName: 'Not Email', multipleSupported: false },
      { id: 'noWord', displayName: 'No Word', configType: 'String', defaultValue: 'shop', multipleSupported: false },
      { id: 'fewest', displayName: 'fewest', configType: 'int', multipleSupported: false },
    ],
  );
  t.deepEqual(Object.keys(info.providers['password-hashing']?.providers ?? {}).sort(), [
    'argon2',
    'pbkdf2',
    'pbkdf2-sha256',
    'pbkdf2-sha512',
    'salted',
  ]);
  t.like(info.providers['password-hashing']?.providers.salted?.operationalInfo, { plugin: 'words' });
  t.is((await call('GET', 'plain')).status, 200);
});

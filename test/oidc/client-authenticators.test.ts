import { randomBytes } from 'node:crypto';
import { ClientAuthenticator, provide } from '@keyhost/spi';
import test from 'ava';
import { checkDefinition } from '../../core/registry/loading/plugin-shape.js';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** Clients that have a word in an attribute, and send it with a single-use number. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/words.js');

const client = (clientId: string, word?: string) => ({
  clientId,
  clientAuthenticatorType: 'word',
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  ...(word === undefined ? {} : { attributes: { word } }),
});
const realm = (name: string, ...clients: object[]) => {
  const { clients: own = [], ...rest } = testRealm(name, { providers: {} });
  return { ...rest, clients: [...own, ...(clients as typeof own)] };
};

for (const isolation of ['none', 'worker']) {
  test(`client authenticators of plugins: clients authenticate by a plugin at all endpoints (isolation ${isolation})`, async (t) => {
    const host = await startHost(t, {
      realms: [realm('demo', client('worded', 'sesame')), realm('other')],
      plugins: [{ module: 'words', isolation }],
      packages: { words: PLUGIN },
    });
    t.false(host.log.some(({ message }) => message.includes('cannot authenticate')));
    const ask = async (form: Record<string, string>, headers = {}) => {
      const whole = { grant_type: 'client_credentials', client_id: 'worded', ...form };
      const { status, json } = await host.token('demo', whole, headers);
      return [status, json.error, json.error_description] as unknown[];
    };
    const refused = (description = 'Invalid client or Invalid client credentials') => [
      401,
      'invalid_client',
      description,
    ];
    t.is((await ask({ word: 'sesame' }))[0], 200);
    t.is((await ask({ word: 'sesame', number: '1' }))[0], 200);
    t.deepEqual(await ask({ word: 'sesame', number: '1' }), refused('Token reuse detected'));
    t.is((await ask({ word: 'sesame', number: '2' }))[0], 200);
    // The client chooses the length of an assertion; a PostgreSQL index entry cannot hold 9 KB.
    const long = randomBytes(6750).toString('base64');
    t.is((await ask({ word: 'sesame', number: long }))[0], 200);
    t.deepEqual(await ask({ word: 'sesame', number: long }), refused('Token reuse detected'));
    t.is((await ask({ word: 'sesame', number: `${long.slice(0, -1)}-` }))[0], 200);
    t.deepEqual(await ask({ word: 'barley' }), refused());
    t.deepEqual(await ask({}), refused('word is missing'));
    // The plugin does not read the secret, so it proves nothing.
    t.deepEqual(await ask({ client_secret: 'svc-secret' }), refused('word is missing'));
    for (const word of ['throws', 'nonsense']) {
      t.deepEqual(await ask({ word }), [
        503,
        'temporarily_unavailable',
        'Clients cannot be authenticated at the moment.',
      ]);
    }
    const [event] = await host.stored('demo');
    t.like(event, { type: 'CLIENT_LOGIN_ERROR', error: 'temporarily_unavailable', clientId: 'worded' });
    const revoke = (word: string) =>
      fetchAnswer(`${host.oidc('demo')}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'worded', word, token: 'x' }),
      });
    const revoked = await revoke('sesame');
    t.is(revoked.status, 200, revoked.text);
    t.is((await revoke('throws')).status, 503);
    const last = (await host.stored('demo')).find(({ type }) => type.startsWith('REVOKE'));
    t.like(last, { type: 'REVOKE_GRANT_ERROR', error: 'temporarily_unavailable', clientId: 'worded' });
    const methods = async (name: string) =>
      (await fetchAnswer(`${host.realm(name)}/.well-known/openid-configuration`)).json
        .token_endpoint_auth_methods_supported as unknown as string[];
    t.true((await methods('demo')).includes('word_once'));
    // A method that no client uses is not listed.
    t.false((await methods('other')).includes('word_once'));
  });
}

test('client authenticators of plugins: admins see it with its settings, and missing ones are refused at their places', async (t) => {
  const host = await startAdministered(t, {
    realms: [realm('demo', client('worded', 'sesame'))],
    plugins: [{ module: 'words' }],
    packages: { words: PLUGIN },
  });
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const headers = { ...bearer(json.access_token ?? ''), 'content-type': 'application/json' };
  const get = async (path: string) => (await fetchAnswer(`${host.url}/admin/${path}`, { headers })).json as unknown;
  const listed = (await get('realms/demo/authentication/client-authenticator-providers')) as { id: string }[];
  t.deepEqual(
    listed.filter(({ id }) => ['word', 'client-jwt'].includes(id)),
    [
      {
        id: 'client-jwt',
        displayName: 'Signed JWT',
        description: 'Validates client based on signed JWT issued by client and signed with the Client private key',
        supportsSecret: false,
      },
      { id: 'word', displayName: 'Word', description: 'A word of the client.', supportsSecret: false },
    ],
  );
  const settings = (await get('realms/demo/authentication/per-client-config-description')) as Record<string, object[]>;
  t.like(settings.word?.[0], { name: 'word', label: 'Word', type: 'String', required: true });
  const info = (await get('serverinfo')) as { providers: Record<string, { providers: object }> };
  t.deepEqual(Object.keys(info.providers['client-authenticator']?.providers ?? {}).sort(), [
    'client-jwt',
    'client-secret',
    'client-secret-jwt',
    'client-x509',
    'federated-jwt',
    'word',
  ]);
  const made = (body: object) =>
    fetchAnswer(`${host.url}/admin/realms/demo/clients`, { method: 'POST', headers, body: JSON.stringify(body) });
  t.is((await made(client('second', 'barley'))).status, 201);
  const short = await made(client('third', 'abc'));
  t.is(short.status, 400, short.text);
  t.regex(short.text, /attributes\.word/);
});

test('client authenticators of plugins: a realm file that names it nearly, or leaves out its setting, is refused', async (t) => {
  for (const [clients, message] of [
    [[client('worded')], /clients\[7\]\.attributes: "word" is missing/],
    [
      [{ ...client('worded'), clientAuthenticatorType: 'wor' }],
      /clientAuthenticatorType: client authenticator "wor" not found/,
    ],
  ] as const) {
    const options = {
      realms: [realm('demo', ...clients)],
      plugins: [{ module: 'words' }],
      packages: { words: PLUGIN },
    };
    const error = await t.throwsAsync(startHost(t, options));
    const { problems } = error as unknown as { problems: { path: string; message: string }[] };
    t.regex(problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'), message);
  }
});

test('client authenticators of plugins: an ID that is the host’s own is refused: its check needs no provider', async (t) => {
  const own = PLUGIN.replace("id: 'word'", "id: 'client-secret'");
  const error = await t.throwsAsync(startHost(t, { plugins: [{ module: 'words' }], packages: { words: own } }));
  t.is((error as unknown as { code: string }).code, 'plugin_reserved_id');
});

test('client authenticators of plugins: a parameter that clients request with is refused as a credential, and named', async (t) => {
  for (const isolation of ['none', 'worker']) {
    const code = PLUGIN.replace("['word', 'number']", "['word', 'code']");
    const refused = await t.throwsAsync(
      startHost(t, { plugins: [{ module: 'words', isolation }], packages: { words: code } }),
    );
    t.is((refused as unknown as { code: string } | undefined)?.code, 'plugin_shape', isolation);
    t.is(
      refused?.message,
      'words: client-authenticator/word: parameters[1] must not be code: clients request with it, and it is no credential of theirs',
    );
  }
  const declare = (...parameters: string[]) => {
    const provider = { authMethods: ['word'], parameters, open: () => ({ create: () => ({ authenticate }) }) };
    checkDefinition(provide(ClientAuthenticator, { id: 'word', ...provider }), { name: 'words', builtin: false });
  };
  const taken = [
    'client_id',
    'grant_type',
    'scope',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'device_code',
    'username',
    'password',
    'totp',
    'subject_token',
    'subject_token_type',
    'requested_subject',
    'audience',
    'token',
    'response_type',
    'state',
    'nonce',
    'code_challenge',
    'request_uri',
    'login_hint',
  ];
  for (const name of taken)
    t.throws(() => declare(name), { message: new RegExp(` parameters\\[0] must not be ${name}:`) });
  // Standard methods of client authentication use these parameters.
  t.notThrows(() => declare('client_secret', 'client_assertion', 'client_assertion_type', 'codeword'));
});

async function authenticate() {
  return { outcome: 'success' } as const;
}

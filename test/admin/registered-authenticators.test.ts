import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** Clients of the first authenticator send a badge only. The word of the second is an attribute of the client. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/words.js');

const host = shareHost(
  test,
  administered({
    realms: [testRealm('demo', { providers: {} })],
    plugins: [{ module: 'words' }],
    packages: { words: PLUGIN },
  }),
);

type Json = Record<string, unknown>;

async function registering() {
  const call = await adminCaller(host());
  const { token = '' } = (await call('POST', '/realms/demo/clients-initial-access', { count: 100 })).json;
  return async (path: string, body: object, method = 'POST', access = token) => {
    const answer = await fetchAnswer(`${host().realm('demo')}/clients-registrations/${path}`, {
      method,
      headers: { ...bearer(access), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: answer.json as Json };
  };
}

const ROBOT = { grant_types: ['client_credentials'], response_types: [], redirect_uris: ['https://app.test/cb'] };
const asks = async (clientId: unknown, proof: Record<string, string>) => {
  const form = { grant_type: 'client_credentials', client_id: String(clientId), ...proof };
  return (await host().token('demo', form)).status;
};

test('client authenticators of plugins: a client registers for one in the words of OpenID Connect, by each of its methods', async (t) => {
  const register = await registering();
  for (const method of ['badge_post', 'badge_header']) {
    const { status, json } = await register('openid-connect', { ...ROBOT, token_endpoint_auth_method: method });
    t.is(status, 201, JSON.stringify(json));
    t.is(json.token_endpoint_auth_method, 'badge_post');
    t.false('client_secret' in json, 'it has no use for a secret');
    t.is(await asks(json.client_id, { badge: 'shown' }), 200);
    t.is(await asks(json.client_id, { badge: 'none' }), 401);
  }
  const { json } = await register('openid-connect', { ...ROBOT, token_endpoint_auth_method: 'client_secret_post' });
  t.is(await asks(json.client_id, { client_secret: String(json.client_secret) }), 200, 'a method of the host’s own');
  t.is(await asks(json.client_id, { badge: 'shown' }), 401);
  const changed = { ...ROBOT, client_id: json.client_id, token_endpoint_auth_method: 'badge_post' };
  const path = `openid-connect/${json.client_id}`;
  const access = String(json.registration_access_token);
  t.like(await register(path, changed, 'PUT', access), {
    status: 200,
    json: { token_endpoint_auth_method: 'badge_post' },
  });
  t.is(await asks(json.client_id, { badge: 'shown' }), 200);
});

test('client authenticators of plugins: a client registers in Keycloak’s words, with its settings, and one without them is refused', async (t) => {
  const register = await registering();
  const sent = { clientAuthenticatorType: 'word', serviceAccountsEnabled: true, redirectUris: ['https://app.test/cb'] };
  const made = await register('default', { ...sent, clientId: 'worded', attributes: { word: 'sesame' } });
  t.like(made, { status: 201, json: { clientAuthenticatorType: 'word' } });
  t.is(await asks('worded', { word: 'sesame' }), 200);
  const access = String(made.json.registrationAccessToken);
  const without = { ...sent, clientId: 'worded', attributes: { word: null } };
  t.is((await register('default/worded', without, 'PUT', access)).status, 400);
  t.is(await asks('worded', {}), 401);
  for (const { status, json } of [
    await register('default', { ...sent, clientId: 'silent' }),
    await register('openid-connect', { ...ROBOT, token_endpoint_auth_method: 'word_once' }),
  ]) {
    t.is(status, 400);
    t.is(json.error, 'invalid_client_metadata');
    t.regex(String(json.error_description), /attributes: "word" is missing/);
  }
});

test('client authenticators of plugins: an unknown one is refused, and an admin may name it', async (t) => {
  const register = await registering();
  const unknown = await register('openid-connect', { ...ROBOT, token_endpoint_auth_method: 'sword_once' });
  t.deepEqual(unknown.json, {
    error: 'invalid_client_metadata',
    error_description: 'token_endpoint_auth_method: sword_once is not supported',
  });
  for (const type of ['client-x509', 'pass-phrase']) {
    const sent = { clientId: `of-${type}`, clientAuthenticatorType: type, redirectUris: ['https://app.test/cb'] };
    const { status, json } = await register('default', sent);
    t.is(status, 400);
    t.deepEqual(json, {
      error: 'invalid_client_metadata',
      error_description: `clientAuthenticatorType: "${type}" is not supported: client of-${type} cannot authenticate`,
    });
  }
  const call = await adminCaller(host());
  const told = () => host().log.filter(({ message }) => message.includes('cannot authenticate')).length;
  for (const [type, warnings] of [
    ['badge', 0],
    ['client-x509', 1],
  ] as const) {
    const made = await call('POST', '/realms/demo/clients', { clientId: `by-${type}`, clientAuthenticatorType: type });
    t.is(made.status, 201, made.text);
    t.is(told(), warnings, type);
  }
});

test('client authenticators of plugins: an admin converts a description that names the method of a plugin', async (t) => {
  const call = await adminCaller(host());
  const described = { ...ROBOT, token_endpoint_auth_method: 'badge_header' };
  const { status, json } = await call('POST', '/realms/demo/client-description-converter', described);
  t.is(status, 200);
  t.is((json as Json).clientAuthenticatorType, 'badge');
});

import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { adminClient, administered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, administered({ realms: [guardedRealm('demo')] }));

async function registering() {
  const admin = await adminClient(host());
  const access = await admin.realms.createClientsInitialAccess({ realm: 'demo' }, { count: 100, expiration: 0 });
  const { token } = access as { token: string };
  return (metadata: object, format: 'openid-connect' | 'default' = 'openid-connect') => {
    const redirects = { [format === 'default' ? 'redirectUris' : 'redirect_uris']: ['https://app.test/cb'] };
    return fetchAnswer(`${host().realm('demo')}/clients-registrations/${format}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...redirects, ...metadata }),
    });
  };
}

test('T583 · client registration: a registration that asks for a protection that is not there is refused, and names it', async (t) => {
  const register = await registering();
  for (const metadata of [
    { tls_client_certificate_bound_access_tokens: true },
    { dpop_bound_access_tokens: true },
    { dpop_bound_access_tokens: 'true' },
    { require_signed_request_object: true },
    { default_acr_values: ['gold'] },
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app' },
    { token_endpoint_auth_method: 'self_signed_tls_client_auth' },
    { grant_types: ['urn:openid:params:grant-type:ciba'] },
    { response_types: ['id_token'] },
    { subject_type: 'hidden' },
  ]) {
    const [name = ''] = Object.keys(metadata);
    const { status, json } = await register(metadata);
    t.deepEqual([status, json.error], [400, 'invalid_client_metadata'], name);
    t.true(String(json.error_description).startsWith(`${name}: `), String(json.error_description));
  }
});

test('T890 · client registration: metadata that Keyhost does not understand are ignored at each door, and the answer names them', async (t) => {
  const register = await registering();
  const ignored = {
    require_auth_time: true,
    default_max_age: 60,
    request_object_signing_alg: 'PS256',
    request_object_encryption_enc: 'A256GCM',
    id_token_encrypted_response_alg: 'RSA-OAEP',
    userinfo_encrypted_response_alg: 'RSA-OAEP',
    authorization_signed_response_alg: 'PS256',
    introspection_signed_response_alg: 'RS256',
    tls_client_auth_subject_dn: 'CN=app',
    software_statement: 'a.b.c',
  };
  const names = Object.keys(ignored);
  const made = await register({ ...ignored, grant_types: ['authorization_code', 'urn:example:grant'] });
  t.is(made.status, 201, made.text);
  t.deepEqual(
    names.filter((name) => name in made.json),
    [],
  );
  t.deepEqual(made.json.grant_types, ['authorization_code', 'refresh_token']);
  t.is(made.headers.get('keyhost-ignored'), names.join(', '));
  const { client_id, registration_client_uri: address } = made.json;
  let { registration_access_token: token } = made.json;
  const change = async (metadata: object) => {
    const answer = await fetchAnswer(String(address), {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    token = answer.json.registration_access_token ?? token;
    return answer;
  };
  const changed = await change({ ...made.json, contacts: ['a@b.test'], x_unknown: { y: 1 } });
  t.deepEqual([changed.status, changed.headers.get('keyhost-ignored')], [200, 'contacts, x_unknown'], changed.text);
  for (const protection of ['dpop_bound_access_tokens', 'require_signed_request_object']) {
    const { status, json } = await change({ client_id, redirect_uris: ['https://app.test/cb'], [protection]: true });
    t.deepEqual([status, json.error], [400, 'invalid_client_metadata'], protection);
  }
});

test('T891 · client registration: names that a registrant makes up break no header, and switch nothing on', async (t) => {
  const register = await registering();
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
  const odd = { constructor: 1, 'a\r\nSet-Cookie: b': 1 };
  const answers = [await register({ ...many }), await register(odd), await register({ ['é'.repeat(5000)]: 1 })];
  for (const { status, headers, text } of answers) {
    t.is(status, 201, text);
    const named = headers.get('keyhost-ignored') ?? '';
    t.true(named.length > 0 && named.length < 2500 && /^[\x20-\x7e]+$/.test(named), named);
    t.is(headers.get('set-cookie'), null);
  }
  const inherited = JSON.parse('{"__proto__":{"dpop_bound_access_tokens":true}}');
  t.is((await register(inherited)).status, 400);
  for (const word of [{ addsScopes: true }, { subjects: { type: 'pairwise' } }]) {
    const body = { clientId: 'words', optionalClientScopes: ['phone'], ...word };
    const { status, json } = await register(body, 'default');
    const { defaultClientScopes, protocolMappers } = json;
    t.true(
      status === 400 || isDeepStrictEqual([defaultClientScopes, protocolMappers], [['basic'], undefined]),
      String(status),
    );
  }
});

test('T892 · client registration: a scope of a registration leaves the default scopes of the realm, and the policy decides on each name', async (t) => {
  const register = await registering();
  const admin = await adminClient(host());
  const scopesOf = async (metadata: object, format: 'openid-connect' | 'default' = 'openid-connect') => {
    const { status, json, text } = await register(metadata, format);
    t.is(status, 201, text);
    const [found] = await admin.clients.find({ realm: 'demo', clientId: String(json.client_id ?? json.clientId) });
    return { shown: json.scope, default: found?.defaultClientScopes?.sort(), optional: found?.optionalClientScopes };
  };
  const always = (await scopesOf({})).default ?? [];
  t.true(['acr', 'basic', 'email', 'profile', 'roles', 'web-origins'].every((name) => always.includes(name)));
  t.deepEqual(await scopesOf({ scope: 'openid phone phone' }), {
    shown: 'phone',
    default: always,
    optional: ['phone'],
  });
  t.deepEqual(await scopesOf({ scope: '' }), { shown: '', default: always, optional: [] });
  // As in Keycloak, the named ones are optional. Keycloak removes the others, except `basic`.
  t.deepEqual(await scopesOf({ scope: 'openid profile email' }), {
    shown: 'profile email',
    default: always.filter((name) => !['profile', 'email'].includes(name)),
    optional: ['profile', 'email'],
  });
  const own = { clientId: 'named', optionalClientScopes: ['phone'] };
  t.deepEqual(await scopesOf(own, 'default'), { shown: undefined, default: ['basic'], optional: ['phone'] });
  for (const scope of ['newsletterscope', 'no-such-scope', 'phone newsletterscope']) {
    const { status, text } = await register({ scope });
    t.is(status, 403, scope);
    t.regex(text, /Allowed Client Scopes/);
  }
});

test('T583 · client registration: settings that ask for nothing, or promise no protection, are not in the response', async (t) => {
  const register = await registering();
  const nothing = {
    require_auth_time: false,
    dpop_bound_access_tokens: null,
    id_token_encrypted_response_alg: 'none',
    request_object_signing_alg: 'any',
    default_acr_values: [],
  };
  const { status, json } = await register({ ...nothing, contacts: ['a@b.test'], application_type: 'native' });
  t.is(status, 201);
  t.deepEqual(
    [...Object.keys(nothing), 'contacts', 'application_type'].filter((name) => name in json),
    [],
  );
});

test('T583 · client registration: the response has what was accepted', async (t) => {
  const register = await registering();
  const taken = {
    client_name: 'App',
    client_uri: 'https://app.test',
    logo_uri: 'https://app.test/logo.png',
    policy_uri: 'https://app.test/policy',
    tos_uri: 'https://app.test/terms',
    post_logout_redirect_uris: ['https://app.test/bye'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    id_token_signed_response_alg: 'ES256',
    userinfo_signed_response_alg: 'PS256',
    subject_type: 'pairwise',
    jwks_uri: 'https://app.test/keys',
    scope: 'phone',
    backchannel_logout_uri: 'https://app.test/back',
    backchannel_logout_session_required: true,
    frontchannel_logout_uri: 'https://app.test/front',
    frontchannel_logout_session_required: false,
    require_pushed_authorization_requests: true,
  };
  const { status, json, text } = await register(taken);
  t.is(status, 201, text);
  t.like(json, taken);
});

test('T586 · client registration: so is one in the words of Keycloak, new or changed', async (t) => {
  const register = await registering();
  const { json: own } = await register({ clientId: 'own' }, 'default');
  let token = String(own.registrationAccessToken);
  const change = (body: object) =>
    fetchAnswer(`${host().realm('demo')}/clients-registrations/default/own`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...own, ...body }),
    });
  for (const [name, value] of Object.entries({
    'dpop.bound.access.tokens': 'true',
    'tls.client.certificate.bound.access.tokens': 'true',
    'request.object.required': 'request or request_uri',
    'request.object.signature.alg': 'PS256',
    'id.token.encrypted.response.alg': 'RSA-OAEP',
    'user.info.encrypted.response.enc': 'A256GCM',
    'authorization.signed.response.alg': 'PS256',
    'client.secret.authentication.allowed.method': 'client_secret_basic',
    'logout.confirmation.enabled': 'true',
  })) {
    for (const ask of [register, change]) {
      const { status, json } = await ask({ attributes: { [name]: value } }, 'default');
      t.deepEqual([status, json.error], [400, 'invalid_client_metadata'], name);
      t.true(String(json.error_description).startsWith(`${name}: is not supported`), String(json.error_description));
    }
  }
  const x509 = await register({ clientAuthenticatorType: 'client-x509' }, 'default');
  t.deepEqual([x509.status, x509.json.error], [400, 'invalid_client_metadata'], x509.text);
  const changed = await change({ description: 'Mine', attributes: { 'dpop.bound.access.tokens': 'false' } });
  t.is(changed.status, 200, changed.text);
  token = String(changed.json.registrationAccessToken);
  const told = await change({ implicitFlowEnabled: true, attributes: { 'request.uris': 'https://app.test/r' } });
  t.deepEqual(
    [told.status, told.headers.get('keyhost-ignored')],
    [200, 'implicitFlowEnabled, attributes["request.uris"]'],
  );
});

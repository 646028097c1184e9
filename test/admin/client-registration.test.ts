import test from 'ava';
import * as client from 'openid-client';
import { adminCaller, adminClient, administered } from '../helpers/admin.js';
import { edited } from '../helpers/forge.js';
import { claimsOf, fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { guardedRealm, idIn } from '../helpers/realms.js';
import { startSector } from '../helpers/sector-identifier-server.js';
import { shareHost } from '../helpers/shared-host.js';
import { opened } from '../helpers/token-endpoints.js';

/** The test that changes the time must run first. */
const clock = new TestClock();
const shared = shareHost(test, administered({ realms: [guardedRealm('other')], clock }));
const REDIRECT = 'https://app.test/cb';

async function started() {
  const host = await inRealm(shared(), guardedRealm);
  const realm = host.defaultRealm;
  const initial = async (count: number, expiration = 0) => {
    const admin = await adminClient(host);
    return ((await admin.realms.createClientsInitialAccess({ realm }, { count, expiration })) as { token: string })
      .token;
  };
  return { host, initial };
}

const registrations = (host: TestHost, kind = 'openid-connect', name = host.defaultRealm) =>
  `${host.realm(name)}/clients-registrations/${kind}`;

function send(method: string, url: string, token: string | undefined, body?: object) {
  return fetchAnswer(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('client registration: openid-client registers a client with an initial access token, and signs it in with the result', async (t) => {
  const { host, initial } = await started();
  const config = await client.dynamicClientRegistration(
    new URL(host.realm(host.defaultRealm)),
    { client_name: 'Robot', grant_types: ['client_credentials'], response_types: [] },
    client.ClientSecretBasic(),
    { initialAccessToken: await initial(1), execute: [client.allowInsecureRequests] },
  );
  const tokens = await client.clientCredentialsGrant(config);
  t.is(claimsOf(tokens.access_token).azp, config.clientMetadata().client_id);
});

test('client registration: a registered client is read, changed and removed with its token, which every change replaces', async (t) => {
  const { host, initial } = await started();
  const created = await send('POST', registrations(host), await initial(1), {
    redirect_uris: [REDIRECT],
    post_logout_redirect_uris: ['https://app.test/bye', 'https://app.test/end'],
    client_name: 'App',
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'openid phone',
  });
  t.is(created.status, 201, created.text);
  const own = created.json as Record<string, unknown>;
  t.like(own, {
    client_name: 'App',
    redirect_uris: [REDIRECT],
    post_logout_redirect_uris: ['https://app.test/bye', 'https://app.test/end'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code', 'none'],
    client_secret_expires_at: 0,
    scope: 'phone',
  });
  const address = String(own.registration_client_uri);
  t.is(created.headers.get('location'), address);
  t.is(created.headers.get('cache-control'), 'no-store');
  const first = String(own.registration_access_token);
  t.like(claimsOf(first), {
    typ: 'RegistrationAccessToken',
    iss: host.realm(host.defaultRealm),
    aud: host.realm(host.defaultRealm),
  });
  const read = await send('GET', address, first);
  t.like(read.json, { client_id: own.client_id, client_secret: own.client_secret });
  const renamed = { redirect_uris: [REDIRECT], client_name: 'New name', client_id: own.client_id };
  t.is((await send('PUT', address, first, { ...renamed, client_id: 'other' })).json.error, 'invalid_client_metadata');
  const changed = await send('PUT', address, first, renamed);
  t.is(changed.status, 200, changed.text);
  t.is(changed.json.client_name, 'New name');
  t.is(changed.json.client_secret, own.client_secret);
  const second = String(changed.json.registration_access_token);
  t.is((await send('GET', address, first)).status, 401, 'the token before is good no longer');
  t.is(
    (await send('PUT', address, second, { ...renamed, redirect_uris: ['javascript:alert(1)'] })).json.error,
    'invalid_redirect_uri',
  );
  const byDefault = address.replace('openid-connect', 'default');
  const disabled = { clientId: own.client_id, enabled: false, description: 'Mine' };
  const third = String((await send('PUT', byDefault, second, disabled)).json.registrationAccessToken);
  t.like((await send('GET', byDefault, third)).json, { enabled: true, description: 'Mine' });
  t.is((await send('DELETE', address, third)).status, 204);
  t.is((await send('GET', address, third)).status, 401);
  const types = (await host.stored(host.defaultRealm)).map(({ type }) => type);
  for (const type of ['CLIENT_REGISTER', 'CLIENT_UPDATE', 'CLIENT_DELETE', 'CLIENT_UPDATE_ERROR'])
    t.true(types.includes(type), type);
});

test.serial(
  'client registration: an initial access token registers as many clients as it says, even in parallel, until it expires',
  async (t) => {
    const { host, initial } = await started();
    const realm = host.defaultRealm;
    const admin = await adminClient(host);
    const token = await initial(2);
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => send('POST', registrations(host), token, { redirect_uris: [REDIRECT] })),
    );
    t.deepEqual(tries.map(({ status }) => status).sort(), [201, 201, 401, 401, 401, 401]);
    t.is(
      tries.find(({ status }) => status === 401)?.json.error_description,
      'No remaining count on initial access token',
    );
    const short = await initial(1, 60);
    const refused = await send('POST', registrations(host), short, { redirect_uris: ['http://x.test/#f'] });
    t.is(refused.json.error, 'invalid_redirect_uri');
    const [access] = (await admin.realms.getClientsInitialAccess({ realm })).slice(-1);
    t.like(access, { count: 1, remainingCount: 1, expiration: 60 }, 'what was refused is not counted');
    t.false('token' in (access ?? {}));
    clock.forward(61);
    t.is((await send('POST', registrations(host), short, { redirect_uris: [REDIRECT] })).status, 401);
    const gone = await initial(1);
    const again = await adminClient(host);
    const listed = await again.realms.getClientsInitialAccess({ realm });
    t.is(listed.length, 1, 'those that are used up or expired are forgotten');
    await again.realms.delClientsInitialAccess({ realm, id: listed[0]?.id ?? '' });
    t.is((await send('POST', registrations(host), gone, { redirect_uris: [REDIRECT] })).status, 401);
    const negative = await (await adminCaller(host))('POST', `/realms/${host.defaultRealm}/clients-initial-access`, {
      count: -1,
    });
    t.deepEqual([negative.status, negative.json.error], [400, 'Invalid value for count']);
  },
);

test('client registration: nobody registers without a token or the role for it, and other tokens are refused', async (t) => {
  const { host, initial } = await started();
  const metadata = { redirect_uris: [REDIRECT] };
  const anonymous = await send('POST', registrations(host), undefined, metadata);
  t.is(anonymous.status, 403);
  t.regex(anonymous.text, /"insufficient_scope".*Trusted Hosts/);
  const access = async (username: string, password: string) =>
    String(
      (await host.token(host.defaultRealm, { grant_type: 'password', client_id: 'admin-cli', username, password })).json
        .access_token,
    );
  const alice = await access('alice', 'Alice-pass-1!');
  const dave = await access('dave', 'Dave-pass-1!');
  t.is((await send('POST', registrations(host), alice, metadata)).status, 403);
  t.is((await send('POST', registrations(host, 'openid-connect', 'other'), dave, metadata)).status, 401);
  const created = await send('POST', registrations(host), dave, metadata);
  t.is(created.status, 201);
  const web = `${registrations(host, 'default')}/web`;
  t.is((await send('GET', web, alice)).status, 403);
  t.is((await send('GET', web, dave)).json.clientId, 'web');
  const own = String(created.json.registration_access_token);
  t.is((await send('GET', web, own)).status, 401, 'the token of another client');
  t.is((await send('GET', `${registrations(host, 'default')}/none`, own)).status, 401);
  const token = await initial(2);
  t.is((await send('GET', web, token)).status, 401);
  t.is((await send('DELETE', web, token)).status, 401);
  t.deepEqual(
    (await opened(host, token)).map((door) => door.split(':')[0]),
    ['client registration'],
  );
  t.deepEqual(await opened(host, own), []);
  t.deepEqual(await opened(host, token, 'other'), []);
  t.deepEqual(await opened(host, edited(token, { jti: claimsOf(own).jti })), []);
  const { status, headers } = await send('PATCH', registrations(host), token);
  t.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS']);
  t.is((await send('POST', registrations(host, 'saml2-entity-descriptor'), token, {})).status, 404);
});

test('client registration: metadata that a caller may not set is refused with a reason', async (t) => {
  const { host, initial } = await started();
  const token = await initial(1);
  const refusals: [string, object, number, RegExp][] = [
    ['openid-connect', { client_id: 'chosen' }, 400, /Client Identifier included/],
    ['openid-connect', { response_types: ['token'] }, 400, /response_types: token is not supported/],
    ['openid-connect', { grant_types: ['implicit'] }, 400, /grant_types: implicit is not supported/],
    ['openid-connect', { token_endpoint_auth_method: 'private_key_jwt' }, 400, /requires jwks or jwks_uri/],
    ['openid-connect', { jwks: { keys: [{ kty: 'RSA', d: 'x' }] } }, 400, /contains private keys/],
    [
      'openid-connect',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
      400,
      /requires jwks or jwks_uri/,
    ],
    ['openid-connect', { jwks_uri: 'file:///etc/passwd' }, 400, /jwks.url: must be an http or https URL/],
    ['openid-connect', { redirect_uris: ['*'] }, 400, /would allow every redirect URI/],
    ['openid-connect', { subject_type: 'other' }, 400, /subject_type: other is not supported/],
    ['openid-connect', { redirect_uris: 'https://app.test' }, 400, /redirect_uris: must be/],
    ['openid-connect', { scope: 'newsletterscope' }, 403, /Allowed Client Scopes/],
    ['default', { clientId: 'web' }, 400, /Client Identifier in use/],
    ['default', { clientId: 'security-admin-console', redirectUris: [REDIRECT] }, 403, /insufficient_scope/],
    ['default', { clientId: 'x', impersonation: { enabled: true } }, 403, /insufficient_scope/],
    [
      'default',
      { clientId: 'x', protocolMappers: [{ name: 'm', protocolMapper: 'oidc-hardcoded-role-mapper' }] },
      403,
      /Mapper Types/,
    ],
  ];
  for (const [kind, body, status, text] of refusals) {
    const answer = await send('POST', registrations(host, kind), token, body);
    t.is(answer.status, status, answer.text);
    t.regex(answer.text, text);
  }
  t.is((await send('POST', registrations(host, 'default'), token, { clientId: 'mine', id: 'chosen' })).status, 201);
  t.not((await host.realms.get(host.defaultRealm))?.clients.get('mine')?.id, 'chosen');
  const call = await adminCaller(host);
  const described = await call('POST', `/realms/${host.defaultRealm}/client-description-converter`, {
    redirect_uris: [REDIRECT],
  });
  t.like(described.json, { redirectUris: [REDIRECT], publicClient: false });
  t.is(
    (await call('POST', `/realms/${host.defaultRealm}/client-description-converter`, { redirect_uris: 1 })).status,
    400,
  );
});

test('client registration: an empty key set is accepted, and removes the previous one', async (t) => {
  const { host, initial } = await started();
  const metadata = { redirect_uris: [REDIRECT] };
  const jwks = { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] };
  const bare = await send('POST', registrations(host), await initial(1), { ...metadata, jwks: { keys: [] } });
  t.deepEqual([bare.status, bare.json.jwks], [201, undefined], bare.text);
  const signing = await send('POST', registrations(host), await initial(1), { ...metadata, jwks });
  t.deepEqual([signing.status, signing.json.jwks], [201, jwks], signing.text);
  const { registration_client_uri: address, registration_access_token: token, client_id } = signing.json;
  const changed = await send('PUT', String(address), String(token), { ...metadata, client_id, jwks: { keys: [] } });
  t.deepEqual([changed.status, changed.json.jwks], [200, undefined], changed.text);
});

test('client registration: a client is registered with pairwise subjects, keeps them by its salt, and shows them again', async (t) => {
  const { host, initial } = await started();
  const listed = [REDIRECT, 'https://other.test/cb'];
  const sector = await startSector(t, listed);
  const token = await initial(1);
  const pairwise = { redirect_uris: listed, subject_type: 'pairwise' };
  const refusals: [object, RegExp][] = [
    [pairwise, /must not contain multiple host components/],
    [{ subject_type: 'pairwise', redirect_uris: [] }, /must contain a valid host component/],
    [{ ...pairwise, sector_identifier_uri: 'no address' }, /Invalid Sector Identifier URI/],
    [{ ...pairwise, sector_identifier_uri: `${sector.url}nothing` }, /Failed to get redirect URIs/],
    [
      { ...pairwise, redirect_uris: [...listed, 'https://third.test/'], sector_identifier_uri: sector.url },
      /does not match redirect URIs fetched/,
    ],
  ];
  for (const [body, words] of refusals) {
    const { status, json } = await send('POST', registrations(host), token, body);
    t.deepEqual([status, json.error], [400, 'invalid_client_metadata']);
    t.regex(json.error_description ?? '', words);
  }
  const sent = { ...pairwise, subject_type: 'PAIRWISE', sector_identifier_uri: sector.url, grant_types: ['password'] };
  const created = await send('POST', registrations(host), token, sent);
  t.is(created.status, 201, created.text);
  t.like(created.json, { subject_type: 'pairwise', sector_identifier_uri: sector.url });
  const { client_id: clientId, client_secret: secret, registration_client_uri: uri } = created.json;
  const mapperOf = async () =>
    (await host.realms.get(host.defaultRealm))?.representation.clients?.find((one) => one.clientId === clientId)
      ?.protocolMappers?.[0];
  const mapper = await mapperOf();
  t.like(mapper, { name: 'pairwise subject identifier', protocolMapper: 'oidc-sha256-pairwise-sub-mapper' });
  t.regex(mapper?.config?.pairwiseSubAlgorithmSalt ?? '', /^[0-9a-f-]{36}$/);
  t.is(mapper?.config?.sectorIdentifierUri, sector.url);
  const subject = async () => {
    const login = { grant_type: 'password', client_id: clientId ?? '', client_secret: secret ?? '' };
    const { json } = await host.token(host.defaultRealm, { ...login, username: 'alice', password: 'Alice-pass-1!' });
    return claimsOf(json.access_token ?? '').sub;
  };
  const before = await subject();
  t.not(before, idIn(host.defaultRealm));
  let owner = created.json.registration_access_token;
  const put = async (body: object) => {
    const answer = await send('PUT', uri ?? '', owner, { client_id: clientId, grant_types: ['password'], ...body });
    if (answer.status === 200) owner = answer.json.registration_access_token;
    return answer;
  };
  t.is((await put({ ...pairwise })).status, 400, 'two hosts need their sector');
  t.is((await put({ ...pairwise, sector_identifier_uri: sector.url })).status, 200);
  t.is(await subject(), before);
  const single = await put({ redirect_uris: [REDIRECT], subject_type: 'pairwise' });
  t.false('sector_identifier_uri' in single.json);
  t.is((await mapperOf())?.config?.pairwiseSubAlgorithmSalt, mapper?.config?.pairwiseSubAlgorithmSalt);
  t.is((await mapperOf())?.id, mapper?.id);
  t.like((await send('GET', uri ?? '', owner)).json, { subject_type: 'pairwise' });
  t.like((await put({ redirect_uris: [REDIRECT] })).json, { subject_type: 'public' });
  t.is(await subject(), idIn(host.defaultRealm));
  const call = await adminCaller(host);
  const body = { redirect_uris: [REDIRECT], subject_type: 'pairwise' };
  const described = await call('POST', `/realms/${host.defaultRealm}/client-description-converter`, body);
  t.regex(described.text, /oidc-sha256-pairwise-sub-mapper/);
  t.notRegex(described.text, /"subjects"/);
});

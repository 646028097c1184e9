import test from 'ava';
import { type adminCaller, administered, calledRealm } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** Requests of Keycloak's clients, with the answers of Keycloak 26.7.3. */
const started = () => calledRealm(shared());

test('Admin API, as Keycloak: unknown required actions are dropped and reported, and lock nobody out', async (t) => {
  const { host, call, realm } = await started();
  const actions = async (id: string) => (await call('GET', `${realm}/users/${id}`)).json.requiredActions;
  const password = 'Gopher-pass-1!';
  const created = await call('POST', `${realm}/users`, {
    username: 'gopher',
    enabled: true,
    firstName: 'G',
    lastName: 'O',
    email: 'gopher@example.test',
    credentials: [{ type: 'password', value: password }],
    requiredActions: ['', 'foo', 'update_password'],
  });
  t.deepEqual(
    [created.status, created.headers.get('keyhost-ignored')],
    [201, 'requiredActions[1], requiredActions[2]'],
  );
  const id = created.headers.get('location')?.split('/').pop() ?? '';
  const login = { grant_type: 'password', client_id: 'admin-cli', username: 'gopher', password };
  t.is((await host.token(host.defaultRealm, login)).status, 200);
  for (const [sent, kept] of [
    [
      ['UPDATE_PASSWORD', 'bar', 'idp_link'],
      ['UPDATE_PASSWORD', 'idp_link'],
    ],
    [null, ['UPDATE_PASSWORD', 'idp_link']],
    [['VERIFY_EMAIL'], ['VERIFY_EMAIL']],
    [[''], []],
  ] as const) {
    t.is((await call('PUT', `${realm}/users/${id}`, { requiredActions: sent })).status, 204);
    t.deepEqual(await actions(id), kept, JSON.stringify(sent));
  }
});

test('Admin API, as Keycloak: a step’s configuration is created by itself, and found by its ID below any step', async (t) => {
  const { call, realm, made } = await started();
  const empty = 'Failed to create authentication execution configuration with empty alias name';
  const id = await made('/authentication/config', { alias: 'c1', config: { defaultProvider: 'x' } });
  for (const [sent, status, answer] of [
    [{ alias: 'c1', config: {} }, 409, 'Authentication execution configuration c1 already exists'],
    [{ config: { a: 'b' } }, 409, empty],
    [{ alias: '' }, 409, empty],
    [{ alias: 'c2', x: 1 }, 400, undefined],
  ] as const) {
    const refused = await call('POST', `${realm}/authentication/config`, sent);
    t.is(refused.status, status, JSON.stringify(sent));
    if (answer !== undefined) t.deepEqual(refused.json, { errorMessage: answer });
  }
  const whole = { id, alias: 'c1', config: { defaultProvider: 'x' } };
  for (const path of [`config/${id}`, `executions/nope/config/${id}`]) {
    t.deepEqual((await call('GET', `${realm}/authentication/${path}`)).json, whole, path);
  }
  const unknown = await call('GET', `${realm}/authentication/executions/nope/config/nope`);
  t.deepEqual([unknown.status, unknown.json], [404, { error: 'Could not find authenticator config' }]);
});

test('Admin API, as Keycloak: a public client can have a secret, which authenticates nothing and is hidden until the client is confidential', async (t) => {
  const { host, call, realm, made } = await started();
  const id = await made('/clients', { clientId: 'pub', publicClient: true, directAccessGrantsEnabled: true });
  const path = `${realm}/clients/${id}`;
  t.deepEqual((await call('GET', `${path}/client-secret`)).json, { type: 'secret' });
  const { value } = (await call('POST', `${path}/client-secret`)).json as { value?: string };
  t.is(typeof value, 'string');
  t.deepEqual((await call('GET', `${path}/client-secret`)).json, { type: 'secret', value });
  t.is((await call('GET', path)).json.secret, undefined);
  t.is((await call('PUT', path, { clientId: 'pub', description: 'x' })).status, 204);
  t.is((await call('PUT', path, { clientId: 'pub', publicClient: false, serviceAccountsEnabled: true })).status, 204);
  t.deepEqual((await call('GET', `${path}/client-secret`)).json, { type: 'secret', value });
  const form = { grant_type: 'client_credentials', client_id: 'pub', client_secret: value as string };
  t.is((await host.token(host.defaultRealm, form)).status, 200);
  t.is((await call('PUT', path, { clientId: 'pub', publicClient: true })).status, 204);
  t.deepEqual((await call('GET', `${path}/client-secret`)).json, { type: 'secret' }, 'what was in use is gone');
});

test('Admin API, as Keycloak: import-config reads the metadata of the form', async (t) => {
  const { host, call, realm } = await started();
  const at = 'https://idp.example.test';
  const document = { issuer: at, authorization_endpoint: `${at}/a`, token_endpoint: `${at}/t`, jwks_uri: `${at}/j` };
  const send = (parts: Readonly<Record<string, string | Blob>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(parts)) body.set(name, value);
    return uploaded(host, call, `${realm}/identity-provider/import-config`, body);
  };
  const text = JSON.stringify(document);
  const config = {
    issuer: at,
    authorizationUrl: `${at}/a`,
    tokenUrl: `${at}/t`,
    jwksUrl: `${at}/j`,
    useJwksUrl: 'true',
    validateSignature: 'true',
  };
  const unparsed = { error: 'invalid_request', error_description: 'Cannot parse the JSON' };
  for (const [parts, status, answer] of [
    [{ providerId: 'oidc', file: new Blob([text]) }, 200, config],
    [{ providerId: 'oidc', file: text }, 200, config],
    [{ providerId: 'oidc', file: '{}' }, 200, {}],
    [{ providerId: 'oidc', file: 'hello' }, 400, unparsed],
    [{ providerId: 'oidc' }, 400, undefined],
    [{ file: text }, 400, undefined],
    [{ providerId: 'nope', file: text }, 400, undefined],
  ] as const) {
    const got = await send(parts);
    t.is(got.status, status, got.text);
    if (answer !== undefined) t.deepEqual(got.json, answer);
  }
});

async function uploaded(host: TestHost, call: Awaited<ReturnType<typeof adminCaller>>, path: string, body: FormData) {
  const request = new Request(`${host.url}/admin${path}`, { method: 'POST', body });
  return call('POST', path, await request.text(), { 'content-type': request.headers.get('content-type') ?? '' });
}

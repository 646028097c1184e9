import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { claimsOf } from '../helpers/host.js';
import { generate } from '../helpers/login.js';
import { DAVE, guardedRealm, testRealm } from '../helpers/realms.js';

const MANAGER = {
  username: 'manager',
  enabled: true,
  clientRoles: { 'realm-management': ['manage-realm', 'manage-users', 'manage-clients'] },
  credentials: [{ type: 'password', value: 'm' }],
};
const WHO = { realm: 'demo', username: 'manager', password: 'm' };
const managed = (realm = testRealm('demo')) => ({ ...realm, users: [...(realm.users ?? []), MANAGER] });

test('T186 · no flow is bound by which everybody could log in as anybody', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  const flows = '/realms/demo/authentication/flows';
  await call('POST', flows, { alias: 'weak', providerId: 'basic-flow', topLevel: true, builtIn: false });
  await call('POST', `${flows}/weak/executions/execution`, { provider: 'direct-grant-validate-username' });
  const [execution] = JSON.parse((await call('GET', `${flows}/weak/executions`)).text) as object[];
  await call('PUT', `${flows}/weak/executions`, { ...execution, requirement: 'REQUIRED' });
  const bound = await call('PUT', '/realms/demo', { directGrantFlow: 'weak' });
  t.is(bound.status, 400);
  t.regex(bound.text, /everybody could log in as anybody/);
  const [client] = JSON.parse((await call('GET', '/realms/demo/clients?clientId=spa')).text) as { id: string }[];
  const overrides = { authenticationFlowBindingOverrides: { direct_grant: 'weak' } };
  t.is((await call('PUT', `/realms/demo/clients/${client?.id}`, overrides)).status, 400);
  const form = { grant_type: 'password', client_id: 'spa', username: 'dave' };
  t.is((await host.token('demo', form)).status, 400);
});

test('T186 · who manages a realm brings no key that they know, and imports nothing past the rules', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  const key = { name: 'mine', providerType: 'org.keycloak.keys.KeyProvider', providerId: 'rsa' };
  const brought = await call('POST', '/realms/demo/components', { ...key, config: { privateKey: ['x'] } });
  t.is(brought.status, 403);
  t.is((await call('POST', '/realms/demo/partialImport', { clients: [{ clientId: 'x' }] })).status, 403);
});

test('T186 · a claim that a mapper writes is no role', async (t) => {
  const mapper = {
    name: 'forged',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: {
      'claim.name': 'resource_access.nl.roles',
      'claim.value': '["newsletter-token-issuer"]',
      'jsonType.label': 'JSON',
      'access.token.claim': 'true',
    },
  };
  const realm = guardedRealm('demo');
  const forger = { clientId: 'forger', secret: 'f', serviceAccountsEnabled: true, protocolMappers: [mapper] };
  const host = await startAdministered(t, { realms: [{ ...realm, clients: [...(realm.clients ?? []), forger] }] });
  const form = { grant_type: 'client_credentials', client_id: 'forger', client_secret: 'f' };
  const { json } = await host.token('demo', form);
  const refused = await generate(host, undefined, { authorization: `Bearer ${json.access_token}` });
  t.is(refused.status, 403, refused.text);
});

test('T186 · rights over a realm end with the realm, also when another of its name comes', async (t) => {
  const creator = { username: 'creator', enabled: true, realmRoles: ['create-realm'] };
  const users = [{ ...creator, credentials: [{ type: 'password', value: 'c' }] }];
  const host = await startAdministered(t, { realms: [{ realm: 'master', enabled: true, users }] });
  const who = { username: 'creator', password: 'c' };
  t.is((await (await adminCaller(host, who))('POST', '/realms', { realm: 'tenant', enabled: true })).status, 201);
  const root = await adminCaller(host);
  t.is((await root('DELETE', '/realms/tenant')).status, 204);
  t.is((await root('POST', '/realms', { realm: 'tenant', enabled: true })).status, 201);
  t.is((await (await adminCaller(host, who))('GET', '/realms/tenant/users')).status, 403);
});

test('T188 · no expression, number or name of an admin stops the host', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  t.is((await call('PUT', '/realms/demo', { passwordPolicy: 'hashIterations(2000000000)' })).status, 400);
  t.is((await call('PUT', '/realms/demo', { passwordPolicy: 'regexPattern((a+)+$)' })).status, 204);
  const user = { username: 'slow-one', credentials: [{ type: 'password', value: `${'a'.repeat(60)}!` }] };
  t.is((await call('POST', '/realms/demo/users', user)).status, 400);
  for (const clientId of ['constructor', 'toString', 'hasOwnProperty']) {
    t.is((await call('POST', '/realms/demo/clients', { clientId })).status, 201, clientId);
  }
  const reference = await call('PUT', '/realms/demo', { displayName: '${file./etc/hostname}' });
  t.is(reference.status, 400);
  t.regex(reference.text, /displayName: may not hold a reference/);
});

test('T321 · who manages users ends no single session of somebody with more rights, as little as all of them', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  const loggedIn = async (username: string, password: string) => {
    const { json } = await host.token('demo', { grant_type: 'password', client_id: 'spa', username, password });
    return String(claimsOf(json.access_token ?? '').sid);
  };
  const dave = await loggedIn('dave', 'Dave-pass-1!');
  t.is((await call('POST', `/realms/demo/users/${DAVE}/logout`)).status, 403);
  t.is((await call('DELETE', `/realms/demo/sessions/${dave}`)).status, 403);
  t.truthy(await host.store.sessions.get({ realm: 'demo', id: dave, offline: false }));
  const alice = await loggedIn('alice', 'Alice-pass-1!');
  t.is((await call('DELETE', `/realms/demo/sessions/${alice}`)).status, 204);
  t.is((await (await adminCaller(host))('DELETE', `/realms/demo/sessions/${dave}`)).status, 204);
});

import test from 'ava';
import { adminCaller, clientUuid, startAdministered } from '../helpers/admin.js';
import { claimsOf } from '../helpers/host.js';
import { generate } from '../helpers/login.js';
import { ALICE, DAVE, guardedRealm, testRealm } from '../helpers/realms.js';

const MANAGER = {
  username: 'manager',
  enabled: true,
  clientRoles: { 'realm-management': ['manage-realm', 'manage-users', 'manage-clients'] },
  credentials: [{ type: 'password', value: 'm' }],
};
const WHO = { realm: 'demo', username: 'manager', password: 'm' };
const managed = (realm = testRealm('demo')) => ({ ...realm, users: [...(realm.users ?? []), MANAGER] });

test('T186 · escalation: no flow is bound by which everybody could log in as anybody', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  const flows = '/realms/demo/authentication/flows';
  await call('POST', flows, { alias: 'weak', providerId: 'basic-flow', topLevel: true, builtIn: false });
  await call('POST', `${flows}/weak/executions/execution`, { provider: 'direct-grant-validate-username' });
  const [execution] = JSON.parse((await call('GET', `${flows}/weak/executions`)).text) as object[];
  await call('PUT', `${flows}/weak/executions`, { ...execution, requirement: 'REQUIRED' });
  const bound = await call('PUT', '/realms/demo', { directGrantFlow: 'weak' });
  t.is(bound.status, 400);
  t.regex(bound.text, /anyone can sign in as any user/);
  const [client] = JSON.parse((await call('GET', '/realms/demo/clients?clientId=spa')).text) as { id: string }[];
  const overrides = { authenticationFlowBindingOverrides: { direct_grant: 'weak' } };
  t.is((await call('PUT', `/realms/demo/clients/${client?.id}`, overrides)).status, 400);
  const form = { grant_type: 'password', client_id: 'spa', username: 'dave' };
  t.is((await host.token('demo', form)).status, 400);
});

test('T186 · escalation: manage-realm adds no known key, and imports nothing past the rules', async (t) => {
  const host = await startAdministered(t, { realms: [managed()] });
  const call = await adminCaller(host, WHO);
  const key = { name: 'mine', providerType: 'org.keycloak.keys.KeyProvider', providerId: 'rsa' };
  const brought = await call('POST', '/realms/demo/components', { ...key, config: { privateKey: ['x'] } });
  t.is(brought.status, 403);
  t.is((await call('POST', '/realms/demo/partialImport', { clients: [{ clientId: 'x' }] })).status, 403);
});

test('T186 · escalation: nobody assigns, composes, changes or removes a right that they do not hold', async (t) => {
  const realm = testRealm('demo');
  const roles = { realm: [...(realm.roles?.realm ?? []), { name: 'plain' }], client: realm.roles?.client ?? {} };
  const groups = [
    ...(realm.groups ?? []),
    { name: 'admins', clientRoles: { 'realm-management': ['realm-admin'] } },
    { name: 'readers', realmRoles: ['reader'] },
  ];
  const manages = [...MANAGER.clientRoles['realm-management'], 'manage-identity-providers', 'view-users'];
  const users = (testRealm('demo').users ?? []).concat({ ...MANAGER, clientRoles: { 'realm-management': manages } });
  const host = await startAdministered(t, { realms: [{ ...realm, roles, groups, users }] });
  const manager = await adminCaller(host, WHO);
  const call = (method: string, path: string, body?: unknown) => manager(method, `/realms/demo${path}`, body);
  const one = async <T = { id: string }>(path: string) => (await call('GET', path)).json as unknown as T;
  const management = await clientUuid(host, 'realm-management');
  const greatest = await one(`/clients/${management}/roles/realm-admin`);
  const mailed = await one(`/clients/${management}/roles/manage-events`);
  const harmless = await one('/roles/reader');
  const [admins, readers] = await Promise.all([one('/group-by-path/admins'), one('/group-by-path/readers')]);
  const alice = `/users/${ALICE}`;
  const dave = `/users/${DAVE}`;
  const idp = { alias: 'idp', providerId: 'oidc', enabled: true };
  const config = {
    authorizationUrl: 'https://idp.test/auth',
    tokenUrl: 'https://idp.test/token',
    clientId: 'c',
    clientSecret: 's',
    issuer: 'https://idp.test',
    jwksUrl: 'https://idp.test/jwks',
    useJwksUrl: 'true',
  };
  t.is((await call('POST', '/identity-provider/instances', { ...idp, config })).status, 201);
  const giving = (role: string) => ({
    name: `gives ${role}`,
    identityProviderAlias: 'idp',
    identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
    config: { role, syncMode: 'INHERIT' },
  });
  const nl = await clientUuid(host, 'nl');
  const account = await one(`/clients/${nl}/service-account-user`);
  const ofClient = `role-mappings/clients/${management}`;
  // Each with a similar request that is allowed, so that only the right can be the reason of the refusal.
  const attempts: [string, string, unknown, [string, string, unknown?]][] = [
    ['POST', `${alice}/${ofClient}`, [greatest], ['POST', `${alice}/role-mappings/realm`, [harmless]]],
    ['POST', `${alice}/${ofClient}`, [mailed], ['DELETE', `${alice}/role-mappings/realm`, [harmless]]],
    ['DELETE', `${dave}/${ofClient}`, [greatest], ['POST', `${alice}/role-mappings/realm`, [harmless]]],
    [
      'POST',
      `/users/${account.id}/${ofClient}`,
      [greatest],
      ['POST', `/users/${account.id}/role-mappings/realm`, [harmless]],
    ],
    ['POST', '/roles/plain/composites', [greatest], ['POST', '/roles/plain/composites', [harmless]]],
    ['POST', '/roles/default-roles-demo/composites', [mailed], ['DELETE', '/roles/plain/composites', [harmless]]],
    [
      'POST',
      '/roles',
      { name: 'r', composites: { client: { 'realm-management': ['realm-admin'] } } },
      ['POST', '/roles', { name: 's', composites: { realm: ['reader'] } }],
    ],
    [
      'POST',
      `/groups/${readers.id}/${ofClient}`,
      [greatest],
      ['POST', `/groups/${readers.id}/role-mappings/realm`, [harmless]],
    ],
    ['PUT', `${alice}/groups/${admins.id}`, undefined, ['PUT', `${alice}/groups/${readers.id}`]],
    ['PUT', `/default-groups/${admins.id}`, undefined, ['PUT', `/default-groups/${readers.id}`]],
    [
      'POST',
      `/groups/${admins.id}/children`,
      { id: readers.id, name: 'readers' },
      ['POST', '/groups', { name: 'free' }],
    ],
    [
      'POST',
      '/users',
      { username: 'eve', groups: ['/admins'] },
      ['POST', '/users', { username: 'yves', groups: ['/readers'] }],
    ],
    [
      'PUT',
      `${dave}/reset-password`,
      { type: 'password', value: 'known' },
      ['PUT', `${alice}/reset-password`, { type: 'password', value: 'known' }],
    ],
    ['PUT', dave, { email: 'mine@a.test' }, ['PUT', alice, { firstName: 'Alice' }]],
    ['DELETE', dave, undefined, ['PUT', alice, { firstName: 'Alice' }]],
    [
      'POST',
      '/identity-provider/instances/idp/mappers',
      giving('realm-management.realm-admin'),
      ['POST', '/identity-provider/instances/idp/mappers', giving('reader')],
    ],
  ];
  const before = (await host.realms.get('demo'))?.version;
  const held = async () => [
    await call('GET', `${alice}/role-mappings`).then(({ text }) => text),
    await call('GET', `${dave}/role-mappings`).then(({ text }) => text),
  ];
  const rolesBefore = await held();
  for (const [method, path, body] of attempts) {
    const answer = await call(method, path, body);
    t.is(answer.status, 403, `${method} ${path} ${answer.text}`);
  }
  t.is((await host.realms.get('demo'))?.version, before);
  t.deepEqual(await held(), rolesBefore);
  for (const [, , , [method, path, body]] of attempts) {
    const answer = await call(method, path, body);
    t.true(answer.status < 300, `${method} ${path} ${answer.status} ${answer.text}`);
  }
});

test('T186 · escalation: a claim that a mapper writes is no role', async (t) => {
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

test('T186 · escalation: rights over a realm end with the realm, also when another of its name comes', async (t) => {
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

test('T188 · escalation: no expression, number or name of an admin stops the host', async (t) => {
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
  t.regex(reference.text, /displayName: must not contain a reference/);
});

test('T321 · escalation: manage-users ends no session of a user with more rights, one or all', async (t) => {
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

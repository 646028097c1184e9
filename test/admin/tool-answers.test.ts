import test from 'ava';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));
const STORAGE = 'org.keycloak.storage.UserStorageProvider';

const scene = () =>
  calledRealm(shared(), {
    components: { [STORAGE]: [{ id: 'dir', name: 'directory', providerId: 'ldap', config: {} }] },
  });

type Row = readonly [method: string, path: string, body: unknown, status: number, answer: object];
const NOBODY = '00000000-0000-4000-8000-000000000000';
const unrecognized = (name: string, field: string) => ({
  error: `Invalid json representation for ${name}. Unrecognized field "${field}"`,
});
const noRoles = (where: string) => ({
  error: 'unknown_error',
  error_description: `Cannot parse the JSON: ${where}`,
});
const NO_MAPPER = { error: 'ProtocolMapper provider not found' };
const NO_COMPONENT = { error: 'Could not find component' };

test('Admin API, as Keycloak: calls of other tools get the status and words of Keycloak 26.7.3', async (t) => {
  const { call, realm, made } = await scene();
  const user = await made('/users', { username: 'user1', email: 'user1@example.test' });
  const group = await made('/groups', { name: 'g1' });
  const client = await made('/clients', { clientId: 'c1' });
  const scope = await made('/client-scopes', { name: 's1', protocol: 'openid-connect' });
  await made('/roles', { name: 'r1' });
  const lists = [
    ...[`/users/${user}`, `/groups/${group}`].flatMap((of) => [`${of}/role-mappings/realm`]),
    ...[`/users/${user}`, `/groups/${group}`].flatMap((of) => [`${of}/role-mappings/clients/${client}`]),
    ...[`/clients/${client}`, `/client-scopes/${scope}`].map((of) => `${of}/scope-mappings/realm`),
    ...[`/clients/${client}`, `/client-scopes/${scope}`].map((of) => `${of}/scope-mappings/clients/${client}`),
    '/roles/r1/composites',
  ];
  const rows: Row[] = [
    ['PUT', '', { foo: 1 }, 400, unrecognized('RealmRepresentation', 'foo')],
    ['PUT', '', { defaultClientScopes: ['x'] }, 400, unrecognized('RealmRepresentation', 'defaultClientScopes')],
    ['PUT', '', { social: null, clientTemplates: null, keycloakVersion: '26', users: null }, 204, {}],
    ['POST', '/users', { username: 'user2', foo: 1 }, 400, unrecognized('UserRepresentation', 'foo')],
    ['PUT', `/users/${user}`, { wrong: 'payload' }, 400, unrecognized('UserRepresentation', 'wrong')],
    ['PUT', `/users/${user}`, { manageMembership: true }, 400, unrecognized('UserRepresentation', 'manageMembership')],
    ['PUT', `/users/${user}`, { self: 'x', applicationRoles: {}, rawAttributes: null, totp: false }, 204, {}],
    ['PUT', '/events/config', { wrong: 'p' }, 400, unrecognized('RealmEventsConfigRepresentation', 'wrong')],
    ['PUT', '/events/config', { adminEventsEnabled: true }, 204, {}],
    ['PUT', `/users/${NOBODY}/reset-password`, { type: 'password', value: '' }, 404, { error: 'User not found' }],
    ...lists.flatMap((path): Row[] => [
      ['POST', path, ['bad'], 400, noRoles('0: must be an object')],
      ['DELETE', path, ['bad'], 400, noRoles('0: must be an object')],
      ['POST', path, { a: 1 }, 400, noRoles('the body: must be an array')],
      ['POST', path, [], 204, {}],
    ]),
    ...[`/clients/${client}`, `/client-scopes/${scope}`].flatMap((of): Row[] => [
      ['GET', `${of}/scope-mappings`, undefined, 200, {}],
      ['POST', `${of}/protocol-mappers/models`, {}, 404, NO_MAPPER],
      ['POST', `${of}/protocol-mappers/models`, { name: 'x' }, 404, NO_MAPPER],
      ['POST', `${of}/protocol-mappers/models`, { name: 'x', protocolMapper: 'nope' }, 404, NO_MAPPER],
    ]),
    ...['sync?action=triggerFullSync', 'remove-imported-users', 'unlink-users'].map(
      (path): Row => ['POST', `/user-storage/nope/${path}`, undefined, 404, NO_COMPONENT],
    ),
    [
      'GET',
      `/client-scopes/${scope}`,
      undefined,
      200,
      { id: scope, name: 's1', protocol: 'openid-connect', attributes: {} },
    ],
    ['GET', '/user-storage/nope/name', undefined, 404, NO_COMPONENT],
    ['GET', '/user-storage/dir/name', undefined, 200, { id: 'dir', name: 'directory' }],
    ['POST', '/user-storage/dir/remove-imported-users', undefined, 204, {}],
    ['POST', '/user-storage/dir/unlink-users', undefined, 204, {}],
  ];
  for (const [method, path, body, status, answer] of rows) {
    const got = await call(method, `${realm}${path}`, body);
    t.deepEqual([got.status, got.json], [status, answer], `${method} ${path} ${JSON.stringify(body)}`);
  }
  const sync = await call('POST', `${realm}/user-storage/dir/sync?action=triggerFullSync`);
  t.is(sync.status, 400, 'Keyhost has no directory to ask');
  for (const body of [{}, { enabled: true }]) {
    const got = await call('POST', '/realms', body);
    t.deepEqual([got.status, got.json], [400, { errorMessage: 'Realm name cannot be empty' }]);
  }
  const refused = await call('GET', `${realm}/users?username=user2`);
  t.deepEqual(refused.json, [], 'what was refused changed nothing');
});

test('Admin API, as Keycloak: an empty id counts as absent, and one is generated', async (t) => {
  const { call, realm } = await scene();
  const key = { name: 'k', providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
  for (const [path, body] of [
    ['/clients', { clientId: 'idc' }],
    ['/client-scopes', { name: 'ids', protocol: 'openid-connect' }],
    ['/users', { username: 'idu' }],
    ['/groups', { name: 'idg' }],
    ['/components', key],
  ] as const) {
    const got = await call('POST', `${realm}${path}`, { ...body, id: '' });
    t.is(got.status, 201, got.text);
    const id = got.headers.get('location')?.split('/').pop() ?? '';
    t.regex(id, /^[0-9a-f-]{36}$/, path);
    t.is((await call('GET', `${realm}${path}/${id}`)).json.id, id);
  }
});

test('Admin API, as Keycloak: flows, steps and configurations keep the given ID, and duplicates are refused', async (t) => {
  const { call, realm, made } = await scene();
  const FLOW = { providerId: 'basic-flow', topLevel: true };
  const STEP = { parentFlow: 'flow-1', authenticator: 'auth-cookie', requirement: 'REQUIRED' };
  const taken = { error: 'conflict', error_description: 'Duplicate resource error' };
  const posts: readonly (readonly [path: string, body: object, id: string | undefined, shown?: string])[] = [
    ['/flows', { ...FLOW, id: 'flow-1', alias: 'f1' }, 'flow-1', '/flows/flow-1'],
    ['/flows', { ...FLOW, id: 'flow-1', alias: 'f2' }, undefined],
    ['/executions', { ...STEP, id: 'step-1' }, 'step-1', '/executions/step-1'],
    ['/executions', { ...STEP, id: 'step-1' }, undefined],
    ['/config', { id: 'config-1', alias: 'c1', config: {} }, 'config-1', '/config/config-1'],
    ['/config', { id: 'config-1', alias: 'c2', config: {} }, undefined],
    ['/executions/step-1/config', { id: 'config-2', alias: 'c3', config: {} }, 'config-2', '/config/config-2'],
    ['/executions/step-1/config', { id: 'config-1', alias: 'c4', config: {} }, undefined],
  ];
  for (const [path, body, id, shown] of posts) {
    const got = await call('POST', `${realm}/authentication${path}`, body);
    if (id === undefined) {
      t.deepEqual([got.status, got.json], [409, taken], JSON.stringify(body));
      continue;
    }
    t.deepEqual([got.status, got.headers.get('location')?.split('/').pop()], [201, id], got.text);
    t.is((await call('GET', `${realm}/authentication${shown}`)).json.id, id);
  }
  for (const id of ['', null])
    t.regex(await made('/authentication/flows', { ...FLOW, id, alias: `x${id}` }), /^[0-9a-f-]{36}$/);
  const changed = { id: 'flow-1', alias: 'f1', description: 'changed' };
  t.is((await call('PUT', `${realm}/authentication/flows/flow-1`, changed)).status, 204);
  t.like((await call('GET', `${realm}/authentication/flows/flow-1`)).json, changed);
});

test('Admin API, as Keycloak: raising and lowering swaps two priorities, and leaves the others', async (t) => {
  const { call, realm, made } = await scene();
  await made('/authentication/flows/browser/copy', { newName: 'b2' });
  const steps = async () => {
    const all = (await call('GET', `${realm}/authentication/flows/b2/executions`)).json as unknown as Step[];
    return all.filter(({ level }) => level === 0);
  };
  const before = await steps();
  const priorities = before.map(({ priority }) => priority);
  const [first, second, third, ...rest] = before.map(({ id }) => id);
  const move = (id: string | undefined, way: string) =>
    call('POST', `${realm}/authentication/executions/${id}/${way}-priority`, {});
  for (const [id, way, order] of [
    [first, 'lower', [second, first, third, ...rest]],
    [third, 'raise', [second, third, first, ...rest]],
    [second, 'raise', [second, third, first, ...rest]],
  ] as const) {
    t.is((await move(id, way)).status, 204);
    const after = await steps();
    t.deepEqual(
      after.map((step) => [step.id, step.priority]),
      order.map((one, index) => [one, priorities[index]] as [string, number]),
    );
  }
});

interface Step {
  readonly id: string;
  readonly priority: number;
  readonly level: number;
}

test('Admin API, as Keycloak: members that are empty again are left out', async (t) => {
  const { call, realm, made } = await scene();
  const group = await made('/groups', { name: 'g1' });
  const client = await made('/clients', { clientId: 'c1', protocolMappers: [] });
  const path = `${realm}/clients/${client}`;
  const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' };
  const id = await made(`/clients/${client}/protocol-mappers/models`, mapper);
  await call('PUT', `${realm}/default-groups/${group}`);
  await call('POST', `${path}/nodes`, { node: '127.0.0.1' });
  const full = { ...(await call('GET', path)).json, ...(await call('GET', realm)).json };
  const members = ['protocolMappers', 'registeredNodes', 'defaultGroups'];
  for (const member of members) t.true(member in full, member);
  await call('DELETE', `${path}/protocol-mappers/models/${id}`);
  await call('DELETE', `${path}/nodes/127.0.0.1`);
  await call('DELETE', `${realm}/default-groups/${group}`);
  const empty = { ...(await call('GET', path)).json, ...(await call('GET', realm)).json };
  for (const member of members) t.false(member in empty, member);
});

test('Admin API, as Keycloak: users and groups have the members that Keycloak 26.7.3 shows inside other objects', async (t) => {
  const { call, realm, made } = await scene();
  const user = await made('/users', { username: 'user1', email: 'user1@example.test', enabled: true });
  const group = await made('/groups', { name: 'g1' });
  const inner = (await call('POST', `${realm}/groups/${group}/children`, { name: 'inner' })).json.id;
  const client = await made('/clients', { clientId: 'c1', serviceAccountsEnabled: true });
  await made('/roles', { name: 'r1' });
  const { json: role } = await call('GET', `${realm}/roles/r1`);
  for (const one of [group, inner]) await call('PUT', `${realm}/users/${user}/groups/${one}`);
  for (const of of [`/users/${user}`, `/groups/${group}`])
    await call('POST', `${realm}${of}/role-mappings/realm`, [role]);
  await call('PUT', `${realm}/default-groups/${group}`);
  const names = (text: string) => text.split(' ').sort();
  const brief = 'createdTimestamp email emailVerified enabled id username';
  const full = `${brief} disableableCredentialTypes notBefore requiredActions totp`;
  const group1 = 'id name path subGroups';
  const more = 'attributes clientRoles realmRoles';
  const rows: readonly (readonly [path: string, members: string])[] = [
    ['/users?username=user1', `${full} access`],
    ['/users?username=user1&briefRepresentation=true', `${brief} access`],
    [`/groups/${group}/members`, full],
    [`/groups/${group}/members?briefRepresentation=true`, brief],
    ['/roles/r1/users', `${full} access`],
    ['/roles/r1/users?briefRepresentation=true', `${brief} access`],
    ['/roles/r1/groups', group1],
    ['/roles/r1/groups?briefRepresentation=false', `${group1} ${more}`],
    [`/users/${user}/groups?search=g1`, group1],
    [`/users/${user}/groups?search=g1&briefRepresentation=false`, `${group1} ${more}`],
    ['/default-groups', group1],
    ['/groups?search=g1', `${group1} access subGroupCount`],
    ['/groups?search=g1&briefRepresentation=false', `${group1} ${more} access subGroupCount`],
    [`/groups/${group}`, `${group1} ${more} access subGroupCount`],
    [`/groups/${group}/children`, `${group1} ${more} access subGroupCount parentId`],
    ['/group-by-path/g1', `${group1} ${more} subGroupCount`],
  ];
  for (const [path, members] of rows) {
    const { json } = await call('GET', `${realm}${path}`);
    const [shown] = [json].flat() as object[];
    t.deepEqual(Object.keys(shown ?? {}).sort(), names(members), path);
  }
  const { json: account } = await call('GET', `${realm}/clients/${client}/service-account-user`);
  t.like(account, { emailVerified: false, totp: false, notBefore: 0, requiredActions: [], access: undefined });
  const everything = { view: true, viewMembers: true, manage: true, manageMembers: true, manageMembership: true };
  const [listed] = (await call('GET', `${realm}/groups?search=g1`)).json as unknown as object[];
  t.like(listed, { access: everything, subGroupCount: 1 });
});

test('Admin API, as Keycloak: default roles have Keycloak’s descriptions, unless the realm has its own', async (t) => {
  const { host, call, realm, made } = await scene();
  const [account] = (await call('GET', `${realm}/clients?clientId=account`)).json as unknown as { id: string }[];
  await made('/roles', { name: 'view-profile' });
  const rows: readonly (readonly [path: string, description: string | undefined])[] = [
    ['/roles/offline_access', '${role_offline-access}'],
    ['/roles/uma_authorization', '${role_uma_authorization}'],
    [`/roles/default-roles-${host.defaultRealm}`, '${role_default-roles}'],
    [`/clients/${account?.id}/roles/view-profile`, '${role_view-profile}'],
    ['/roles/view-profile', undefined],
    ['/../master/roles/create-realm', '${role_create-realm}'],
  ];
  for (const [path, description] of rows) {
    t.is((await call('GET', `${realm}${path}`)).json.description as unknown, description, path);
  }
  await call('PUT', `${realm}/roles/offline_access`, { name: 'offline_access', description: 'Own' });
  t.is((await call('GET', `${realm}/roles/offline_access`)).json.description, 'Own');
});

test('Admin API, as Keycloak: WildFly’s subsystem gets its configuration as XML, with the client’s markup escaped', async (t) => {
  const { host, call, realm, made } = await scene();
  const client = await made('/clients', { clientId: 'a<4', secret: 's<&x' });
  const got = await call('GET', `${realm}/clients/${client}/installation/providers/keycloak-oidc-jboss-subsystem`);
  t.is(got.headers.get('content-type')?.split(';', 1)[0], 'text/plain');
  t.deepEqual(got.text.split('\n'), [
    '<secure-deployment name="WAR MODULE NAME.war">',
    `    <realm>${host.defaultRealm}</realm>`,
    `    <auth-server-url>${host.url}/</auth-server-url>`,
    '    <ssl-required>EXTERNAL</ssl-required>',
    '    <resource>a&#60;4</resource>',
    '    <credential name="secret">s&#60;&#38;x</credential>',
    '</secure-deployment>',
    '',
  ]);
});

test('Admin API, as Keycloak: built-in flows by their IDs, blank IDs of realms and aliases of missing flows are accepted as in Keycloak', async (t) => {
  const { host, call, realm, made } = await scene();
  const flows = (await call('GET', `${realm}/authentication/flows`)).json as unknown as { id: string; alias: string }[];
  const flow = (name: string) => flows.find(({ alias }) => alias === name)?.id ?? '';
  t.is(flow('saml ecp'), '', 'Keycloak does not list it');
  const overrides = { browser: flow('browser'), direct_grant: flow('direct grant') };
  const client = await made('/clients', { clientId: 'c1', authenticationFlowBindingOverrides: overrides });
  const shown = async () => (await call('GET', `${realm}/clients/${client}`)).json.authenticationFlowBindingOverrides;
  t.deepEqual(await shown(), overrides);
  const put = async (some: object) =>
    (await call('PUT', `${realm}/clients/${client}`, { authenticationFlowBindingOverrides: some })).status;
  t.is(await put({ browser: '', direct_grant: 'direct grant' }), 204);
  t.deepEqual(await shown(), { direct_grant: flow('direct grant') }, 'by its id, however it was named');
  t.is(await put({ browser: 'no-flow' }), 400);
  const notForUsers = { browser: flow('clients'), direct_grant: flow('docker auth') };
  t.is(await put(notForUsers), 204);
  t.deepEqual(await shown(), notForUsers);
  // The override is effective: the browser flow does not accept a password alone.
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host.token(host.defaultRealm, form)).status, 200);
  const [spa] = (await call('GET', `${realm}/clients?clientId=spa`)).json as unknown as { id: string }[];
  const wrong = { authenticationFlowBindingOverrides: { direct_grant: flow('browser') } };
  t.is((await call('PUT', `${realm}/clients/${spa?.id}`, wrong)).status, 204);
  t.not((await host.token(host.defaultRealm, form)).status, 200);
  // No user can sign in with flows that are not for users.
  for (const name of ['clients', 'docker auth']) {
    const overrides = { authenticationFlowBindingOverrides: { direct_grant: flow(name) } };
    t.is((await call('PUT', `${realm}/clients/${spa?.id}`, overrides)).status, 204, name);
    const told = `no user can sign in with the flow "${name}" of the client "spa"`;
    t.true(host.log.some(({ message }) => message.includes(host.defaultRealm) && message.includes(told)));
    t.not((await host.token(host.defaultRealm, form)).status, 200, name);
  }

  for (const id of ['', ' ', null]) {
    t.is((await call('POST', '/realms', { id, realm: 'blank', enabled: true })).status, 201);
    t.regex(String((await call('GET', '/realms/blank')).json.id), /^[0-9a-f-]{36}$/, String(id));
    t.is((await call('DELETE', '/realms/blank')).status, 204);
  }
  const idp = { alias: 'sm', providerId: 'saml', firstBrokerLoginFlowAlias: '', postBrokerLoginFlowAlias: '' };
  await made('/identity-provider/instances', idp);
  const stored = (await call('GET', `${realm}/identity-provider/instances/sm`)).json;
  t.false('firstBrokerLoginFlowAlias' in stored || 'postBrokerLoginFlowAlias' in stored);
});

test('Admin API, as Keycloak: tools can change a flow for ECP, and a description ends where Keycloak’s column does', async (t) => {
  const { call, realm, made } = await scene();
  const ecp = async () => {
    const { authenticationFlows = [] } = (await call('POST', `${realm}/partial-export`)).json as {
      authenticationFlows?: { id: string; alias: string; builtIn: boolean; authenticationExecutions: object[] }[];
    };
    return authenticationFlows.find(({ alias }) => alias === 'saml ecp');
  };
  const [step] = (await call('GET', `${realm}/authentication/flows/saml%20ecp/executions`)).json as unknown as object[];
  t.like(step, { providerId: 'http-basic-authenticator', requirement: 'REQUIRED' });
  const changed = { ...step, requirement: 'CONDITIONAL' };
  t.is((await call('PUT', `${realm}/authentication/flows/saml%20ecp/executions`, changed)).status, 202);
  const flow = await ecp();
  t.like(flow, { builtIn: true, authenticationExecutions: [{ requirement: 'CONDITIONAL' }] });
  const described = (length: number) => ({ alias: 'saml ecp', description: 'x'.repeat(length) });
  t.is((await call('PUT', `${realm}/authentication/flows/${flow?.id}`, described(256))).status, 400);
  t.is((await call('PUT', `${realm}/authentication/flows/${flow?.id}`, described(255))).status, 204);
  await made('/authentication/flows', { alias: 'own' });
  const inner = { alias: 'inner', type: 'basic-flow', description: 'x'.repeat(256) };
  t.is((await call('POST', `${realm}/authentication/flows/own/executions/flow`, inner)).status, 400);
});

test('Admin API, as Keycloak: an email server without a token URL is stored as Keycloak stores it', async (t) => {
  const { call, realm } = await scene();
  for (const authTokenUrl of ['wibble.com', '', 'ftp://x', undefined]) {
    const server = { host: '127.0.0.1', from: 'a@b.test', auth: 'true', authType: 'token', user: 'u', authTokenUrl };
    t.is((await call('PUT', realm, { smtpServer: server })).status, 204, authTokenUrl);
    const { smtpServer } = (await call('GET', realm)).json as { smtpServer?: { authTokenUrl?: string } };
    t.is(smtpServer?.authTokenUrl, authTokenUrl);
  }
});

test('Admin API, as Keycloak: SAML clients get the scope role_list, and no other client does', async (t) => {
  const { call, realm, made } = await scene();
  const list = async (path: string) =>
    (await call('GET', `${realm}${path}`)).json as unknown as Record<string, unknown>[];
  const scope = (await list('/client-scopes')).find(({ name }) => name === 'role_list');
  t.like(scope, {
    description: 'SAML role list',
    protocol: 'saml',
    attributes: { 'consent.screen.text': '${samlRoleListScopeConsentText}', 'display.on.consent.screen': 'true' },
    protocolMappers: [
      {
        name: 'role list',
        protocol: 'saml',
        protocolMapper: 'saml-role-list-mapper',
        config: { single: 'false', 'attribute.nameformat': 'Basic', 'attribute.name': 'Role' },
      },
    ],
  });
  t.true((await list('/default-default-client-scopes')).some(({ name }) => name === 'role_list'));
  const saml = await made('/clients', { clientId: 's1', protocol: 'saml' });
  t.deepEqual(
    (await list(`/clients/${saml}/default-client-scopes`)).map(({ name }) => name),
    ['role_list'],
  );
  await made('/clients', { clientId: 'c1' });
  // Clients that existed before declare no scopes, so they have those of the realm.
  for (const { clientId, defaultClientScopes } of await list('/clients')) {
    const names = defaultClientScopes as string[];
    t.is(names.includes('role_list'), clientId === 's1', String(clientId));
    t.is(names.includes('profile'), clientId !== 's1', String(clientId));
  }
});

test('Admin API, as Keycloak: fine-grained permissions are off, and cannot be enabled', async (t) => {
  const { host, call, realm, made } = await scene();
  const group = await made('/groups', { name: 'g1' });
  const client = await made('/clients', { clientId: 'c1' });
  await made('/identity-provider/instances', { alias: 'idp', providerId: 'saml' });
  await made('/roles', { name: 'r1' });
  const viewer = { username: 'viewer', enabled: true, credentials: [{ type: 'password', value: 'viewer' }] };
  await made('/users', viewer);
  const nobody = await adminCaller(host, { realm: host.defaultRealm, username: 'viewer', password: 'viewer' });
  const paths = [
    '/users-management-permissions',
    ...[`/groups/${group}`, `/clients/${client}`, '/identity-provider/instances/idp', '/roles/r1'].map(
      (path) => `${path}/management/permissions`,
    ),
  ];
  for (const path of paths) {
    const seen = await call('GET', `${realm}${path}`);
    t.deepEqual([seen.status, seen.json], [200, { enabled: false }], path);
    t.is((await call('PUT', `${realm}${path}`, { enabled: false })).status, 200, path);
    t.is((await call('PUT', `${realm}${path}`, { enabled: true })).status, 400, path);
    t.is((await nobody('GET', `${realm}${path}`)).status, 403, path);
    t.is((await nobody('PUT', `${realm}${path}`, { enabled: false })).status, 403, path);
  }
  for (const path of [`/groups/${NOBODY}`, '/identity-provider/instances/nope'])
    t.is((await call('GET', `${realm}${path}/management/permissions`)).status, 404, path);
});

test('Admin API, as Keycloak: serverinfo has the members of Keycloak 26.7.3, and cpuInfo for host admins', async (t) => {
  const { call } = await scene();
  const members = `builtinProtocolMappers clientInstallations componentTypes cpuInfo cryptoInfo enums features
    identityProviders memoryInfo passwordPolicies profileInfo protocolMapperTypes providers socialProviders systemInfo themes`;
  t.deepEqual(Object.keys((await call('GET', '/serverinfo')).json).sort(), members.split(/\s+/));
});

test('Admin API, as Keycloak: a new client with a protocol has Keycloak’s logout attributes, and given ones stay', async (t) => {
  const { call, realm, made } = await scene();
  const [SESSION, REVOKE] = [
    'backchannel.logout.session.required',
    'backchannel.logout.revoke.offline.tokens',
  ] as const;
  const oidc = { protocol: 'openid-connect' };
  const rows: readonly (readonly [sent: object, session: string | undefined, revoke: string | undefined])[] = [
    [{}, undefined, undefined],
    [{ publicClient: true }, undefined, undefined],
    [oidc, 'true', 'false'],
    [{ ...oidc, publicClient: true }, 'true', 'false'],
    [{ ...oidc, bearerOnly: true }, 'true', 'false'],
    [{ ...oidc, attributes: { x: 'y', [SESSION]: null } }, 'true', 'false'],
    [{ ...oidc, attributes: { [SESSION]: 'false', [REVOKE]: '' } }, 'false', undefined],
    [{ protocol: 'saml' }, undefined, undefined],
  ];
  for (const [at, [sent, session, revoke]] of rows.entries()) {
    const client = `${realm}/clients/${await made('/clients', { clientId: `c${at}`, ...sent })}`;
    const shown = async () => (await call('GET', client)).json.attributes as unknown as Record<string, string>;
    const attributes = await shown();
    t.deepEqual([attributes[SESSION], attributes[REVOKE]], [session, revoke], JSON.stringify(sent));
    t.is((await call('PUT', client, { attributes: { [SESSION]: '' } })).status, 204);
    t.is((await shown())[SESSION], undefined, 'taken back, as in Keycloak');
  }
});

test('Admin API, as Keycloak: a partial export shows roles, groups, scopes and their mappings as Keycloak 26.7.3 does, and can be imported', async (t) => {
  const { host, call, realm, made } = await scene();
  const containerId = (await call('GET', realm)).json.id;
  await made('/roles', { name: 'r1', description: 'My', attributes: { a: ['b'] } });
  await made('/roles', { name: 'r2' });
  const client = await made('/clients', { clientId: 'c1', fullScopeAllowed: false });
  await made(`/clients/${client}/roles`, { name: 'cr' });
  const scope = await made('/client-scopes', { name: 's1', protocol: 'openid-connect' });
  const group = await made('/groups', { name: 'g1' });
  const inner = (await call('POST', `${realm}/groups/${group}/children`, { name: 'g2' })).json;
  const cr = (await call('GET', `${realm}/clients/${client}/roles/cr`)).json;
  const r1 = (await call('GET', `${realm}/roles/r1`)).json;
  t.is((await call('POST', `${realm}/roles/r2/composites`, [cr, r1])).status, 204);
  const exported = async () =>
    (await call('POST', `${realm}/partial-export?exportClients=true&exportGroupsAndRoles=true`))
      .json as unknown as RealmRepresentation;
  const { roles, groups, clientScopes, ...rest } = await exported();
  const own = roles?.realm?.filter(({ name }) => ['r1', 'r2', 'offline_access'].includes(name));
  const shared = { composite: false, clientRole: false, containerId, attributes: {} };
  const described = { name: 'offline_access', description: '${role_offline-access}' };
  t.deepEqual(
    own?.map(({ id: _, ...role }) => role).sort((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { ...shared, ...described },
      { ...shared, name: 'r1', description: 'My', attributes: { a: ['b'] } },
      { ...shared, name: 'r2', composite: true, composites: { realm: ['r1'], client: { c1: ['cr'] } } },
    ],
  );
  t.like(roles?.client?.c1, [{ name: 'cr', composite: false, clientRole: true, containerId: client, attributes: {} }]);
  const held = { attributes: {}, realmRoles: [], clientRoles: {} };
  const below = { ...held, id: inner.id, name: 'g2', path: '/g1/g2', parentId: group, subGroups: [] };
  const top = { ...held, id: group, name: 'g1', path: '/g1', subGroups: [below] };
  t.deepEqual(
    groups?.find(({ name }) => name === 'g1'),
    top,
  );
  const ofScope = clientScopes?.find(({ name }) => name === 's1');
  t.deepEqual(ofScope, { id: scope, name: 's1', protocol: 'openid-connect', attributes: {} });
  t.false('defaultGroups' in rest);
  const offline = { clientScope: 'offline_access', roles: ['offline_access'] };
  t.deepEqual(rest.scopeMappings, [offline]);
  const nothing = { identityProviders: [], identityProviderMappers: [], localizationTexts: {} };
  t.like(rest, { ...nothing, sslRequired: 'external', accessTokenLifespan: 300, defaultRole: { clientRole: false } });
  const actions = (await call('GET', `${realm}/authentication/required-actions`)).json as unknown as object[];
  t.deepEqual(rest.requiredActions as object[], actions);
  const shown = (await call('GET', `${realm}/clients`)).json as unknown as (ClientRepresentation & {
    access?: object;
  })[];
  const masked = shown.map(({ access: _, secret, ...all }) => ({ ...all, ...(secret && { secret: '**********' }) }));
  const byId = (a: { clientId: string }, b: { clientId: string }) => (a.clientId < b.clientId ? -1 : 1);
  t.deepEqual(
    [...(rest.clients ?? [])].sort(byId),
    masked.sort(byId),
    'all that the API shows of clients, with masked secrets',
  );

  t.is((await call('POST', `${realm}/client-scopes/${scope}/scope-mappings/realm`, [r1])).status, 204);
  t.is((await call('POST', `${realm}/clients/${client}/scope-mappings/clients/${client}`, [cr])).status, 204);
  const mapped = await exported();
  t.deepEqual(mapped.scopeMappings, [offline, { clientScope: 's1', roles: ['r1'] }]);
  t.deepEqual(mapped.clientScopeMappings?.c1, [{ client: 'c1', roles: ['cr'] }]);
  t.is((await call('POST', `${realm}/clients/${client}/scope-mappings/realm`, [r1])).status, 204);
  t.deepEqual((await exported()).scopeMappings?.[0], { client: 'c1', roles: ['r1'] }, 'clients come first');
  t.is((await call('DELETE', `${realm}/clients/${client}/scope-mappings/realm`, [r1])).status, 204);
  t.is((await call('DELETE', `${realm}/client-scopes/${scope}/scope-mappings/realm`, [r1])).status, 204);
  t.is((await call('DELETE', `${realm}/clients/${client}/scope-mappings/clients/${client}`, [cr])).status, 204);
  t.is((await call('DELETE', `${realm}/roles/r2/composites`, [cr])).status, 204);
  const emptied = await exported();
  t.deepEqual(emptied.roles?.realm?.find(({ name }) => name === 'r2')?.composites, { realm: ['r1'] });
  t.is((await call('POST', `${realm}/roles/r2/composites`, [cr])).status, 204);
  t.deepEqual([emptied.scopeMappings, emptied.clientScopeMappings?.c1], [[offline], undefined]);

  const partial = { ifResourceExists: 'OVERWRITE', ...mapped };
  const imported = await call('POST', `${realm}/partialImport`, partial);
  t.is(imported.status, 200, imported.text);
  const again = await exported();
  t.deepEqual([again.roles, again.groups], [mapped.roles, mapped.groups]);
  // Plugins require their secrets, which an export masks.
  const { providers: _, id: __, ...portable } = mapped;
  const other = await call('POST', '/realms', { ...portable, realm: `${host.defaultRealm}-2` });
  t.is(other.status, 201, other.text);
  t.is((await call('DELETE', `/realms/${host.defaultRealm}-2`)).status, 204);
});

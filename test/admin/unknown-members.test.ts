import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const STORAGE = 'org.keycloak.storage.UserStorageProvider';
const MAPPER = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' };
const ENDPOINTS = {
  authorizationUrl: 'https://idp.test/auth',
  tokenUrl: 'https://idp.test/token',
  issuer: 'https://idp.test',
  jwksUrl: 'https://idp.test/jwks',
  clientId: 'a',
  clientSecret: 'b',
};

async function scene() {
  const called = await calledRealm(shared(), {
    components: { [STORAGE]: [{ id: 'dir', name: 'directory', providerId: 'ldap', config: {} }] },
    identityProviders: [{ alias: 'kept', providerId: 'oidc', config: ENDPOINTS, owner: 'me' }],
  });
  const { call, realm, made } = called;
  const client = `/clients/${await made('/clients', { clientId: 'c1' })}`;
  const group = `/groups/${await made('/groups', { name: 'g1' })}`;
  const scope = `/client-scopes/${await made('/client-scopes', { name: 's1', protocol: 'openid-connect' })}`;
  const user = `/users/${await made('/users', { username: 'user1' })}`;
  await made('/roles', { name: 'r1' });
  await made(`${client}/roles`, { name: 'cr' });
  const { id: roleId } = (await call('GET', `${realm}/roles/r1`)).json;
  const provider = '/identity-provider/instances/i1';
  await made('/identity-provider/instances', { alias: 'i1', providerId: 'oidc', config: ENDPOINTS });
  const ofProvider = await made(`${provider}/mappers`, {
    name: 'm',
    identityProviderAlias: 'i1',
    identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
    config: { role: 'r1' },
  });
  const flow = `/authentication/flows/${await made('/authentication/flows', { alias: 'f1', topLevel: true })}`;
  const step = await made('/authentication/flows/f1/executions/execution', {
    provider: 'identity-provider-redirector',
  });
  const config = await made(`/authentication/executions/${step}/config`, { alias: 'conf', config: {} });
  const ofClient = `${client}/protocol-mappers/models/${await made(`${client}/protocol-mappers/models`, MAPPER)}`;
  const ofScope = `${scope}/protocol-mappers/models/${await made(`${scope}/protocol-mappers/models`, MAPPER)}`;
  const things: readonly (readonly [name: string, lists: readonly string[], things: readonly string[]])[] = [
    ['ComponentRepresentation', ['/components'], ['/components/dir']],
    ['ClientRepresentation', ['/clients'], [client]],
    ['GroupRepresentation', ['/groups', `${group}/children`], [group]],
    [
      'RoleRepresentation',
      ['/roles', `${client}/roles`],
      ['/roles/r1', `${client}/roles/cr`, `/roles-by-id/${roleId}`],
    ],
    ['IdentityProviderRepresentation', ['/identity-provider/instances'], [provider]],
    ['IdentityProviderMapperRepresentation', [`${provider}/mappers`], [`${provider}/mappers/${ofProvider}`]],
    ['AuthenticationFlowRepresentation', ['/authentication/flows'], [flow]],
    ['AuthenticationExecutionRepresentation', ['/authentication/executions'], []],
    [
      'AuthenticatorConfigRepresentation',
      [`/authentication/executions/${step}/config`, '/authentication/config'],
      [`/authentication/config/${config}`],
    ],
    ['RequiredActionProviderRepresentation', [], ['/authentication/required-actions/VERIFY_EMAIL']],
    ['ClientScopeRepresentation', ['/client-scopes'], [scope]],
    [
      'ProtocolMapperRepresentation',
      [`${client}/protocol-mappers/models`, `${scope}/protocol-mappers/models`],
      [ofClient, ofScope],
    ],
    ['ClientInitialAccessCreatePresentation', ['/clients-initial-access'], []],
  ];
  return { ...called, client, scope, user, things };
}

const refusal = (name: string, field = 'bad') => ({
  error: `Invalid json representation for ${name}. Unrecognized field "${field}"`,
});

test('unknown members: they are refused in the words of Keycloak 26.7.3, and nothing is created', async (t) => {
  const { call, realm, client, scope, user, things } = await scene();
  const clients = async () => (await call('GET', `${realm}/clients`)).text;
  const before = await clients();
  const rows: (readonly [method: string, path: string, body: unknown, name: string, field?: string])[] = [
    ...things.flatMap(([name, lists, ones]) => [
      ...lists.map((path) => ['POST', path, { bad: 'dict' }, name] as const),
      ...ones.map((path) => ['PUT', path, { bad: 'dict' }, name] as const),
    ]),
    ['PUT', '/authentication/flows/f1/executions', { bad: 'dict' }, 'AuthenticationExecutionInfoRepresentation'],
    [
      'PUT',
      '/authentication/required-actions/UPDATE_PASSWORD/config',
      { bad: 'dict' },
      'RequiredActionConfigRepresentation',
    ],
    ['PUT', `${user}/reset-password`, { bad: 'dict' }, 'CredentialRepresentation'],
    ...[client, scope].map(
      (of) =>
        [
          'POST',
          `${of}/protocol-mappers/add-models`,
          [MAPPER, { bad: 'dict' }],
          'ProtocolMapperRepresentation',
        ] as const,
    ),
    ...(['POST', 'DELETE'] as const).flatMap((method) =>
      [`${user}/role-mappings/realm`, `${user}/role-mappings${client}`, '/roles/r1/composites'].map(
        (path) => [method, path, [{ id: 'r1', name: 'r1', bad: 'dict' }], 'RoleRepresentation'] as const,
      ),
    ),
    ['POST', `${client}/scope-mappings/realm`, [{ id: 'r1', name: 'r1', bad: 'dict' }], 'RoleRepresentation'],
    ['POST', '/clients', { clientId: 'n', protocolMappers: [{ bad: 1 }] }, 'ProtocolMapperRepresentation'],
    ['POST', '/client-scopes', { name: 'n', protocolMappers: [{ bad: 1 }] }, 'ProtocolMapperRepresentation'],
    ['POST', '/groups', { name: 'n', subGroups: [{ name: 'm', subGroups: [{ bad: 1 }] }] }, 'GroupRepresentation'],
    ['POST', '/roles', { name: 'n', composites: { bad: ['r1'] } }, 'Composites'],
    ['POST', '/users', { username: 'user2', credentials: [{ bad: 1 }] }, 'CredentialRepresentation'],
    [
      'POST',
      '/authentication/flows',
      { alias: 'n', authenticationExecutions: [{ bad: 1 }] },
      'AuthenticationExecutionExportRepresentation',
    ],
    ['POST', '/clients', { clientId: 'n', enabled: true, wrong: 1 }, 'ClientRepresentation', 'wrong'],
    ['POST', '/components', { subComponents: {} }, 'ComponentRepresentation', 'subComponents'],
  ];
  for (const [method, path, body, name, field] of rows) {
    const got = await call(method, `${realm}${path}`, body);
    t.deepEqual([got.status, got.json], [400, refusal(name, field)], `${method} ${path}`);
  }
  t.is(await clients(), before);
});

test('unknown members: a tool can send back what it has read, with what Keycloak still reads and what a realm file may have', async (t) => {
  const { call, realm, things } = await scene();
  for (const path of [...things.flatMap(([, , ones]) => ones), '/identity-provider/instances/kept']) {
    const { json } = await call('GET', `${realm}${path}`);
    const got = await call('PUT', `${realm}${path}`, json);
    t.true(got.status < 300, `${path}: ${got.text}`);
  }
  const old: readonly (readonly [path: string, body: object])[] = [
    [
      '/clients',
      { clientId: 'old', clientTemplate: null, useTemplateScope: false, directGrantsOnly: false, access: {} },
    ],
    ['/roles', { name: 'old', scopeParamRequired: false, containerId: 'x', clientRole: false }],
    ['/groups', { name: 'old', access: {}, subGroupCount: 0, path: '/old' }],
    ['/client-scopes', { name: 'old', protocolMappers: [{ ...MAPPER, consentRequired: false, consentText: '' }] }],
  ];
  for (const [path, body] of old) {
    const got = await call('POST', `${realm}${path}`, body);
    t.is(got.status, 201, `${path}: ${got.text}`);
  }
  const roles = (await call('GET', `${realm}/roles`)).json;
  const mapped = await call(
    'POST',
    `${realm}/roles/old/composites`,
    (roles as unknown as { name: string }[]).slice(0, 1),
  );
  t.is(mapped.status, 204, mapped.text);
});

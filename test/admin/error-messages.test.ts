import test from 'ava';
import { adminCaller, clientUuid, startDemo } from '../helpers/admin.js';
import { ALICE, CAROL } from '../helpers/realms.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const UNKNOWN = [{ id: NOBODY, name: 'nope' }];
const GROUP_MISSING = { errorMessage: 'Group name is missing' };
const NO_GROUP = { error: 'Could not find group by id' };
const NO_ROLE = { error: 'Could not find role' };
const NO_CLIENT = { error: 'Could not find client' };
const NO_SCOPE = { error: 'Could not find client scope' };
const SCOPE_NOT_FOUND = { error: 'Client scope not found' };
const DUPLICATE = { error: 'conflict', error_description: 'Duplicate resource error' };
const NO_NAME = { error: 'role has no name' };
const wrongInput = (error_description: string) => ({ error: 'invalid_input', error_description });

type Row = readonly [what: string, method: string, path: string, body: unknown, status: number, answer: object];

/** Recorded from Keycloak 26.7.3: the status, and the members that programs read. */
const usersAndGroups = (group: string, other: string): Row[] => [
  [
    'a username that is taken',
    'POST',
    '/users',
    { username: 'alice' },
    409,
    { errorMessage: 'User exists with same username' },
  ],
  ['no username', 'POST', '/users', {}, 400, { errorMessage: 'User name is missing' }],
  [
    'an address that is none',
    'POST',
    '/users',
    { username: 'new', email: 'x' },
    400,
    { field: 'email', errorMessage: 'error-invalid-email' },
  ],
  [
    'a username with markup',
    'POST',
    '/users',
    { username: '<b>x' },
    400,
    { field: 'username', errorMessage: 'error-username-invalid-character' },
  ],
  [
    'a password that the policy refuses',
    'POST',
    '/users',
    { username: 'new', credentials: [{ type: 'password', value: 'x' }] },
    400,
    { error: 'invalidPasswordMinLengthMessage', error_description: 'Invalid password: minimum length 8.' },
  ],
  [
    'the same, set',
    'PUT',
    `/users/${CAROL}/reset-password`,
    { type: 'password', value: 'x' },
    400,
    { error: 'invalidPasswordMinLengthMessage' },
  ],
  [
    'an empty password',
    'PUT',
    `/users/${CAROL}/reset-password`,
    { type: 'password', value: '' },
    400,
    { error: 'Empty password not allowed' },
  ],
  [
    'no password',
    'PUT',
    `/users/${CAROL}/reset-password`,
    { type: 'password' },
    400,
    { error: 'No password provided' },
  ],
  ['a user who is not there', 'GET', `/users/${NOBODY}`, undefined, 404, { error: 'User not found' }],
  [
    'a credential that is not there',
    'DELETE',
    `/users/${ALICE}/credentials/${NOBODY}`,
    undefined,
    404,
    { error: 'Credential not found' },
  ],
  [
    'a group that is not there, joined',
    'PUT',
    `/users/${ALICE}/groups/${NOBODY}`,
    undefined,
    404,
    { error: 'Group not found' },
  ],
  [
    'a group that is not there, left',
    'DELETE',
    `/users/${ALICE}/groups/${NOBODY}`,
    undefined,
    404,
    { error: 'Group not found' },
  ],
  [
    'a role that is not there, given',
    'POST',
    `/users/${ALICE}/role-mappings/realm`,
    UNKNOWN,
    404,
    { error: 'Role not found' },
  ],
  [
    'roles of no client',
    'GET',
    `/users/${ALICE}/role-mappings/clients/${NOBODY}`,
    undefined,
    404,
    { error: 'Client not found' },
  ],
  [
    'a link that is not there',
    'DELETE',
    `/users/${ALICE}/federated-identity/nope`,
    undefined,
    404,
    { error: 'Link not found' },
  ],
  ['a consent to no client', 'DELETE', `/users/${ALICE}/consents/nope`, undefined, 404, { error: 'Client not found' }],
  [
    'no consent',
    'DELETE',
    `/users/${ALICE}/consents/account`,
    undefined,
    404,
    { error: 'Consent nor offline token not found' },
  ],
  [
    'offline sessions of no client',
    'GET',
    `/users/${ALICE}/offline-sessions/${NOBODY}`,
    undefined,
    404,
    { error: 'Client not found' },
  ],
  [
    'actions that there are not',
    'PUT',
    `/users/${ALICE}/execute-actions-email`,
    ['NOPE'],
    400,
    { errorMessage: 'Provided invalid required actions' },
  ],
  [
    'a mail for no client',
    'PUT',
    `/users/${ALICE}/execute-actions-email?client_id=nope`,
    ['UPDATE_PASSWORD'],
    400,
    { errorMessage: "Client doesn't exist" },
  ],
  ['a session that is not there', 'DELETE', `/sessions/${NOBODY}`, undefined, 404, { error: 'Sesssion not found' }],
  [
    'a group twice',
    'POST',
    '/groups',
    { name: 'words' },
    409,
    { errorMessage: "Top level group named 'words' already exists." },
  ],
  ['a group without a name', 'POST', '/groups', {}, 400, GROUP_MISSING],
  ['a name of blanks', 'POST', '/groups', { name: '  ' }, 400, GROUP_MISSING],
  [
    'a group renamed to another',
    'PUT',
    `/groups/${other}`,
    { name: 'words' },
    409,
    { errorMessage: "Sibling group named 'words' already exists." },
  ],
  ['a child without a name', 'POST', `/groups/${group}/children`, {}, 400, GROUP_MISSING],
  [
    'a child that is not there',
    'POST',
    `/groups/${group}/children`,
    { id: NOBODY, name: 'q' },
    404,
    { error: 'Could not find child by id' },
  ],
  ['no group', 'GET', `/groups/${NOBODY}`, undefined, 404, NO_GROUP],
  ['no group by its path', 'GET', '/group-by-path/none', undefined, 404, { error: 'Group path does not exist' }],
  ['no group for everybody', 'PUT', `/default-groups/${NOBODY}`, undefined, 404, { error: 'Group not found' }],
];

const rolesAndClients = (client: string, management: string): Row[] => [
  ['a role twice', 'POST', '/roles', { name: 'reader' }, 409, { errorMessage: 'Role with name reader already exists' }],
  ['a role without a name', 'POST', '/roles', {}, 400, NO_NAME],
  ['a role renamed to another', 'PUT', '/roles/staff', { name: 'reader' }, 409, DUPLICATE],
  ['no role', 'GET', '/roles/none', undefined, 404, NO_ROLE],
  ['no role by its id', 'GET', `/roles-by-id/${NOBODY}`, undefined, 404, { error: 'Could not find role with id' }],
  [
    'a role that is not there, contained',
    'POST',
    '/roles/reader/composites',
    UNKNOWN,
    404,
    { error: 'Could not find composite role' },
  ],
  ['a role of a client without a name', 'POST', `/clients/${client}/roles`, {}, 400, NO_NAME],
  ['a client twice', 'POST', '/clients', { clientId: 'spa' }, 409, { errorMessage: 'Client spa already exists' }],
  ['the id of another client', 'POST', '/clients', { id: client, clientId: 'new' }, 409, DUPLICATE],
  ['a client renamed to another', 'PUT', `/clients/${client}`, { clientId: 'spa' }, 409, DUPLICATE],
  [
    'a root that is no address',
    'POST',
    '/clients',
    { clientId: 'new', rootUrl: 'x' },
    400,
    wrongInput('Root URL is not a valid URL'),
  ],
  [
    'a home that is no address',
    'PUT',
    `/clients/${client}`,
    { baseUrl: 'x' },
    400,
    wrongInput('Base URL is not a valid URL'),
  ],
  [
    'a protocol that nobody speaks',
    'POST',
    '/clients',
    { clientId: 'new', protocol: 'nope' },
    400,
    wrongInput('Invalid protocol: nope'),
  ],
  [
    'a redirect address with a fragment',
    'POST',
    '/clients',
    { clientId: 'new', redirectUris: ['http://a#b'] },
    400,
    { error: 'invalid_input' },
  ],
  [
    'a redirect address that is a script',
    'PUT',
    `/clients/${client}`,
    { redirectUris: ['javascript:1'] },
    400,
    { error: 'invalid_input' },
  ],
  ['no client', 'GET', `/clients/${NOBODY}`, undefined, 404, NO_CLIENT],
  [
    "the realm's own client, removed",
    'DELETE',
    `/clients/${management}`,
    undefined,
    403,
    { error: 'HTTP 403 Forbidden' },
  ],
  [
    'a scope that is not there, given',
    'PUT',
    `/clients/${client}/default-client-scopes/${NOBODY}`,
    undefined,
    404,
    SCOPE_NOT_FOUND,
  ],
  [
    'no rotated secret',
    'GET',
    `/clients/${client}/client-secret/rotated`,
    undefined,
    404,
    { error: 'Client does not have a rotated secret' },
  ],
  [
    'a mapper of no kind',
    'POST',
    `/clients/${client}/protocol-mappers/models`,
    { name: 'm', protocol: 'openid-connect', protocolMapper: 'nope' },
    404,
    { error: 'ProtocolMapper provider not found' },
  ],
  [
    'no mapper',
    'GET',
    `/clients/${client}/protocol-mappers/models/${NOBODY}`,
    undefined,
    404,
    { error: 'Model not found' },
  ],
  ['a node without a name', 'POST', `/clients/${client}/nodes`, {}, 400, { error: 'Node not found in params' }],
  [
    'a scope twice',
    'POST',
    '/client-scopes',
    { name: 'email', protocol: 'openid-connect' },
    409,
    { errorMessage: 'Client Scope email already exists' },
  ],
  [
    'a scope with a blank',
    'POST',
    '/client-scopes',
    { name: 'a b', protocol: 'openid-connect' },
    400,
    { errorMessage: 'Unexpected name "a b" for ClientScope' },
  ],
  [
    'a scope of a strange protocol',
    'POST',
    '/client-scopes',
    { name: 'new', protocol: 'nope' },
    400,
    { errorMessage: 'Unexpected protocol' },
  ],
  ['no scope', 'GET', `/client-scopes/${NOBODY}`, undefined, 404, NO_SCOPE],
  ['no scope for every client', 'PUT', `/default-default-client-scopes/${NOBODY}`, undefined, 404, SCOPE_NOT_FOUND],
];

const flowsAndEvents = (browser: string): Row[] => [
  [
    'a flow twice',
    'POST',
    '/authentication/flows',
    { alias: 'browser', providerId: 'basic-flow', topLevel: true },
    409,
    { errorMessage: 'Flow browser already exists' },
  ],
  [
    'a flow without a name',
    'POST',
    '/authentication/flows',
    { providerId: 'basic-flow' },
    409,
    { errorMessage: 'Failed to create flow with empty alias name' },
  ],
  [
    'a flow that no address can name',
    'POST',
    '/authentication/flows',
    { alias: 'a/b', providerId: 'basic-flow' },
    400,
    { error: "Character '/' not allowed." },
  ],
  ['no flow', 'GET', `/authentication/flows/${NOBODY}`, undefined, 404, { error: 'Could not find flow with id' }],
  [
    'a built-in flow, removed',
    'DELETE',
    `/authentication/flows/${browser}`,
    undefined,
    400,
    { error: "Can't delete built in flow" },
  ],
  [
    'a step for no flow',
    'POST',
    '/authentication/flows/none/executions/execution',
    { provider: 'auth-cookie' },
    400,
    { error: "Parent flow doesn't exist" },
  ],
  [
    'a step of a built-in flow',
    'POST',
    '/authentication/flows/browser/executions/execution',
    { provider: 'auth-cookie' },
    400,
    { error: 'It is illegal to add execution to a built in flow' },
  ],
  [
    'a step that there is not',
    'POST',
    '/authentication/flows/own/executions/execution',
    { provider: 'nope' },
    400,
    { error: 'No authentication provider found for id: nope' },
  ],
  [
    'a required action that there is not',
    'POST',
    '/authentication/register-required-action',
    { providerId: 'nope', name: 'x' },
    400,
    { error: 'Required Action Provider with given providerId not found' },
  ],
];

test('Admin API, errors: status and message of refused requests are Keycloak’s', async (t) => {
  const { host } = await startDemo(t, { passwordPolicy: 'length(8)' });
  const call = await adminCaller(host);
  const made = async (path: string, body: object) => {
    const { status, headers } = await call('POST', `/realms/demo${path}`, body);
    t.is(status, 201, path);
    return headers.get('location')?.split('/').at(-1) ?? '';
  };
  const group = await made('/groups', { name: 'words' });
  const other = await made('/groups', { name: 'others' });
  await made('/authentication/flows', { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false });
  const flows = (await call('GET', '/realms/demo/authentication/flows')).json as unknown as {
    alias: string;
    id: string;
  }[];
  const rows = [
    ...usersAndGroups(group, other),
    ...rolesAndClients(await clientUuid(host, 'web'), await clientUuid(host, 'realm-management')),
    ...flowsAndEvents(flows.find(({ alias }) => alias === 'browser')?.id ?? ''),
  ];
  for (const [what, method, path, body, status, answer] of rows) {
    const { status: got, json } = await call(method, `/realms/demo${path}`, body);
    const members = Object.keys(answer);
    const seen = Object.fromEntries(members.map((member) => [member, (json as Record<string, unknown>)[member]]));
    t.deepEqual({ status: got, ...seen }, { status, ...answer }, what);
    const others = ['error', 'errorMessage', 'field'].filter(
      (member) => !members.includes(member) && Object.hasOwn(json, member),
    );
    t.deepEqual(others, [], `${what}: ${JSON.stringify(json)}`);
  }
});

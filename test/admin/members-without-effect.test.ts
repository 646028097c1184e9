import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { KEYCLOAK_SETTINGS } from '../../core/config/settings/keycloak-settings.js';
import type { SettingState } from '../../core/config/settings/setting-state.js';
import { idleValue } from '../config/idle-value.js';
import { realmWith } from '../config/realm-with-setting.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const rows = Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([name, state]: [string, SettingState]) =>
    state.state === 'ignored' ? [{ kind, name, state, value: idleValue(kind, name, state) }] : [],
  ),
);

/** The paths in the header. */
const named = (answer: { headers: Headers }) =>
  (answer.headers.get('keyhost-ignored') ?? '').split(', ').filter((path) => path !== '');

test('members without effect: POST /admin/realms names those that realm check names, at the same places', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const realms = rows.map(({ kind, name, value }, index) => ({ ...realmWith(kind, name, value), realm: `r${index}` }));
  for (const realm of realms) await writeFile(join(dir, `${realm.realm}.json`), JSON.stringify(realm));
  const { stdout } = await keyhost(['realm', 'check', ...realms.map(({ realm }) => `${realm}.json`)], { cwd: dir });
  const lines = stdout.split('\n').filter((line) => line.endsWith('[warning]'));
  const call = await adminCaller(shared());
  const wrong: object[] = [];
  for (const [index, realm] of realms.entries()) {
    const start = new RegExp(`^r${index}\\.json:\\d+:\\d+ (.*?): `);
    const warnings = lines.flatMap((line) => start.exec(line)?.[1] ?? []);
    const answer = await call('POST', '/realms', realm);
    // Flows that no user can complete are warnings as well, but not ignored members.
    const paths = named(answer);
    const missing = warnings.filter((path) => !paths.includes(path) && !/^authenticationFlows\[\d]$|Flow$/.test(path));
    const extra = paths.filter((path) => !warnings.includes(path));
    const { kind, name } = rows[index] ?? {};
    if (answer.status !== 201 || missing.length + extra.length > 0 || paths.length === 0)
      wrong.push({ kind, name, status: answer.status, missing, extra, text: answer.text.slice(0, 200) });
  }
  t.deepEqual(wrong, []);
});

type Kind = Readonly<Record<string, unknown>>;
const IDP = {
  alias: 'i',
  providerId: 'oidc',
  config: { clientId: 'c', clientSecret: 's', authorizationUrl: 'https://i.test/a', tokenUrl: 'https://i.test/t' },
};
const ATTRIBUTE = { 'acr.loa.map': '{}', 'request.uris': 'https://a.test/request' };
const MAPPER = {
  name: 'm',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': 'x' },
};

/** Operations that store members without effect: the body, and the paths in it. `new` means a POST. */
type OperationRow = readonly [door: string, method: 'POST' | 'PUT', path: string, body: object, paths: string[]];
const DOORS: readonly OperationRow[] = [
  ['realm', 'PUT', '', { displayNameHtml: '<b>x</b>', attributes: { frontendUrl: '' } }, ['displayNameHtml']],
  [
    'realm: values that ask for nothing',
    'PUT',
    '',
    { userManagedAccessAllowed: false, otpSupportedApplications: ['x'] },
    [],
  ],
  [
    'new client',
    'POST',
    '/clients',
    { clientId: 'n', implicitFlowEnabled: true, attributes: ATTRIBUTE },
    ['implicitFlowEnabled', 'attributes["request.uris"]'],
  ],
  ['client', 'PUT', '/clients/$client', { clientId: 'c', surrogateAuthRequired: true }, ['surrogateAuthRequired']],
  [
    'mappers of a new client',
    'POST',
    '/clients',
    { clientId: 'o', protocolMappers: [MAPPER] },
    ['protocolMappers[0].config'],
  ],
  ['mapper of a client', 'POST', '/clients/$client/protocol-mappers/models', MAPPER, ['config']],
  [
    'mappers of a client',
    'POST',
    '/clients/$client/protocol-mappers/add-models',
    [{ ...MAPPER, name: 'm2' }],
    ['[0].config'],
  ],
  ['mapper of a client scope', 'POST', '/client-scopes/$scope/protocol-mappers/models', MAPPER, ['config']],
  [
    'new client scope',
    'POST',
    '/client-scopes',
    { name: 's2', protocol: 'openid-connect', protocolMappers: [MAPPER] },
    ['protocolMappers[0].config'],
  ],
  [
    'identity provider',
    'POST',
    '/identity-provider/instances',
    { ...IDP, authenticateByDefault: true },
    ['authenticateByDefault'],
  ],
  [
    'component',
    'POST',
    '/components',
    { name: 'k', providerType: 'org.keycloak.storage.UserStorageProvider', providerId: 'ldap', config: {} },
    ['providerType'],
  ],
  [
    'partial import',
    'POST',
    '/partialImport',
    { clients: [{ clientId: 'q', implicitFlowEnabled: true, protocolMappers: [MAPPER] }] },
    ['clients[0].implicitFlowEnabled', 'clients[0].protocolMappers[0].config'],
  ],
  ['group', 'POST', '/groups', { name: 'g', access: { view: true } }, ['access']],
  ['user', 'POST', '/users', { username: 'user-1', federationLink: 'x', totp: true }, ['federationLink', 'totp']],
  [
    'key',
    'POST',
    '/components',
    {
      name: 'e',
      providerType: 'org.keycloak.keys.KeyProvider',
      providerId: 'ecdsa-generated',
      config: { ecGenerateCertificate: ['true'] },
    },
    ['config.ecGenerateCertificate'],
  ],
  [
    'profiles',
    'PUT',
    '/client-policies/profiles',
    { profiles: [{ name: 'p', executors: [{ executor: 'secure-session', configuration: { foo: '1' } }] }] },
    ['profiles[0].executors[0].configuration.foo'],
  ],
  ['role', 'POST', '/roles', { name: 'r', scopeParamRequired: true }, ['scopeParamRequired']],
  [
    'role of a client',
    'POST',
    '/clients/$client/roles',
    { name: 'r', scopeParamRequired: true },
    ['scopeParamRequired'],
  ],
  [
    'attribute of a client scope',
    'POST',
    '/client-scopes',
    { name: 's3', protocol: 'openid-connect', attributes: { 'always.display.consent': 'true' } },
    ['attributes["always.display.consent"]'],
  ],
  [
    'mapper of an identity provider',
    'POST',
    '/identity-provider/instances/i/mappers',
    {
      name: 'm',
      identityProviderAlias: 'i',
      identityProviderMapper: 'oidc-username-idp-mapper',
      config: { target: 'BROKER_ID' },
    },
    ['config.target'],
  ],
  [
    'config of a step',
    'POST',
    '/authentication/executions/$step/config',
    { alias: 'x', config: { always_set_password_on_register_form: 'true' } },
    ['config.always_set_password_on_register_form'],
  ],
  [
    'credential of a user',
    'POST',
    '/users',
    { username: 'user-2', origin: 'x', credentials: [{ type: 'password', value: 'Pass-word-1!', device: 'd' }] },
    ['origin', 'credentials[0].device'],
  ],
  [
    'user of a partial import',
    'POST',
    '/partialImport',
    { users: [{ username: 'user-3', origin: 'x' }] },
    ['users[0].origin'],
  ],
];

test('members without effect: each Admin API operation names the members of the body that it stores and that have no effect', async (t) => {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: false });
  const call = await adminCaller(host);
  const at = `/realms/${host.defaultRealm}`;
  const made = async (path: string, body: Kind) =>
    (await call('POST', `${at}${path}`, body)).headers.get('location')?.split('/').pop() ?? '';
  const client = await made('/clients', { clientId: 'c' });
  const scope = await made('/client-scopes', { name: 's', protocol: 'openid-connect' });
  const steps = (await call('GET', `${at}/authentication/flows/registration/executions`)).json as unknown as Kind[];
  const step = steps.find(({ providerId }) => providerId === 'registration-password-action')?.id;
  const found: object[] = [];
  for (const [door, method, path, body] of DOORS) {
    const names: Kind = { client, scope, step };
    const answer = await call(method, at + path.replace(/\$(\w+)/, (_, name) => String(names[name])), body);
    found.push([door, answer.status < 300 ? named(answer) : answer.text]);
  }
  t.deepEqual(
    found,
    DOORS.map(([door, , , , paths]) => [door, paths]),
  );
});

test('members without effect: a long header is cut: it says how many more there are, and a proxy accepts it', async (t) => {
  const call = await adminCaller(shared());
  const long = 'x'.repeat(250);
  const clients = Array.from({ length: 60 }, (_, index) => ({
    clientId: `${long}${index}`,
    implicitFlowEnabled: true,
  }));
  const roles = {
    client: Object.fromEntries(clients.map(({ clientId }) => [clientId, [{ name: 'r', scopeParamRequired: true }]])),
  };
  const answer = await call('POST', '/realms', { realm: 'long', clients, roles });
  t.is(answer.status, 201, answer.text);
  const header = answer.headers.get('keyhost-ignored') ?? '';
  t.true(header.length < 4096, String(header.length));
  t.regex(header, /^clients\[0\]\.implicitFlowEnabled, .*, and 100 more$/);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { providersFolder } from '../helpers/plugins.js';
import { folder } from '../helpers/process.js';

/**
 * The settings that a plugin declares for each use: a boolean and a list. One SPI forbids others, another declares
 * none.
 */
const SETTINGS = `{ type: 'object', properties: { failOpen: { type: 'boolean', default: false }, networks: { type: 'string' } } }`;
const PLUGIN = `import { Authenticator, ClientAuthenticator, ClientRegistrationPolicy, KeyProvider, ProtocolMapper, provide, RequiredAction } from '@keyhost/spi';
const done = async () => ({ outcome: 'success' });
const step = { open: () => ({ create: () => ({ authenticate: done }) }) };
const settings = ${SETTINGS};
export default { name: 'gate', api: 1, providers: [
  provide(Authenticator, { id: 'gate', settings, ...step }),
  provide(Authenticator, { id: 'second-gate', settings: { type: 'object', properties: { colour: { type: 'string' } } }, ...step }),
  provide(Authenticator, { id: 'shut-gate', settings: { ...settings, additionalProperties: false }, ...step }),
  provide(Authenticator, { id: 'open-gate', settings: { ...settings, additionalProperties: { type: 'string' } }, ...step }),
  provide(Authenticator, { id: 'silent', ...step }),
  provide(ProtocolMapper, { id: 'gates', settings, open: () => ({ create: () => ({ map: () => ({}) }) }) }),
  provide(RequiredAction, { id: 'pass-gate', displayText: 'Pass', settings, open: () => ({ create: () => ({ challenge: done, action: done }) }) }),
  provide(ClientAuthenticator, { id: 'client-gate', authMethods: ['gate'], parameters: ['gate'], settings, open: () => ({ create: () => ({ authenticate: async () => undefined }) }) }),
  provide(ClientRegistrationPolicy, { id: 'gated', settings, open: () => ({ create: () => ({ beforeRegister: done, beforeUpdate: done }) }) }),
  provide(KeyProvider, { id: 'key-gate', settings, open: () => ({ create: () => ({ keys: async () => [], sign: done }) }) }),
] };`;

type Config = Readonly<Record<string, string>>;

/** A realm whose steps have these settings, each in its own entry of `authenticatorConfig`, or in a shared one. */
function realmOf(steps: readonly (readonly [authenticators: string, config: Config])[], more: object = {}) {
  return {
    realm: 'gates',
    enabled: true,
    authenticationFlows: [
      {
        alias: 'own',
        providerId: 'basic-flow',
        topLevel: true,
        authenticationExecutions: steps.flatMap(([authenticators], index) =>
          authenticators.split(' ').map((authenticator) => ({
            authenticator,
            requirement: 'REQUIRED',
            authenticatorConfig: `c${index}`,
          })),
        ),
      },
    ],
    authenticatorConfig: steps.map(([, config], index) => ({ alias: `c${index}`, config })),
    ...more,
  };
}

const mapper = (protocolMapper: string, config: Config) => ({
  name: 'm',
  protocol: 'openid-connect',
  protocolMapper,
  config,
});
const action = (providerId: string, config: Config, alias = 'pass-gate') => ({
  alias,
  providerId,
  name: alias,
  enabled: true,
  config,
});
const client = (clientId: string, more: object) => ({ clientId, redirectUris: ['https://a.example/cb'], ...more });

const POLICIES = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';
const KEYS = 'org.keycloak.keys.KeyProvider';
type Lists = Readonly<Record<string, readonly string[]>>;
const component = (providerId: string, config: Lists, more: object = {}) => ({
  name: 'ours',
  providerId,
  config,
  ...more,
});

/**
 * The report of `keyhost realm check`, without the position in the file.
 * @param isShort false to include the position
 */
async function told(t: ExecutionContext, realm: object, isShort = true): Promise<string[]> {
  const dir = await folder(t);
  await writeFile(join(dir, 'realm.json'), JSON.stringify(realm));
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'gate' }] }));
  const providers = await providersFolder(t, { gate: PLUGIN });
  const { stdout, stderr } = await keyhost(['realm', 'check', 'realm.json', '--providers-dir', providers], {
    cwd: dir,
  });
  const lines = `${stdout}${stderr}`.trimEnd().split('\n');
  return lines
    .filter((line) => !line.endsWith('[hint]') && !line.endsWith('has no mistakes'))
    .map((line) => (isShort ? line.replace(/^realm\.json:\d+:\d+ (\S+):/, '$1') : line));
}

const BOOLEAN = 'must be a boolean';
const NONE = (id: string) => `has no effect: "${id}" has no setting of this name`;
const FALSE = 'is neither "true" nor "false": it is read as false [warning]';

test('settings of plugins: a misspelt setting, and an invalid boolean, are errors at their places', async (t) => {
  const realm = realmOf(
    [
      ['gate', { failOpen: 'open', network: '10.0.0.0/8' }],
      ['gate', { failOpen: 'True', failopen: 'true' }],
      ['shut-gate', { failOpen: '', network: 'x', other: 'y', 'default.reference.value': 'pwd' }],
      ['gate second-gate', { color: 'red', networks: 'a' }],
      ['open-gate', { network: 'x', failOpen: 'no' }],
    ],
    {
      requiredActions: [action('pass-gate', { failOpen: 'yes', network: 'x' })],
      clients: [
        client('web', { protocolMappers: [mapper('gates', { failOpen: '1', 'id.token.clam': 'true' })] }),
        client('machine', {
          clientAuthenticatorType: 'client-gate',
          attributes: { failOpen: 'off', network: 'x', 'acr.loa.map': '{}', mine: 'stays' },
        }),
      ],
    },
  );
  t.deepEqual(await told(t, realm), [
    `authenticatorConfig[0].config.failOpen ${BOOLEAN}`,
    'authenticatorConfig[0].config.network unknown key (did you mean "networks"?)',
    `authenticatorConfig[1].config.failOpen ${BOOLEAN} (did you mean "true"?)`,
    'authenticatorConfig[1].config.failopen unknown key (did you mean "failOpen"?)',
    'authenticatorConfig[2].config.network unknown key (did you mean "networks"?)',
    'authenticatorConfig[2].config.other unknown key',
    'authenticatorConfig[3].config.color unknown key (did you mean "colour"?)',
    `authenticatorConfig[4].config.failOpen ${BOOLEAN}`,
    `requiredActions[0].config.failOpen ${BOOLEAN}`,
    'requiredActions[0].config.network unknown key (did you mean "networks"?)',
    `clients[0].protocolMappers[0].config.failOpen ${BOOLEAN}`,
    'clients[0].protocolMappers[0].config["id.token.clam"] unknown key (did you mean "id.token.claim"?)',
    `clients[1].attributes.failOpen ${BOOLEAN}`,
  ]);
});

test('settings of plugins: other unknown settings are reported, and those that Keycloak accepts for its providers are no errors', async (t) => {
  const realm = realmOf(
    [
      ['gate', { failOpen: 'true', duoClientIds: 'x', empty: '', 'default.reference.value': 'pwd' }],
      ['gate second-gate', { something: 'x', colour: 'red' }],
      ['gate silent', { something: 'x' }],
      ['silent', { failOpen: 'sometimes' }],
      ['open-gate', { something: 'x' }],
      ['not-there', { failOpen: 'sometimes', something: 'x' }],
      ['conditional-user-role', { negate: 'no', negat: 'true', something: 'x' }],
      ['identity-provider-redirector', { defaultProvidr: 'p', 'default.reference.maxAge': '5' }],
      ['auth-username-password-form', { something: 'x' }],
    ],
    {
      requiredActions: [action('the-gate', {}), action('pass-gate', { something: 'x' })],
      clients: [
        client('web', {
          protocolMappers: [
            mapper('gates', { 'access.token.claim': 'yes', something: 'x' }),
            mapper('oidc-hardcoded-claim-mapper', {
              'claim.name': 'a',
              'claim.value': 'b',
              'id.token.claim': 'true',
              'userinfo.token.claim': 'yes',
              'acces.token.claim': 'true',
              'full.path': 'yes',
            }),
          ],
        }),
      ],
    },
  );
  const web = 'clients[0].protocolMappers[0].config';
  const ids = 'clients[0].protocolMappers[1].config';
  t.deepEqual(await told(t, realm), [
    `authenticatorConfig[0].config.duoClientIds ${NONE('gate')} [warning]`,
    'authenticatorConfig[1].config.something has no effect: "gate" and "second-gate" have no setting of this name [warning]',
    `authenticatorConfig[6].config.negate ${FALSE}`,
    `authenticatorConfig[6].config.negat ${NONE('conditional-user-role')} (did you mean "negate"?) [warning]`,
    `authenticatorConfig[7].config.defaultProvidr ${NONE('identity-provider-redirector')} (did you mean "defaultProvider"?) [warning]`,
    'requiredActions[0].providerId required action "the-gate" not found: users are not asked for it [warning]',
    `requiredActions[1].config.something ${NONE('pass-gate')} [warning]`,
    `${web}["access.token.claim"] ${FALSE}`,
    `${web}.something ${NONE('gates')} [warning]`,
    `${ids}["userinfo.token.claim"] ${FALSE}`,
    `${ids}["acces.token.claim"] ${NONE('oidc-hardcoded-claim-mapper')} (did you mean "access.token.claim"?) [warning]`,
  ]);
});

test('settings of plugins: a required action without providerId is that of its alias, mappers have any protocol, and a missing provider hides no problem', async (t) => {
  const { providerId: _, ...byAlias } = action('pass-gate', { failOpen: 'yes', something: 'x' });
  const ofSaml = (protocolMapper: string, config: Config) => ({
    ...mapper(protocolMapper, config),
    protocol: 'saml',
    name: protocolMapper,
  });
  const steps: Parameters<typeof realmOf>[0] = [
    ['gate not-there', { failOpen: 'open', network: 'x', something: 'x' }],
    ['conditional-user-role not-there', { negate: 'no', negat: 'true' }],
  ];
  const mistaken = realmOf(steps, {
    requiredActions: [byAlias],
    clients: [client('web', { protocol: 'saml', protocolMappers: [ofSaml('gates', { failOpen: '1', network: 'x' })] })],
  });
  t.deepEqual(await told(t, mistaken), [
    `authenticatorConfig[0].config.failOpen ${BOOLEAN}`,
    `requiredActions[0].config.failOpen ${BOOLEAN}`,
    `clients[0].protocolMappers[0].config.failOpen ${BOOLEAN}`,
    'clients[0].protocolMappers[0].config.network unknown key (did you mean "networks"?)',
  ]);

  const taken = realmOf(steps.slice(1), {
    requiredActions: [{ ...byAlias, config: { something: 'x' } }],
    clientScopes: [
      {
        name: 'saml-scope',
        protocol: 'saml',
        protocolMappers: [
          ofSaml('gates', { something: 'x' }),
          ofSaml('oidc-hardcoded-claim-mapper', {
            'claim.name': 'a',
            'claim.value': 'b',
            'id.token.claim': 'yes',
          }),
          ofSaml('saml-user-attribute-mapper', { 'id.token.claim': 'yes', something: 'x' }),
        ],
      },
    ],
  });
  const scope = 'clientScopes[0].protocolMappers';
  t.deepEqual(await told(t, taken), [
    `authenticatorConfig[0].config.negate ${FALSE}`,
    `requiredActions[0].config.something ${NONE('pass-gate')} [warning]`,
    `${scope}[0].config.something ${NONE('gates')} [warning]`,
    `${scope}[1].config["id.token.claim"] ${FALSE}`,
  ]);
});

test('settings of plugins: a client’s attributes are free texts: one that is similar to a setting of its authenticator gets a hint at its place', async (t) => {
  const ofPlugin = { clientAuthenticatorType: 'client-gate' };
  const attributes = { failOpen: 'true', network: 'x', 'acr.loa.map': '{}', mine: 'stays', networs: '' };
  const clients = [
    client('machine', { ...ofPlugin, attributes }),
    client('public', { publicClient: true, attributes }),
  ];
  const realm = realmOf([], { clients });
  const column = JSON.stringify(realm).indexOf('"network"') + 1;
  t.deepEqual(await told(t, realm, false), [
    `realm.json:1:${column} clients[0].attributes.network: "client-gate" has no setting of this name (did you mean "networks"?) [warning]`,
  ]);
});

test('settings of plugins: components are checked by the same rules, in files and in the Admin API', async (t) => {
  const ofPolicy = (config: Lists) => component('gated', config, { subType: 'anonymous' });
  const ofKey = (config: Lists) => component('key-gate', { ...config, enabled: ['true'], priority: ['7'], kid: ['k'] });
  const realm = (config: Lists) =>
    realmOf([], { components: { [POLICIES]: [ofPolicy(config)], [KEYS]: [ofKey(config)] } });
  const mistakes = [POLICIES, KEYS].map((type) => [
    `components["${type}"][0].config.failOpen ${BOOLEAN} (did you mean "true"?)`,
    `components["${type}"][0].config.network unknown key (did you mean "networks"?)`,
  ]);
  t.deepEqual(await told(t, realm({ failOpen: ['True'], network: ['x'] })), mistakes.flat());
  t.deepEqual(await told(t, realm({ failOpen: ['true'], networks: ['a', 'b'], something: ['x'], empty: [''] })), [
    `components["${POLICIES}"][0].config.something ${NONE('gated')} [warning]`,
    `components["${KEYS}"][0].config.something ${NONE('key-gate')} [warning]`,
  ]);

  const host = await startAdministered(t, {
    realms: [realmOf([])],
    plugins: [{ module: 'gate' }],
    argv: ['--providers-dir', await providersFolder(t, { gate: PLUGIN })],
  });
  const call = await adminCaller(host);
  for (const [providerType, of] of [[POLICIES, ofPolicy] as const, [KEYS, ofKey] as const]) {
    const post = (config: Lists) => call('POST', '/realms/gates/components', { ...of(config), providerType });
    const refused = await post({ failOpen: ['True'], network: ['x'] });
    t.is(refused.status, 400);
    t.regex(refused.text, /config\.failOpen: must be a boolean.*config\.network: unknown key/);
    t.is((await post({ failOpen: ['true'], something: ['x'] })).status, 201);
  }
  const warned = host.log.flatMap(({ level, message }) =>
    level === 'warn' && message.includes('something') ? [message] : [],
  );
  t.deepEqual(
    warned,
    ['gated', 'key-gate'].map((id) => `realm gates: component ours, something: ${NONE(id)}`),
  );
});

test('settings of plugins: the Admin API refuses errors, accepts the rest, and its log names members without effect', async (t) => {
  const host = await startAdministered(t, {
    realms: [
      realmOf([
        ['gate', { failOpen: 'true' }],
        ['conditional-user-role', { negate: 'true' }],
      ]),
    ],
    plugins: [{ module: 'gate' }],
    argv: ['--providers-dir', await providersFolder(t, { gate: PLUGIN })],
  });
  const call = await adminCaller(host);
  const base = '/realms/gates/authentication';
  const steps: { authenticationConfig: string }[] = JSON.parse(
    (await call('GET', `${base}/flows/own/executions`)).text,
  );
  const put = (index: number, config: Config) =>
    call('PUT', `${base}/config/${steps[index]?.authenticationConfig}`, { alias: `c${index}`, config });
  const warned = () => host.log.filter(({ level }) => level === 'warn').map(({ message }) => message);

  const refused = await put(0, { failOpen: 'open', network: 'x' });
  t.is(refused.status, 400);
  t.regex(refused.text, /failOpen: must be a boolean.*network: unknown key/);
  t.is((await put(0, { failOpen: 'false', something: 'x' })).status, 204);
  t.true(warned().includes(`realm gates: authenticator config "c0", something: ${NONE('gate')}`), warned().join('\n'));
  t.is((await put(1, { negate: 'no' })).status, 204);
  t.is(warned().filter((line) => line.includes('it is read as false')).length, 1);
  // A known problem is not logged again.
  t.is((await put(1, { negate: 'no', condUserRole: 'admin' })).status, 204);
  t.is(warned().filter((line) => line.includes('it is read as false')).length, 1);
});

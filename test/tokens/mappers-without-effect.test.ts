import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, clientUuid, startDemo } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { fileState, writeRealm } from '../helpers/realm-files.js';

/** Mappers that add nothing, by the message about them. */
const IDLE = {
  'protocol mapper "oidc-organization-membership-mapper" not found': [
    'oidc-organization-membership-mapper',
    { 'claim.name': 'organization', addOrganizationId: 'true' },
  ],
  'protocol mapper "oidc-organization-group-membership-mapper" not found': [
    'oidc-organization-group-membership-mapper',
    { 'access.token.claim': 'true' },
  ],
  'the mapper has no effect without new.role.name': ['oidc-role-name-mapper', { role: 'reader', 'new.role.name': '' }],
  'the mapper has no effect without role': ['oidc-hardcoded-role-mapper', {}],
  'the mapper has no effect without claim.name and user.session.note': ['oidc-usersessionmodel-note-mapper', {}],
  'the mapper has no effect without user.attribute': ['oidc-usermodel-attribute-mapper', { 'claim.name': 'a' }],
  'is no int: tokens go without the claim': [
    'oidc-hardcoded-claim-mapper',
    { 'claim.name': 'a', 'claim.value': '1e3', 'jsonType.label': 'int' },
  ],
  'users have no property "groupsCount": tokens go without the claim': [
    'oidc-usermodel-property-mapper',
    { 'claim.name': 'a', 'user.attribute': 'groupsCount' },
  ],
} as const;
/** Mappers that have an effect, or none in Keycloak either, are not reported. */
const QUIET = [
  ['oidc-hardcoded-claim-mapper', { 'claim.name': 'a', 'claim.value': '007', 'jsonType.label': 'long' }],
  ['oidc-usermodel-property-mapper', { 'claim.name': 'a', 'user.attribute': 'EmailVerified' }],
  ['oidc-audience-resolve-mapper', {}],
] as const;

const protocolMappers = [...Object.values(IDLE), ...QUIET].map(([protocolMapper, config], index) => ({
  name: `m${index}`,
  protocol: 'openid-connect',
  protocolMapper,
  config: { ...config },
}));
const realm = { ...codeRealm('idle'), providers: {}, organizationsEnabled: true };
const web = realm.clients?.findIndex(({ clientId }) => clientId === 'web') ?? -1;
const told = (index: number) => {
  const [protocolMapper, config] = Object.values(IDLE)[index] ?? [];
  if (protocolMapper?.includes('organization')) return '.protocolMapper';
  return Object.hasOwn(config ?? {}, 'claim.value') ? '.config.claim.value' : '.config';
};

test('mappers without effect: realm check names mappers and options that add nothing, at their place, and no others', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'idle.json');
  const clients = realm.clients?.map((client, index) => (index === web ? { ...client, protocolMappers } : client));
  await writeFile(file, JSON.stringify({ ...realm, clients }, null, 2));
  const { code, stdout } = await keyhost(['realm', 'check', file, '--data-dir', join(dir, 'data')]);
  t.is(code, 0, stdout);
  for (const [index, sentence] of Object.keys(IDLE).entries()) {
    const line = stdout.split('\n').find((one) => one.includes(`protocolMappers[${index}]`)) ?? '';
    t.true(line.includes(`clients[${web}].protocolMappers[${index}]${told(index).slice(0, 7)}`), line);
    t.true(line.includes(sentence) && line.includes('[warning]'), line);
  }
  t.regex(stdout, /\borganizationsEnabled: has no effect on the realm: Keyhost has no organizations.*\[warning]/);
  for (const index of QUIET.keys()) t.false(stdout.includes(`protocolMappers[${Object.keys(IDLE).length + index}]`));
});

test('mappers without effect: realm check names mappers of identity providers, and options of them, that do nothing', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'idle.json');
  const config = { clientId: 'c', authorizationUrl: 'https://p.example/a', tokenUrl: 'https://p.example/t' };
  const idp = (identityProviderMapper: string, settings: Record<string, string>) => ({
    name: identityProviderMapper,
    identityProviderAlias: 'p',
    identityProviderMapper,
    config: settings,
  });
  const identityProviderMappers = [
    idp('oidc-user-session-note-idp-mapper', { claims: '[]' }),
    idp('oidc-username-idp-mapper', { template: '${CLAIM.email}', target: 'BROKER_ID' }),
    idp('oidc-user-attribute-idp-mapper', { claim: 'a', 'user.attribute': 'b', 'allow.nullable.property': 'true' }),
    idp('hardcoded-attribute-idp-mapper', { attribute: 'a', 'attribute.value': 'b' }),
  ];
  const identityProviders = [{ alias: 'p', providerId: 'oidc', config }];
  await writeFile(file, JSON.stringify({ ...realm, identityProviders, identityProviderMappers }, null, 2));
  const { code, stdout } = await keyhost(['realm', 'check', file, '--data-dir', join(dir, 'data')]);
  t.is(code, 0, stdout);
  const lineOf = (index: number) =>
    stdout.split('\n').find((one) => one.includes(`identityProviderMappers[${index}]`)) ?? '';
  t.regex(lineOf(0), /\.identityProviderMapper: .*"oidc-user-session-note-idp-mapper" not found: .*\[warning]/);
  t.regex(lineOf(1), /\.config\.target: has no effect.*\[warning]/);
  t.regex(lineOf(2), /allow\.nullable\.property.*\[warning]/);
  t.is(lineOf(3), '');
});

test('mappers without effect: the log names them when a realm file is applied, and when the Admin API adds them', async (t) => {
  const { host } = await startDemo(t);
  const call = await adminCaller(host);
  const warned = () => host.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  const clients = realm.clients?.map((client, index) => (index === web ? { ...client, protocolMappers } : client));
  t.is(
    (
      await call('POST', '/realms', {
        realm: 'idle',
        enabled: true,
        organizationsEnabled: true,
        clients: [clients?.[web]],
      })
    ).status,
    201,
  );
  await writeRealm(host, { ...realm, realm: 'filed', users: [], clients: clients ?? [] });
  await fileState(host, 'filed.json', ({ state }) => state === 'applied');
  for (const [index, sentence] of Object.keys(IDLE).entries()) {
    const line = warned().find((one) => one.includes('filed.json') && one.includes(`protocolMappers[${index}]`));
    t.true(line?.includes(sentence), line ?? sentence);
    t.true(
      warned().some(
        (one) => one.startsWith('realm idle: ') && one.includes(`mapper m${index}`) && one.includes(sentence),
      ),
      sentence,
    );
  }
  const models = `/realms/demo/clients/${await clientUuid(host, 'web')}/protocol-mappers/models`;
  const added = await call('POST', models, { ...protocolMappers[6], name: 'of the API' });
  t.is(added.status, 201);
  t.true(
    warned().includes('realm demo: client web, mapper of the API: is no int: tokens go without the claim'),
    warned().join('\n'),
  );
});

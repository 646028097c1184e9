import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { folder } from '../helpers/process.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const mapper = (name: string, protocol?: string, protocolMapper = 'oidc-hardcoded-claim-mapper', config = {}) => ({
  name,
  ...(protocol === undefined ? {} : { protocol }),
  protocolMapper,
  config: {
    'claim.name': name,
    'claim.value': 'x',
    'access.token.claim': 'true',
    'id.token.claim': 'true',
    ...config,
  },
});

/**
 * The claims of these that Keycloak 26.7.3 has in tokens of an OpenID Connect client. It rejects mappers without a
 * protocol (409).
 */
const SHOWN = ['m_own', 'm_own_none', 'm_scope'];
const OF_CLIENT = [
  mapper('m_own', 'openid-connect'),
  mapper('m_own_none'),
  mapper('m_own_saml', 'saml'),
  mapper('m_own_other', 'acme'),
  mapper('m_pairwise', 'saml', 'oidc-sha256-pairwise-sub-mapper', { pairwiseSubAlgorithmSalt: 'salt' }),
  mapper('m_attribute', 'saml', 'saml-hardcode-attribute-mapper'),
];
const clientScopes = [
  { protocol: 'openid-connect', mappers: [mapper('m_scope', 'openid-connect'), mapper('m_scope_saml', 'saml')] },
  { protocol: 'saml', mappers: [mapper('m_of_saml', 'openid-connect'), mapper('m_of_saml_saml', 'saml')] },
].map(({ protocol, mappers }) => ({ name: `s-${protocol}`, protocol, protocolMappers: mappers }));
const app = {
  clientId: 'app',
  secret: 's',
  directAccessGrantsEnabled: true,
  protocolMappers: OF_CLIENT,
  defaultClientScopes: ['s-openid-connect', 's-saml'],
  redirectUris: ['https://app.example/cb'],
};
const base = testRealm('demo', { providers: {} });
const realm = {
  ...base,
  clients: [...(base.clients ?? []), app],
  clientScopes: [...(base.clientScopes ?? []), ...clientScopes],
};
const host = shareHost(test, administered({ realms: [realm] }));

test('protocols of mappers: tokens have no mapper of another protocol, and no client scope of one', async (t) => {
  const ask = (scope: string) => {
    const user = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };
    return host().token('demo', { ...user, client_id: 'app', client_secret: 's', scope });
  };
  const { status, json, text } = await ask('openid');
  t.is(status, 200, text);
  for (const token of [json.access_token, json.id_token]) {
    const names = Object.keys(claimsOf(token ?? '')).filter((name) => name.startsWith('m_'));
    t.deepEqual(names.sort(), SHOWN);
  }
  t.is(claimsOf(json.id_token ?? '').sub, ALICE);
  t.like(json, { scope: 'openid s-openid-connect' });
  t.like((await ask('openid s-saml')).json, { error: 'invalid_scope' });
  const call = await adminCaller(host());
  const registration = `/realms/demo/clients/${await clientUuid(host(), 'app')}/registration-access-token`;
  const access = String((await call('POST', registration)).json.registrationAccessToken);
  const registered = `${host().realm('demo')}/clients-registrations/openid-connect/app`;
  t.like((await fetchAnswer(registered, { headers: bearer(access) })).json, { subject_type: 'public' });
});

/** The mapper that would give it a subject is of another protocol. */
const subless = {
  clientId: 'subless',
  optionalClientScopes: ['s-openid-connect'],
  redirectUris: ['https://app.example/cb'],
  protocolMappers: [mapper('m_sub', 'saml', 'oidc-sub-mapper')],
};
const VAIN = (name: string, holder: string, given: string, expected: string) =>
  `protocol "${given}" instead of "${expected}": mapper ${name} of ${holder} adds no claims to tokens`;

test('protocols of mappers: realm check names them at their protocol, and the log one that the Admin API adds', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  await writeFile(
    file,
    JSON.stringify({ realm: 'demo', enabled: true, clients: [app, subless], clientScopes }, null, 2),
  );
  const { code, stdout } = await keyhost(['realm', 'check', file, '--data-dir', join(dir, 'data')]);
  t.is(code, 0, stdout);
  const told = stdout.split('\n').filter((line) => line.endsWith('[warning]'));
  const client = 'clients[0].protocolMappers';
  const scope = 'clientScopes';
  t.deepEqual(
    told.map((line) => line.replace(/^\S+:\d+:\d+ /, '')),
    [
      ...[
        ['m_own_saml', 2],
        ['m_own_other', 3, 'acme'],
        ['m_pairwise', 4],
        ['m_attribute', 5],
      ].map(
        ([name, at, given = 'saml']) =>
          `${client}[${at}].protocol: ${VAIN(String(name), 'client app', String(given), 'openid-connect')} [warning]`,
      ),
      'clients[1].optionalClientScopes: a client that names only optional client scopes has no default ones: its access tokens have no "sub" (add "defaultClientScopes") [warning]',
      `clients[1].protocolMappers[0].protocol: ${VAIN('m_sub', 'client subless', 'saml', 'openid-connect')} [warning]`,
      `${scope}[0].protocolMappers[1].protocol: ${VAIN('m_scope_saml', 'client scope s-openid-connect', 'saml', 'openid-connect')} [warning]`,
      `${scope}[1].protocolMappers[0].protocol: ${VAIN('m_of_saml', 'client scope s-saml', 'openid-connect', 'saml')} [warning]`,
    ],
  );
  const call = await adminCaller(host());
  const scopes = (await call('GET', '/realms/demo/client-scopes')).json as unknown as { id: string; name: string }[];
  const id = scopes.find(({ name }) => name === 's-openid-connect')?.id;
  const added = await call('POST', `/realms/demo/client-scopes/${id}/protocol-mappers/models`, mapper('late', 'saml'));
  t.is(added.status, 201, added.text);
  const warned = host()
    .log.filter(({ level }) => level === 'warn')
    .map(({ message }) => message);
  const sentence = VAIN('late', 'client scope s-openid-connect', 'saml', 'openid-connect');
  t.is(warned.filter((message) => message === `realm demo: ${sentence}`).length, 1, warned.join('\n'));
});

import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** Recorded from Keycloak 26.7: Jackson's conversions of plain values. `null` means absent. */
test('lenient bodies: settings are read as Keycloak reads them, and read back as they were meant', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const read = async () =>
    (await call('GET', `/realms/${host.defaultRealm}`)).json as unknown as Record<string, unknown>;
  for (const [sent, meant] of [
    [{ accessTokenLifespan: '301' }, 301],
    [{ accessTokenLifespan: null }, 301],
    [{ accessTokenLifespan: 302.7 }, 302],
    [{ accessTokenLifespan: '' }, 302],
    [{ notBefore: 1.9 }, 1],
    [{ notBefore: '12' }, 12],
    [{ registrationAllowed: 'true' }, true],
    [{ registrationAllowed: 'False' }, false],
    [{ registrationAllowed: 1 }, true],
    [{ registrationAllowed: '' }, true],
    [{ registrationAllowed: 0 }, false],
    [{ displayName: 5 }, '5'],
    [{ displayName: '' }, ''],
    [{ enabledEventTypes: ['LOGIN', null] }, ['LOGIN']],
    [{ enabledEventTypes: 'LOGOUT' }, ['LOGOUT']],
    [{ defaultSignatureAlgorithm: '' }, ''],
    [{ sslRequired: 'External' }, 'external'],
    [{ sslRequired: 'EXTERNAL' }, 'external'],
    [{ otpPolicyDigits: '8' }, 8],
    [{ webAuthnPolicyUserVerificationRequirement: '' }, ''],
    [
      { smtpServer: { host: 'mail.example.test', port: 25, auth: false, from: 'a@example.test', ssl: null } },
      { host: 'mail.example.test', port: '25', auth: 'false', from: 'a@example.test' },
    ],
  ] as const) {
    const [key = ''] = Object.keys(sent);
    const said = JSON.stringify(sent);
    t.is((await call('PUT', `/realms/${host.defaultRealm}`, sent)).status, 204, said);
    t.deepEqual((await read())[key], meant, said);
  }
  t.is(
    (await call('PUT', `/realms/${host.defaultRealm}`, { attributes: { a: 5, b: true, c: null, d: '' } })).status,
    204,
  );
  t.like(await read(), { attributes: { a: '5', b: 'true', d: '' } });
  t.false(Object.hasOwn((await read()).attributes as object, 'c'));
  const token = { grant_type: 'password', client_id: 'admin-cli', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host.token(host.defaultRealm, token)).status, 200, 'an algorithm of "" is the default');
});

test('lenient bodies: an unreadable value is refused at its place, and changes nothing', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  for (const [sent, told] of [
    [{ accessTokenLifespan: '302.7' }, 'accessTokenLifespan: must be an integer'],
    [{ accessTokenLifespan: true }, 'accessTokenLifespan: must be an integer'],
    [{ registrationAllowed: 'yes' }, 'registrationAllowed: must be a boolean'],
    [{ registrationAllowed: 1.5 }, 'registrationAllowed: must be a boolean'],
    [{ displayName: ['a'] }, 'displayName: must be a string'],
    [{ attributes: { a: ['x'] } }, 'attributes.a: must be a string or null'],
    [{ smtpServer: { port: {} } }, 'smtpServer.port: must be a string'],
  ] as const) {
    const { status, json } = await call('PUT', `/realms/${host.defaultRealm}`, { enabled: false, ...sent });
    t.deepEqual([status, json], [400, { errorMessage: told }], JSON.stringify(sent));
  }
  t.is((await call('GET', `/realms/${host.defaultRealm}`)).json.enabled, true);
});

test('lenient bodies: null means absent, in new objects and at every depth', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const realm = { realm: 'nulls', enabled: 'true', displayName: null, users: null, clients: null, attributes: null };
  t.is((await call('POST', '/realms', realm)).status, 201);
  const config = { 'claim.name': 'x', 'claim.value': 5, 'access.token.claim': true, none: null };
  const mapper = { id: null, name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' };
  const client = {
    id: null,
    clientId: 'nulls',
    name: null,
    enabled: 'true',
    nodeReRegistrationTimeout: '3',
    notBefore: null,
    defaultClientScopes: null,
    redirectUris: ['http://localhost/*', null],
    attributes: { n: 5, z: null },
    protocolMappers: [{ ...mapper, config }],
  };
  const made = await call('POST', '/realms/nulls/clients', client);
  t.is(made.status, 201, made.text);
  const shown = (await call('GET', `/realms/nulls/clients/${made.headers.get('location')?.split('/').pop()}`)).json;
  t.like(shown as object, {
    enabled: true,
    nodeReRegistrationTimeout: 3,
    redirectUris: ['http://localhost/*'],
    protocolMappers: [{ config: { 'claim.name': 'x', 'claim.value': '5', 'access.token.claim': 'true' } }],
  });
  t.true((shown.defaultClientScopes as unknown as readonly string[]).includes('profile'));
  const user = {
    username: 'nora',
    enabled: 'true',
    email: null,
    groups: null,
    firstName: 7,
    credentials: [{ type: 'password', value: 12345, temporary: 'false', userLabel: null }],
    attributes: { one: 'x', many: [1, true, null] },
  };
  const profile = (await call('GET', '/realms/nulls/users/profile')).json as object;
  t.is(
    (await call('PUT', '/realms/nulls/users/profile', { ...profile, unmanagedAttributePolicy: 'ENABLED' })).status,
    200,
  );
  t.is((await call('POST', '/realms/nulls/users', user)).status, 201);
  const [nora] = (await call('GET', '/realms/nulls/users?username=nora')).json as unknown as object[];
  t.like(nora, { firstName: '7', attributes: { one: ['x'], many: ['1', 'true'] } });
});

test('lenient bodies: a DELETE that names no role mappings or scope mappings removes all of them', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const call = await adminCaller(host);
  const user = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}/role-mappings/realm`;
  const [web] = await admin.clients.find({ clientId: 'web' });
  const scope = `/realms/${host.defaultRealm}/clients/${web?.id}/scope-mappings/realm`;
  const roles = (await call('GET', `/realms/${host.defaultRealm}/roles`)).json as unknown as { name: string }[];
  const some = roles.filter(({ name }) => ['reader', 'staff'].includes(name));
  for (const path of [user, scope]) {
    for (const [headers, body] of [
      [{}, undefined],
      [{ 'content-type': 'application/json' }, undefined],
      [{ 'content-type': 'text/plain' }, undefined],
      [{ 'content-type': 'application/json' }, 'null'],
    ] as const) {
      t.is((await call('POST', path, some)).status, 204);
      t.is((await call('DELETE', path, [])).status, 204);
      t.not((await call('GET', path)).text, '[]', 'an empty list names none');
      t.is((await call('DELETE', path, body, headers)).status, 204, `${path} ${JSON.stringify(headers)}`);
      t.is((await call('GET', path)).text, '[]');
    }
  }
});

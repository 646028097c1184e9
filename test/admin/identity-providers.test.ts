import test from 'ava';
import { adminCaller, adminClient, administered, ownRealm, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('identity providers: providers and their mappers are stored, their secrets masked', async (t) => {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const demo = { realm: host.defaultRealm };
  const admin = await adminClient(host);
  const stored = async () => (await host.realms.get(host.defaultRealm))?.representation.identityProviders?.[0];
  const config = {
    clientId: 'keyhost',
    clientSecret: 'hidden',
    authorizationUrl: 'https://partner.example.test/auth',
    tokenUrl: 'https://partner.example.test/token',
    prompt: 'login',
  };
  await admin.identityProviders.create({
    ...demo,
    alias: 'partner',
    providerId: 'oidc',
    displayName: 'Partner',
    config,
  });
  const shown = await admin.identityProviders.findOne({ ...demo, alias: 'partner' });
  t.like(shown, { alias: 'partner', providerId: 'oidc', enabled: true, config: { clientSecret: '**********' } });
  await admin.identityProviders.update(
    { ...demo, alias: 'partner' },
    { ...shown, enabled: false, config: { ...shown?.config, clientId: 'other', prompt: '' } },
  );
  t.like(await stored(), { enabled: false, displayName: 'Partner', internalId: shown?.internalId });
  t.deepEqual((await stored())?.config, {
    clientId: 'other',
    clientSecret: 'hidden',
    authorizationUrl: config.authorizationUrl,
    tokenUrl: config.tokenUrl,
  });
  await admin.identityProviders.create({ ...demo, alias: 'another', providerId: 'oidc', enabled: false });
  const aliases = async (query: object) =>
    (await admin.identityProviders.find({ ...demo, ...query })).map((one) => one.alias);
  t.deepEqual(await aliases({}), ['another', 'partner']);
  t.deepEqual(await aliases({ search: 'part' }), ['partner']);
  t.deepEqual(await aliases({ search: '"part"' }), []);
  t.deepEqual(await aliases({ first: 1, max: 1 }), ['partner']);

  const mapper = { name: 'country', identityProviderMapper: 'oidc-user-attribute-idp-mapper', config: { claim: 'c' } };
  const { id } = await admin.identityProviders.createMapper({
    ...demo,
    alias: 'partner',
    identityProviderMapper: { ...mapper, identityProviderAlias: 'partner' },
  });
  await admin.identityProviders.updateMapper(
    { ...demo, alias: 'partner', id },
    { ...mapper, id, config: { claim: 'd' } },
  );
  const [found] = await admin.identityProviders.findMappers({ ...demo, alias: 'partner' });
  t.deepEqual(found as object, { ...mapper, id, identityProviderAlias: 'partner', config: { claim: 'd' } });
  t.deepEqual(await admin.identityProviders.findMappers({ ...demo, alias: 'another' }), []);
  t.falsy(await admin.identityProviders.findOneMapper({ ...demo, alias: 'another', id }), 'it is not of that provider');
  await admin.identityProviders.del({ ...demo, alias: 'partner' });
  t.falsy(await admin.identityProviders.findOne({ ...demo, alias: 'partner' }));
  t.deepEqual(
    (await host.realms.get(host.defaultRealm))?.representation.identityProviderMappers,
    [],
    'they went with it',
  );
  const call = await adminCaller(host);
  t.notRegex((await call('GET', `/realms/${host.defaultRealm}/admin-events`)).text, /hidden/);
});

test('identity providers: an invalid provider is refused, and so is a caller without the role', async (t) => {
  const users = ['view-identity-providers', 'manage-realm'].map((role) => ({
    username: role,
    enabled: true,
    clientRoles: { 'realm-management': [role] },
    credentials: [{ type: 'password', value: 'p' }],
  }));
  const { host } = await ownRealm(shared(), { users });
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/identity-provider/instances`;
  t.is((await call('POST', path, { alias: 'a', providerId: 'oidc', enabled: false })).status, 201);
  const refusals: [unknown, number, RegExp][] = [
    [{ alias: 'a', providerId: 'oidc' }, 409, /Identity Provider a already exists/],
    [{ alias: 'b' }, 400, /Invalid identity provider id \[null\]/],
    [{ alias: 'b', providerId: 'bogus' }, 400, /Invalid identity provider id \[bogus\]/],
    [{ alias: '../b', providerId: 'oidc' }, 400, /alias/],
    [
      { alias: 'b', providerId: 'oidc', config: { authorizationUrl: 'javascript:alert(1)' } },
      400,
      /\[authorizationUrl\] is malformed/,
    ],
    [{ alias: 'b', providerId: 'oidc', config: { clientId: [1] } }, 400, /config.clientId/],
    [{ alias: 'b', providerId: 'oidc', config: { clientId: 'c' } }, 400, /tokenUrl.{1,2} is missing/],
  ];
  for (const [body, status, text] of refusals) {
    const answer = await call('POST', path, body);
    t.is(answer.status, status, answer.text);
    t.regex(answer.text, text);
  }
  t.is((await call('PUT', `${path}/a`, { alias: 'renamed' })).status, 400);
  const viewer = await adminCaller(host, {
    realm: host.defaultRealm,
    username: 'view-identity-providers',
    password: 'p',
  });
  t.is((await viewer('GET', path)).status, 200);
  t.is((await viewer('DELETE', `${path}/a`)).status, 403);
  const manager = await adminCaller(host, { realm: host.defaultRealm, username: 'manage-realm', password: 'p' });
  t.is((await manager('GET', path)).status, 403);
});

test('identity providers: a configuration is read from a provider’s metadata, and mappers describe their settings', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo'), testRealm('partner')] });
  const call = await adminCaller(host);
  const path = '/realms/demo/identity-provider';
  const ask = (fromUrl: unknown, providerId = 'oidc') => call('POST', `${path}/import-config`, { providerId, fromUrl });
  const oidc = host.oidc('partner');
  const { json } = await ask(`${host.realm('partner')}/.well-known/openid-configuration`);
  t.like(json as object, {
    issuer: host.realm('partner'),
    authorizationUrl: `${oidc}/auth`,
    tokenUrl: `${oidc}/token`,
    userInfoUrl: `${oidc}/userinfo`,
    logoutUrl: `${oidc}/logout`,
    jwksUrl: `${oidc}/certs`,
    useJwksUrl: 'true',
    validateSignature: 'true',
  });
  const config = { ...(json as object), clientId: 'keyhost' };
  t.is((await call('POST', `${path}/instances`, { alias: 'p', providerId: 'oidc', config })).status, 201);
  const refusals: [unknown, string, RegExp][] = [
    [`${host.realm('partner')}/nowhere`, 'oidc', /it answered 404/],
    [`${host.url}/resources/nothing`, 'oidc', /it answered 404/],
    ['http://127.0.0.1:1/', 'oidc', /ECONNREFUSED/],
    ['file:///etc/passwd', 'oidc', /fromUrl: must be an http/],
    [undefined, 'oidc', /fromUrl/],
    [host.url, 'saml', /it is not SAML metadata/],
    [host.url, 'unknown', /providerId: must be oidc/],
  ];
  for (const [url, providerId, text] of refusals) {
    const answer = await ask(url, providerId);
    t.is(answer.status, 400);
    t.regex(answer.text, text);
  }
  const types = (await call('GET', `${path}/instances/p/mapper-types`)).json as Record<
    string,
    { properties: object[] }
  >;
  t.like(types['oidc-role-idp-mapper']?.properties, [{ name: 'claim' }, { name: 'claim.value' }, { name: 'role' }]);
  // As in Keycloak, mappers without effect are stored, and Keyhost reports them.
  const kept: [mapper: object, ignored: string | null, told: RegExp][] = [
    [{ identityProviderMapper: 'nothing' }, 'identityProviderMapper', /mapper "nothing" not found/],
    [
      { identityProviderMapper: 'saml-user-attribute-idp-mapper' },
      'identityProviderMapper',
      /mapper "saml-user-attribute-idp-mapper" not found/,
    ],
    [
      { identityProviderMapper: 'oidc-username-idp-mapper', config: { syncMode: 'sometimes' } },
      'config.syncMode',
      /sync mode "sometimes" not found: mapper 2 has that of its identity provider/,
    ],
  ];
  for (const [index, [mapper, ignored, told]] of kept.entries()) {
    const added = await call('POST', `${path}/instances/p/mappers`, { name: String(index), ...mapper });
    t.deepEqual([added.status, added.headers.get('keyhost-ignored')], [201, ignored], added.text);
    t.true(
      host.log.some(({ message }) => told.test(message)),
      String(told),
    );
  }
  const mappers = (await call('GET', `${path}/instances/p/mappers`)).json as unknown as object[];
  t.deepEqual(
    kept.map((_, index) => mappers.find((one) => 'name' in one && one.name === String(index)) !== undefined),
    [true, true, true],
  );
});

test('identity providers: managing providers makes nobody an admin', async (t) => {
  const manager = {
    username: 'manager',
    enabled: true,
    credentials: [{ type: 'password', value: 'p' }],
    clientRoles: { 'realm-management': ['manage-identity-providers'] },
  };
  const linked = (username: string, changes: object) => ({
    username,
    enabled: true,
    ...changes,
    federatedIdentities: [{ identityProvider: username, userId: '1' }],
  });
  const config = {
    clientId: 'keyhost',
    authorizationUrl: 'https://p.example.test/auth',
    tokenUrl: 'https://p.example.test/token',
  };
  const users = [
    manager,
    linked('chief', { clientRoles: { 'realm-management': ['realm-admin'] } }),
    linked('member', { groups: ['/admins/some'] }),
    linked('user', {}),
  ];
  const groups = [
    { name: 'admins', clientRoles: { 'realm-management': ['manage-users'] }, subGroups: [{ name: 'some' }] },
  ];
  const identityProviders = ['chief', 'member', 'user'].map((alias) => ({ alias, providerId: 'oidc', config }));
  const { host } = await ownRealm(shared(), { users, groups, identityProviders });
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'p' });
  const path = `/realms/${host.defaultRealm}/identity-provider/instances`;
  const moved = { providerId: 'oidc', config: { ...config, tokenUrl: 'https://evil.example.test/token' } };
  for (const [alias, status] of [
    ['chief', 403],
    ['member', 403],
    ['user', 204],
  ] as const) {
    t.is((await call('PUT', `${path}/${alias}`, moved)).status, status, alias);
  }
  t.is((await call('DELETE', `${path}/member`)).status, 204, 'with the links');
  const mapper = (identityProviderMapper: string, given: object) =>
    call('POST', `${path}/user/mappers`, { name: 'm', identityProviderMapper, config: given });
  for (const role of ['realm-management.realm-admin', 'realm-management.view-users']) {
    t.is((await mapper('oidc-hardcoded-role-idp-mapper', { role })).status, 403, role);
  }
  t.is((await mapper('oidc-hardcoded-group-idp-mapper', { group: '/admins/some' })).status, 403);
  const { headers, status } = await mapper('oidc-hardcoded-role-idp-mapper', { role: 'reader' });
  t.is(status, 201);
  const id = headers.get('location')?.split('/').at(-1);
  const raised = { config: { role: 'realm-management.realm-admin' } };
  t.is((await call('PUT', `${path}/user/mappers/${id}`, raised)).status, 403);
});

test('identity providers: a provider is found by its alias and its internal ID, and a PUT replaces it', async (t) => {
  const config = { clientId: 'c', authorizationUrl: 'https://p.example.test/a', tokenUrl: 'https://p.example.test/t' };
  const old = { alias: 'old', providerId: 'oidc', enabled: true, config };
  const { host } = await ownRealm(shared(), { identityProviders: [old] });
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/identity-provider/instances`;
  const switches = { trustEmail: true, storeToken: true, linkOnly: true, hideOnLogin: true };
  const sent = {
    alias: 'p',
    providerId: 'oidc',
    displayName: 'P',
    ...switches,
    config: { ...config, clientSecret: 's' },
  };
  t.is((await call('POST', path, sent)).status, 201);
  const { internalId } = (await call('GET', `${path}/p`)).json as unknown as { internalId: string };
  const shown = await call('GET', `${path}/${internalId}`);
  t.like(shown.json as object, { alias: 'p', displayName: 'P', ...switches });
  const masked = { ...(shown.json as object), displayName: 'Q' };
  t.is((await call('PUT', `${path}/${internalId}`, masked)).status, 204);
  const stored = async () =>
    (await host.realms.get(host.defaultRealm))?.representation.identityProviders?.find(({ alias }) => alias === 'p');
  t.like(await stored(), { displayName: 'Q', linkOnly: true, config: { clientSecret: 's' } });
  t.is((await call('PUT', `${path}/p`, { alias: 'p', providerId: 'oidc', config })).status, 204);
  t.deepEqual(await stored(), { alias: 'p', internalId, providerId: 'oidc', enabled: true, config });
  for (const [body, told] of [
    [{ alias: 'renamed', providerId: 'oidc', config }, 'Identity Provider alias cannot be changed'],
    [{ alias: 'p', config }, 'Invalid identity provider id [null]'],
  ]) {
    t.deepEqual((await call('PUT', `${path}/p`, body)).json, { errorMessage: told });
  }
  const ofFile = (await call('GET', `${path}/old`)).json as unknown as { internalId: string };
  t.is((await call('GET', `${path}/${ofFile.internalId}`)).json.alias, 'old', 'also where its file says none');
  t.is((await call('GET', `${path}/${internalId}/mappers`)).text, '[]');
  t.is((await call('DELETE', `${path}/${internalId}`)).status, 204);
  t.deepEqual((await call('GET', `${path}/p`)).json, { error: 'HTTP 404 Not Found' });
});

test('identity providers: the types of providers are listed, and links to removed providers are not', async (t) => {
  const link = { identityProvider: 'gone', userId: '1', userName: 'n' };
  const users = [{ username: 'linked', enabled: true, federatedIdentities: [link] }];
  const { host } = await ownRealm(shared(), { users });
  const call = await adminCaller(host);
  const kind = (id: string) => call('GET', `/realms/${host.defaultRealm}/identity-provider/providers/${id}`);
  t.like((await kind('oidc')).json as object, { id: 'oidc', name: 'OpenID Connect v1.0', configProperties: [] });
  t.like((await kind('github')).json as object, { id: 'github' });
  t.is((await kind('bogus')).status, 400);
  const [{ id }] = (await call('GET', `/realms/${host.defaultRealm}/users?username=linked`)).json as unknown as [
    { id: string },
  ];
  t.is((await call('GET', `/realms/${host.defaultRealm}/users/${id}/federated-identity`)).text, '[]');
});

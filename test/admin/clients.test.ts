import test from 'ava';
import { adminCaller, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { claimsOf } from '../helpers/host.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('Admin API, clients: members without effect are ignored, as in Keycloak, and the response names them', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const created = await call('POST', `/realms/${host.defaultRealm}/clients`, { clientId: 'c', type: 't', origin: 'o' });
  t.deepEqual([created.status, created.headers.get('keyhost-ignored')], [201, 'type, origin']);
  const user = await call('PUT', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`, {
    firstName: 'A',
    realmRoles: ['nope'],
    self: 'a',
  });
  t.deepEqual([user.status, user.headers.get('keyhost-ignored')], [204, 'realmRoles, self']);
  const shown = await call('GET', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`);
  const back = await call('PUT', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`, shown.json);
  t.deepEqual([back.status, back.headers.get('keyhost-ignored')], [204, null], 'what is shown may be sent back');
  const realm = { realm: 'own-key', ownKey: 1 };
  t.is((await call('POST', '/realms', realm)).status, 201, 'a realm keeps it, without effect');
  const sent = await call('PUT', '/realms/own-key', (await call('GET', '/realms/own-key')).json);
  t.deepEqual([sent.status, sent.headers.get('keyhost-ignored')], [204, null], 'what is shown may be sent back');
  t.is((await call('PUT', '/realms/own-key', { otherKey: 1 })).status, 400);
});

test('Admin API, clients: a client is created with Keycloak’s defaults, and its secret works at once', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const { id } = await admin.clients.create({ clientId: 'new', serviceAccountsEnabled: true });
  const client = await admin.clients.findOne({ id });
  t.like(client, {
    id,
    clientId: 'new',
    enabled: true,
    publicClient: false,
    protocol: 'openid-connect',
    clientAuthenticatorType: 'client-secret',
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    fullScopeAllowed: true,
    nodeReRegistrationTimeout: -1,
    optionalClientScopes: ['address', 'phone', 'offline_access', 'microprofile-jwt'],
    access: { view: true, configure: true, manage: true },
  });
  t.true(client?.defaultClientScopes?.includes('service_account'));
  t.is(client?.secret?.length, 32);
  const form = { grant_type: 'client_credentials', client_id: 'new', client_secret: client?.secret ?? '' };
  const { status, json } = await host.token(host.defaultRealm, form);
  t.is(status, 200);
  const account = await admin.clients.getServiceAccountUser({ id });
  t.is(claimsOf(json.access_token ?? '').sub, account.id);
  t.is(account.username, 'service-account-new');
  await t.throwsAsync(admin.clients.create({ clientId: 'new' }), { message: 'Client new already exists' });
  const named = { clientId: 'app', protocol: 'openid-connect', rootUrl: 'https://app.test/' };
  const app = await admin.clients.findOne({ id: (await admin.clients.create(named)).id });
  t.like(app, { publicClient: true, directAccessGrantsEnabled: true, adminUrl: 'https://app.test/' });
  t.deepEqual(app?.redirectUris, ['https://app.test/*']);
  t.deepEqual(app?.webOrigins, ['https://app.test']);
  t.is(app?.secret, undefined);
});

test('Admin API, clients: clients are listed by name, by a part of it, by attributes, page by page, and by names alone for query-clients', async (t) => {
  const querier = administrator('querier', 'query-clients');
  const { host, admin } = await ownRealm(shared(), ({ users = [] }) => ({ users: [...users, querier] }));
  const ids = async (query: object) => (await admin.clients.find(query)).map(({ clientId }) => clientId);
  t.deepEqual(await ids({ clientId: 'web' }), ['web']);
  t.deepEqual(await ids({ clientId: 'WEB', search: true }), ['web', 'web2']);
  t.deepEqual(await ids({ q: 'standard.token.exchange.enabled:true' }), ['web']);
  const all = await ids({});
  t.deepEqual(await ids({ first: 1, max: 2 }), all.slice(1, 3));
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'querier', password: 'querier' });
  const listed = await call('GET', `/realms/${host.defaultRealm}/clients?clientId=web`);
  t.deepEqual(JSON.parse(listed.text), [{ id: await clientUuid(host, 'web'), clientId: 'web' }]);
  t.is((await call('GET', `/realms/${host.defaultRealm}/clients?viewableOnly=true`)).text, '[]');
  const root = await adminCaller(host);
  const several = async (query: string) =>
    JSON.parse((await root('GET', `/realms/${host.defaultRealm}/clients?briefRepresentation=true&${query}`)).text);
  const [web, web2] = [await clientUuid(host, 'web'), await clientUuid(host, 'web2')];
  t.deepEqual(await several('clientId=web&clientId=web2&clientId=none'), [
    { id: web, clientId: 'web' },
    { id: web2, clientId: 'web2' },
  ]);
  t.deepEqual(await several(`id=${web2}&id=none`), [{ id: web2, clientId: 'web2' }]);
  t.is((await call('GET', `/realms/${host.defaultRealm}/clients/${await clientUuid(host, 'web')}`)).status, 403);
  t.is((await call('POST', `/realms/${host.defaultRealm}/clients`, { clientId: 'x' })).status, 403);
});

test('Admin API, clients: only the members of the request change, and a mask is no secret', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const id = await clientUuid(host, 'web');
  const before = await admin.clients.findOne({ id });
  t.is(before?.secret, 's3cret:+/%&é');
  await admin.clients.addProtocolMapper(
    { id },
    { name: 'm', protocolMapper: 'oidc-hardcoded-claim-mapper', config: { 'claim.name': 'c', 'claim.value': '1' } },
  );
  const mapper = await admin.clients.findProtocolMapperByName({ id, name: 'm' });
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/clients/${id}`;
  const sent = {
    ...before,
    description: 'Changed',
    name: null,
    secret: '**********',
    attributes: { 'access.token.lifespan': 60, 'use.refresh.tokens': true, 'standard.token.exchange.enabled': '' },
    defaultClientScopes: [],
    protocolMappers: [{ name: 'm', protocolMapper: 'oidc-hardcoded-claim-mapper', config: { 'claim.name': 'd' } }],
    id: 'another',
  };
  const text = JSON.stringify(sent).replace('"id":', '"__proto__":{"enabled":false},"id":');
  t.is((await call('PUT', path, text)).status, 400);
  t.is((await call('PUT', path, sent)).status, 204);
  const after = await admin.clients.findOne({ id });
  t.like(after, {
    id,
    description: 'Changed',
    secret: 's3cret:+/%&é',
    attributes: { 'access.token.lifespan': '60', 'use.refresh.tokens': 'true' },
    defaultClientScopes: before?.defaultClientScopes,
  });
  t.is(after?.attributes?.['standard.token.exchange.enabled'], undefined);
  t.like(after?.protocolMappers?.[0], { id: mapper?.id, config: { 'claim.name': 'd' } });
  const { value = '' } = await admin.clients.generateNewClientSecret({ id });
  t.not(value, 's3cret:+/%&é');
  t.deepEqual(await admin.clients.getClientSecret({ id }), { type: 'secret', value });
  const login = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', client_id: 'web' };
  t.is((await host.token(host.defaultRealm, { ...login, client_secret: 's3cret:+/%&é' })).status, 401);
  const { json } = await host.token(host.defaultRealm, { ...login, client_secret: value });
  t.is(json.expires_in, 60);
  await admin.clients.update({ id }, { publicClient: true });
  t.is((await admin.clients.findOne({ id }))?.secret, undefined);
  t.deepEqual(await admin.clients.getClientSecret({ id }), { type: 'secret' });
  t.is((await call('GET', `${path}/client-secret/rotated`)).status, 404);
  t.is((await call('PUT', `/realms/${host.defaultRealm}/clients/none`, {})).text, '{"error":"Could not find client"}');
});

test('Admin API, clients: a new clientId reaches roles, composites, groups, scope mappings, users, consents and the service account', async (t) => {
  const { host, admin } = await ownRealm(shared(), ({ users = [], roles = {}, groups = [], clients = [] }) => ({
    roles: { ...roles, realm: [...(roles.realm ?? []), { name: 'boss', composites: { client: { web: ['editor'] } } }] },
    groups: [...groups, { name: 'press', clientRoles: { web: ['editor'] } }],
    clients: clients.map((client) =>
      client.clientId === 'web' ? { ...client, serviceAccountsEnabled: true } : client,
    ),
    users: users.map((user) =>
      user.username === 'alice'
        ? { ...user, clientConsents: [{ clientId: 'web', grantedClientScopes: ['email'] }] }
        : user,
    ),
    scopeMappings: [{ client: 'web', roles: ['reader'] }],
    clientScopeMappings: {
      web: [{ client: 'spa', roles: ['editor'] }],
      nl: [{ client: 'web', roles: ['newsletter-token-issuer'] }],
    },
  }));
  const id = await clientUuid(host, 'web');
  const { access_token: access } = (
    await host.token(host.defaultRealm, {
      grant_type: 'password',
      username: 'alice',
      password: 'Alice-pass-1!',
      client_id: 'web',
      client_secret: 's3cret:+/%&é',
    })
  ).json;
  t.like(claimsOf(access ?? '').resource_access, { web: { roles: ['editor'] } });
  await t.throwsAsync(admin.clients.update({ id }, { clientId: 'spa' }), {
    message: /conflict|Duplicate resource error/,
  });
  await admin.clients.update({ id }, { clientId: 'site' });
  const stored = (await host.realms.get(host.defaultRealm))?.representation;
  t.deepEqual(Object.keys(stored?.roles?.client ?? {}).includes('web'), false);
  t.deepEqual(stored?.roles?.realm?.find(({ name }) => name === 'boss')?.composites?.client, { site: ['editor'] });
  t.deepEqual(stored?.groups?.find(({ name }) => name === 'press')?.clientRoles, { site: ['editor'] });
  t.deepEqual(stored?.scopeMappings?.[0], { client: 'site', roles: ['reader'] });
  t.deepEqual(stored?.clientScopeMappings, {
    account: [{ client: 'account-console', roles: ['manage-account', 'view-groups'] }],
    site: [{ client: 'spa', roles: ['editor'] }],
    nl: [{ client: 'site', roles: ['newsletter-token-issuer'] }],
  });
  t.like((await host.store.users.byId(host.defaultRealm, idIn(host.defaultRealm)))?.representation, {
    clientRoles: { site: ['editor'] },
    clientConsents: [{ clientId: 'site', grantedClientScopes: ['email'] }],
  });
  t.is((await admin.clients.getServiceAccountUser({ id })).username, 'service-account-site');
  const login = { username: 'alice', password: 'Alice-pass-1!', client_id: 'site', client_secret: 's3cret:+/%&é' };
  const { json } = await host.token(host.defaultRealm, { grant_type: 'password', ...login });
  t.like(claimsOf(json.access_token ?? '').resource_access, { site: { roles: ['editor'] } });
  await admin.clients.del({ id });
  const left = (await host.realms.get(host.defaultRealm))?.representation;
  t.false(JSON.stringify(left).includes('"site"'), 'nothing of the realm names it');
  const { representation } = (await host.store.users.byId(host.defaultRealm, idIn(host.defaultRealm))) ?? {};
  t.deepEqual([representation?.clientRoles, representation?.clientConsents], [{}, []]);
  t.is(await host.store.users.byUsername(host.defaultRealm, 'service-account-site'), undefined);
});

test('Admin API, clients: a service account follows the switch, and never takes over a user of its name', async (t) => {
  const { host, admin } = await ownRealm(shared(), ({ users = [] }) => ({
    users: [...users, { username: 'service-account-spa', enabled: true }],
  }));
  const call = await adminCaller(host);
  const id = await clientUuid(host, 'web2');
  const form = { grant_type: 'client_credentials', client_id: 'web2', client_secret: 'web2-secret' };
  await t.throwsAsync(admin.clients.getServiceAccountUser({ id }), { message: /Service account not enabled/ });
  await admin.clients.update({ id }, { serviceAccountsEnabled: true });
  t.is((await host.token(host.defaultRealm, form)).status, 200);
  await admin.clients.update({ id }, { serviceAccountsEnabled: false });
  t.is((await host.token(host.defaultRealm, form)).status, 401);
  t.is(await host.store.users.byUsername(host.defaultRealm, 'service-account-web2'), undefined);
  const taken = await call('PUT', `/realms/${host.defaultRealm}/clients/${await clientUuid(host, 'spa')}`, {
    serviceAccountsEnabled: true,
  });
  t.is(taken.status, 409);
  t.is(taken.text, '{"errorMessage":"User exists with same username"}');
});

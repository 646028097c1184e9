import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, startAdministered, startDemo } from '../helpers/admin.js';
import { asImported } from '../helpers/as-imported.js';
import { claimsOf } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const EXPORT = fileURLToPath(new URL('../../../test/fixtures/keycloak-26-realm-export.json', import.meta.url));
const realm = 'demo';

test('client scopes: a scope is created with mappers, given to a client, renamed where it is used, and removed there', async (t) => {
  const { users = [] } = testRealm(realm);
  const consents = [{ clientId: 'spa', grantedClientScopes: ['color'] }];
  const { host, admin } = await startDemo(t, {
    users: users.map((user) => (user.id === ALICE ? { ...user, clientConsents: consents } : user)),
  });
  const { id } = await admin.clientScopes.create({ name: 'color', attributes: { 'include.in.token.scope': 'true' } });
  t.like(await admin.clientScopes.findOne({ id }), { id, name: 'color', protocol: 'openid-connect' });
  await t.throwsAsync(admin.clientScopes.create({ name: 'color' }), { message: 'Client Scope color already exists' });
  await t.throwsAsync(admin.clientScopes.create({ name: 'a b' }), { message: 'Unexpected name "a b" for ClientScope' });
  const config = { 'claim.name': 'color', 'claim.value': 'red', 'access.token.claim': 'true' };
  const mapper = { name: 'red', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config };
  await admin.clientScopes.addProtocolMapper({ id }, mapper);
  await t.throwsAsync(admin.clientScopes.addProtocolMapper({ id }, mapper), { message: /exists with same name/ });
  await t.throwsAsync(
    admin.clientScopes.addProtocolMapper({ id }, { ...mapper, name: 'x', protocolMapper: 'nothing' }),
    {
      message: 'ProtocolMapper provider not found',
    },
  );
  await t.throwsAsync(
    admin.clientScopes.addMultipleProtocolMappers({ id }, [{ ...mapper, name: 'two' }, mapper]),
    undefined,
    'all or none',
  );
  const [shown, ...others] = await admin.clientScopes.listProtocolMappers({ id });
  t.deepEqual(others, []);
  t.like(shown, mapper);
  const mapperId = shown?.id ?? '';
  t.is((await admin.clientScopes.findProtocolMappersByProtocol({ id, protocol: 'saml' })).length, 0);
  const spa = (await host.realms.get(realm))?.clients.get('spa')?.id ?? '';
  await admin.clients.addOptionalClientScope({ id: spa, clientScopeId: id });
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  const claims = async (scope: string) =>
    claimsOf((await host.token(realm, { ...form, scope })).json.access_token ?? '') as unknown as Record<
      string,
      unknown
    >;
  t.is((await claims('color')).color, 'red');
  await admin.clientScopes.updateProtocolMapper(
    { id, mapperId },
    { ...mapper, config: { ...config, 'claim.value': 'blue' } },
  );
  await admin.clientScopes.update({ id }, { name: 'paint', attributes: { 'consent.screen.text': 'Paint' } });
  t.like(await claims('paint'), { color: 'blue', scope: 'profile email paint' });
  t.like((await host.store.users.byId(realm, ALICE))?.representation, {
    clientConsents: [{ clientId: 'spa', grantedClientScopes: ['paint'] }],
  });
  const web = (await host.realms.get(realm))?.clients.get('web')?.id ?? '';
  const editor = await admin.clients.findRole({ id: web, roleName: 'editor' });
  await admin.clientScopes.addClientScopeMappings({ id, client: web }, [{ id: editor?.id ?? '', name: 'editor' }]);
  t.deepEqual((await host.realms.get(realm))?.representation.clientScopeMappings?.web, [
    { clientScope: 'paint', roles: ['editor'] },
  ]);
  await admin.clientScopes.addDefaultClientScope({ id });
  t.true((await admin.clientScopes.listDefaultClientScopes()).some(({ name }) => name === 'paint'));
  t.falsy((await claims('')).color, 'clients that are there keep their scopes');
  const created = await admin.clients.findOne(await admin.clients.create({ clientId: 'later' }));
  t.true(created?.defaultClientScopes?.includes('paint'));
  await admin.clientScopes.delProtocolMapper({ id, mapperId });
  await admin.clientScopes.del({ id });
  t.false(JSON.stringify((await host.realms.get(realm))?.representation).includes('paint'));
  const { clientConsents } = (await host.store.users.byId(realm, ALICE))?.representation ?? {};
  t.deepEqual(clientConsents, [{ clientId: 'spa', grantedClientScopes: [] }]);
  t.is<unknown, null>(await admin.clientScopes.findOne({ id }), null);
});

test('client scopes: a dynamic scope needs its pattern, and a scope that limits impersonation cannot be removed', async (t) => {
  const { admin, host } = await startDemo(t);
  const call = await adminCaller(host);
  const attributes = { 'is.dynamic.scope': true };
  const without = await call('POST', '/realms/demo/client-scopes', { name: 'dyn', attributes });
  t.is(without.status, 400);
  t.regex(without.text, /must be a pattern such as/);
  const withPattern = { name: 'dyn', attributes: { ...attributes, 'dynamic.scope.regexp': 'dyn:*' } };
  t.is((await call('POST', '/realms/demo/client-scopes', withPattern)).status, 201);
  const used = await admin.clientScopes.findOneByName({ name: 'newsletterscope' });
  const refused = await call('DELETE', `/realms/demo/client-scopes/${used?.id}`);
  t.is(refused.status, 400);
  t.regex(refused.text, /no client scope matches \\"newsletterscope\*\\"/);
});

test('client scopes: they are searched and paged, list the clients that have them, and detect a second editor', async (t) => {
  const { admin, host } = await startDemo(t);
  const call = await adminCaller(host);
  const { id } = await admin.clientScopes.create({ name: 'color', description: 'Likes Red' });
  await admin.clientScopes.create({ name: 'shape', protocol: 'saml' });
  const names = async (query: string) =>
    ((await call('GET', `/realms/demo/client-scopes?${query}`)).json as unknown as { name: string }[]).map(
      ({ name }) => name,
    );
  t.deepEqual(await names('search=RED'), ['color']);
  t.deepEqual(await names('search=sha&protocol=saml'), ['shape']);
  t.deepEqual(await names('search=sha&protocol=openid-connect'), []);
  const all = await names('first=0&max=100');
  t.deepEqual(all, [...all].sort());
  t.deepEqual(await names('first=1&max=2'), all.slice(1, 3));

  const clients = async (query = '') =>
    JSON.parse((await call('GET', `/realms/demo/client-scopes/${id}/clients${query}`)).text);
  t.deepEqual(await clients(), []);
  for (const [clientId, kind] of [
    ['web', 'optional'],
    ['spa', 'default'],
  ] as const) {
    const client = (await host.realms.get('demo'))?.clients.get(clientId)?.id;
    t.is((await call('PUT', `/realms/demo/clients/${client}/${kind}-client-scopes/${id}`)).status, 204);
  }
  t.like(await clients(), [
    { clientId: 'spa', assigned: 'default' },
    { clientId: 'web', assigned: 'optional' },
  ]);
  t.like(await clients('?search=WEB'), { length: 1 });
  t.like(await clients('?first=1&max=1'), [{ clientId: 'web' }]);
  t.is((await call('GET', '/realms/demo/client-scopes/nothing/clients')).status, 404);

  const available = `/realms/demo/client-scopes/${id}/scope-mappings/realm/available`;
  t.like((await call('GET', `${available}?search=sTAFf&max=5`)).json, [{ name: 'staff' }]);
  t.is(JSON.parse((await call('GET', `${available}?max=1`)).text).length, 1);

  const etag = (await call('GET', `/realms/demo/client-scopes/${id}`)).headers.get('etag') ?? '';
  const mapper = { name: 'red', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' };
  await admin.clientScopes.addProtocolMapper({ id: id ?? '' }, mapper);
  const put = (description: string) =>
    call('PUT', `/realms/demo/client-scopes/${id}`, { description }, { 'if-match': etag });
  t.is((await put('mine')).status, 204, 'a mapper has a tag of its own');
  t.is((await put('again')).status, 412);
});

test('client scopes: a realm from Keycloak is served with all its clients, scopes, mappers and roles', async (t) => {
  const file = JSON.parse(await readFile(EXPORT, 'utf8')) as RealmRepresentation;
  const host = await startAdministered(t, { realms: [file] });
  const exported = asImported(file);
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'moved' });
  const byId = <T extends { id?: string }>(items: readonly T[] = []) =>
    [...items].sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
  t.deepEqual(byId(await admin.clientScopes.find()), byId(exported.clientScopes));
  const clients = await admin.clients.find();
  t.is(clients.length, exported.clients?.length ?? 0);
  for (const client of exported.clients ?? []) {
    const { access: _, ...shown } = clients.find(({ id }) => id === client.id) ?? {};
    t.deepEqual(shown, client, client.clientId);
    const mappers = await admin.clients.listProtocolMappers({ id: client.id ?? '' });
    t.deepEqual(mappers, client.protocolMappers ?? []);
    const roles = await admin.clients.listRoles({ id: client.id ?? '', briefRepresentation: false } as { id: string });
    const expected = (exported.roles?.client?.[client.clientId] ?? []).map(({ composites: __, ...role }) => role);
    t.deepEqual(byId(roles), byId(expected), client.clientId);
    if (client.clientId !== 'realm-management') await admin.clients.update({ id: client.id ?? '' }, client as object);
  }
  const roles = await admin.roles.find({ briefRepresentation: false });
  t.deepEqual(byId(roles), byId(exported.roles?.realm?.map(({ composites: _, ...role }) => role)));
  const names = async (list: Promise<{ name?: string }[]>) => (await list).map(({ name }) => name);
  t.deepEqual(await names(admin.clientScopes.listDefaultClientScopes()), exported.defaultDefaultClientScopes);
  const offline = exported.clientScopes?.find(({ name }) => name === 'offline_access')?.id ?? '';
  t.deepEqual(await names(admin.clientScopes.listRealmScopeMappings({ id: offline })), ['offline_access']);
  const console = exported.clients?.find(({ clientId }) => clientId === 'account-console')?.id ?? '';
  const account = exported.clients?.find(({ clientId }) => clientId === 'account')?.id ?? '';
  t.deepEqual(await names(admin.clients.listClientScopeMappings({ id: console, client: account })), [
    'manage-account',
    'view-groups',
  ]);
  const { users: __, ...expected } = exported;
  const stored = (await host.realms.get('moved'))?.representation;
  const withoutEmpty = (text: string) => JSON.parse(text.replaceAll('"access.token.lifespan":"",', ''));
  t.deepEqual(
    stored?.clients,
    withoutEmpty(JSON.stringify(expected.clients)),
    'clients that were saved as they are shown did not change, but for an attribute that is not set',
  );
});

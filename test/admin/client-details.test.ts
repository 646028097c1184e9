import test from 'ava';
import { administered, clientUuid, ownRealm } from '../helpers/admin.js';
import { claimsOf } from '../helpers/host.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('Admin API, clients: client scopes, mappers and roles of a client are attached, changed and evaluated', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const id = await clientUuid(host, 'spa');
  const scope = (await admin.clientScopes.findOneByName({ name: 'microprofile-jwt' }))?.id ?? '';
  const dynamic = (await admin.clientScopes.findOneByName({ name: 'newsletterscope' }))?.id ?? '';
  const names = async (list: Promise<{ name?: string }[]>) => (await list).map(({ name }) => name);
  await admin.clients.addOptionalClientScope({ id, clientScopeId: scope });
  t.deepEqual(await names(admin.clients.listOptionalClientScopes({ id })), ['address', 'phone', 'microprofile-jwt']);
  await admin.clients.addDefaultClientScope({ id, clientScopeId: scope });
  t.deepEqual(await names(admin.clients.listOptionalClientScopes({ id })), ['address', 'phone']);
  t.true((await names(admin.clients.listDefaultClientScopes({ id }))).includes('microprofile-jwt'));
  await t.throwsAsync(admin.clients.addDefaultClientScope({ id, clientScopeId: dynamic }), {
    message: 'invalid_request',
  });
  const mappers = await admin.clients.evaluateListProtocolMapper({ id, scope: 'openid' });
  t.true((mappers as unknown as { mapperName: string }[]).some(({ mapperName }) => mapperName === 'upn'));
  await admin.clients.delDefaultClientScope({ id, clientScopeId: scope });
  t.false((await names(admin.clients.listDefaultClientScopes({ id }))).includes('microprofile-jwt'));
  await admin.clients.update({ id }, { fullScopeAllowed: false });
  const reader = await admin.roles.findOneByName({ name: 'reader' });
  const roles = [{ id: reader?.id ?? '', name: 'reader' }];
  t.deepEqual((await names(admin.clients.listAvailableRealmScopeMappings({ id }))).includes('reader'), true);
  await admin.clients.addRealmScopeMappings({ id }, roles);
  t.deepEqual(await names(admin.clients.listRealmScopeMappings({ id })), ['reader']);
  const granted = await admin.clients.evaluatePermission({
    id,
    roleContainer: realm,
    type: 'granted',
    scope: 'openid',
  });
  t.deepEqual(
    (granted as { name: string }[]).map(({ name }) => name),
    ['reader'],
  );
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  const issued = claimsOf((await host.token(realm, form)).json.access_token ?? '');
  t.deepEqual(issued.realm_access, { roles: ['reader'] });
  const example = (await admin.clients.evaluateGenerateAccessToken({
    id,
    userId: idIn(host.defaultRealm),
    scope: 'email',
    audience: '',
  })) as object;
  t.like(example, {
    azp: 'spa',
    iss: host.realm(realm),
    typ: 'Bearer',
    email: 'alice@example.test',
    realm_access: { roles: ['reader'] },
  });
  await admin.clients.delRealmScopeMappings({ id }, roles);
  t.deepEqual(await names(admin.clients.listRealmScopeMappings({ id })), []);
  const web = await clientUuid(host, 'web');
  const editor = await admin.clients.findRole({ id: web, roleName: 'editor' });
  await admin.clients.addClientScopeMappings({ id, client: web }, [{ id: editor?.id ?? '', name: 'editor' }]);
  t.deepEqual(await names(admin.clients.listClientScopeMappings({ id, client: web })), ['editor']);
  t.deepEqual(await names(admin.clients.listAvailableClientScopeMappings({ id, client: web })), []);
  const all = (await admin.clients.listScopeMappings({ id })) as { clientMappings?: object };
  t.deepEqual(Object.keys(all.clientMappings ?? {}), ['web']);
});

test('Admin API, clients: requests of applications and old adapters work: configuration, certificate, nodes', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const id = await clientUuid(host, 'web');
  const installation = await admin.clients.getInstallationProviders({ id, providerId: 'keycloak-oidc-keycloak-json' });
  t.like(installation as unknown as object, {
    realm,
    'auth-server-url': `${host.url}/`,
    'ssl-required': 'external',
    resource: 'web',
    credentials: { secret: 's3cret:+/%&é' },
  });
  await admin.clients.update({ id }, { attributes: { 'jwt.credential.certificate': 'MIIB' } });
  t.deepEqual(await admin.clients.getKeyInfo({ id, attr: 'jwt.credential' }), { certificate: 'MIIB' });
  await admin.clients.addClusterNode({ id, node: 'app1.test' });
  t.deepEqual(await admin.clients.testNodesAvailable({ id }), { failedRequests: ['app1.test'] });
  await admin.clients.deleteClusterNode({ id, node: 'app1.test' });
  t.deepEqual(await admin.clients.testNodesAvailable({ id }), {});
  t.deepEqual(await admin.clients.pushRevocation({ id }), {});
  t.deepEqual(await admin.clients.listFineGrainPermissions({ id }), { enabled: false });
});

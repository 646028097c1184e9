import test from 'ava';
import { adminCaller, administrator, clientUuid, startAdministered, startDemo } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

const realm = 'demo';

test('client rights: clients of the realm itself cannot be removed, and managing clients gains no rights through them', async (t) => {
  const { users = [], clients = [] } = testRealm(realm);
  const { host } = await startDemo(t, {
    clients: [...clients, { clientId: 'robot', secret: 'robot-secret', serviceAccountsEnabled: true }],
    users: [
      ...users,
      administrator('manager', 'manage-clients'),
      administrator('viewer', 'view-clients'),
      {
        username: 'service-account-robot',
        enabled: true,
        serviceAccountClientId: 'robot',
        clientRoles: { 'realm-management': ['manage-users'] },
      },
    ],
  });
  const manager = await adminCaller(host, { realm, username: 'manager', password: 'manager' });
  const viewer = await adminCaller(host, { realm, username: 'viewer', password: 'viewer' });
  const dave = await adminCaller(host, { realm, username: 'dave', password: 'Dave-pass-1!' });
  const path = async (clientId: string) => `/realms/demo/clients/${await clientUuid(host, clientId)}`;
  t.is((await viewer('GET', await path('web'))).json.secret, '**********');
  t.is((await viewer('GET', `${await path('web')}/client-secret`)).status, 403);
  t.is((await viewer('PUT', await path('web'), { enabled: false })).status, 403);
  t.is((await manager('GET', await path('web'))).json.secret, 's3cret:+/%&é');
  for (const clientId of ['robot', 'nl']) {
    const one = await path(clientId);
    t.is((await manager('GET', one)).json.secret, '**********', clientId);
    t.is((await manager('GET', `${one}/client-secret`)).status, 403, clientId);
    t.is((await manager('POST', `${one}/client-secret`)).status, 403, clientId);
    t.is((await manager('PUT', one, { attributes: { 'jwks.url': 'https://evil.test/jwks' } })).status, 403, clientId);
    t.is((await manager('POST', `${one}/registration-access-token`)).status, 403, clientId);
    t.is((await manager('DELETE', one)).status, 403, clientId);
    t.is((await dave('GET', `${one}/client-secret`)).status, 200, clientId);
  }
  const impersonating = { clientId: 'agent', impersonation: { enabled: true, scopes: ['newsletterscope*'] } };
  t.is((await manager('POST', '/realms/demo/clients', impersonating)).status, 403);
  t.is((await dave('POST', '/realms/demo/clients', impersonating)).status, 201);
  const removal = await dave('DELETE', await path('realm-management'));
  t.deepEqual([removal.status, removal.json.error], [403, 'HTTP 403 Forbidden']);
  t.is((await dave('PUT', await path('realm-management'), { clientId: 'free' })).status, 403);
});

test('client rights: in master a client named after a realm has rights over it, and only a caller with all of them creates one', async (t) => {
  const master = { realm: 'master', enabled: true, users: [administrator('manager', 'manage-clients')] };
  const host = await startAdministered(t, { realms: [master, testRealm(realm)] });
  const manager = await adminCaller(host, { username: 'manager', password: 'manager' });
  t.is((await manager('POST', '/realms/master/clients', { clientId: 'demo-realm' })).status, 403);
  t.is((await manager('POST', '/realms/master/clients', { clientId: 'innocent' })).status, 201);
  const path = `/realms/master/clients/${await clientUuid(host, 'innocent', 'master')}`;
  t.is((await manager('POST', `${path}/roles`, { name: 'manage-users' })).status, 201);
  t.is((await manager('PUT', path, { clientId: 'demo-realm' })).status, 403);
  const root = await adminCaller(host);
  t.is((await root('PUT', path, { clientId: 'demo-realm' })).status, 204);
  t.is((await manager('POST', `${path}/roles`, { name: 'manage-realm' })).status, 403);
  t.is((await root('DELETE', path)).status, 403);
});

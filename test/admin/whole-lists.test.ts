import test from 'ava';
import { adminClient, administered } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const MANY = 120;

/** Keycloak has a default of 100 for users, sessions and events, and none for these lists. */
test('Admin API: lists of roles, clients, groups and identity providers are whole without max', async (t) => {
  const admin = await adminClient(shared());
  const names = Array.from({ length: MANY }, (_, index) => `n${String(index).padStart(3, '0')}`);
  const realm = 'long';
  await admin.realms.create({
    realm,
    enabled: true,
    roles: { realm: names.map((name) => ({ name })) },
    clients: [
      ...names.map((clientId) => ({ clientId, publicClient: true })),
      { clientId: 'with-roles', publicClient: true },
    ],
    groups: names.map((name) => ({ name })),
    identityProviders: names.map((alias) => ({ alias, providerId: 'oidc', config: oidc(alias) })),
  });
  const isOurs = (name: string | undefined) => names.includes(name ?? '');
  const roles = await admin.roles.find({ realm });
  t.is(roles.filter(({ name }) => isOurs(name)).length, MANY);
  t.is((await admin.roles.find({ realm, max: 10, first: 0 })).length, 10);
  t.is((await admin.clients.find({ realm })).filter(({ clientId }) => isOurs(clientId)).length, MANY);
  t.is((await admin.groups.find({ realm })).length, MANY);
  t.is((await admin.identityProviders.find({ realm })).length, MANY);
  const { id = '' } = await admin.users.create({ realm, username: 'bob' });
  const mappings = roles
    .filter(({ name }) => isOurs(name))
    .map((role) => ({ id: role.id ?? '', name: role.name ?? '' }));
  await admin.users.addRealmRoleMappings({ realm, id, roles: mappings });
  t.is((await admin.users.listRealmRoleMappings({ realm, id })).filter(({ name }) => isOurs(name)).length, MANY);
});

function oidc(alias: string): Record<string, string> {
  const url = `https://${alias}.example.com`;
  return { clientId: 'c', clientSecret: 's', authorizationUrl: url, tokenUrl: url, jwksUrl: url, issuer: url };
}

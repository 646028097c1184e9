import test from 'ava';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { fetchAnswer, inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered());

/** Ways to give every account of a realm a right of administration. */
const RIGHTS = {
  'the default role': (name: string) => ({
    roles: {
      realm: [
        {
          name: `default-roles-${name}`,
          composite: true,
          composites: { client: { 'realm-management': ['view-users'] } },
        },
      ],
    },
    defaultRole: { name: `default-roles-${name}` },
  }),
  'a default group': () => ({
    groups: [{ name: 'everyone', clientRoles: { 'realm-management': ['view-users'] } }],
    defaultGroups: ['/everyone'],
  }),
};

for (const [what, rights] of Object.entries(RIGHTS)) {
  test(`T585 · new service accounts: one that would get a right by ${what} needs a caller with that right`, async (t) => {
    const host = await inRealm(shared(), (name) => ({
      realm: name,
      enabled: true,
      ...rights(name),
      clients: [{ clientId: 'plain', secret: 's' }],
      users: [
        { ...administrator('clerk', 'manage-clients'), groups: [] },
        { ...administrator('viewer', 'manage-clients', 'view-users'), groups: [] },
      ],
    }));
    const as = (username: string) => adminCaller(host, { realm: host.defaultRealm, username, password: username });
    const root = await adminCaller(host);
    const clerk = await as('clerk');
    const viewer = await as('viewer');
    const clients = `/realms/${host.defaultRealm}/clients`;
    const account = (clientId: string) => ({ clientId, secret: 's', serviceAccountsEnabled: true });

    t.is((await clerk('POST', clients, account('robot'))).status, 403);
    t.is((await clerk('PUT', `${clients}/${await clientUuid(host, 'plain')}`, account('plain'))).status, 403);
    t.is((await clerk('POST', clients, { clientId: 'page', publicClient: true })).status, 201, 'without an account');
    t.is((await viewer('POST', clients, account('robot'))).status, 201);

    const { json } = await root('POST', `/realms/${host.defaultRealm}/clients-initial-access`, {
      count: 9,
      expiration: 99,
    });
    const register = (body: object) =>
      fetchAnswer(`${host.realm(host.defaultRealm)}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${json.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    t.is((await register({ grant_types: ['client_credentials'] })).status, 403);
    const own = await register({ redirect_uris: ['https://app.test/cb'] });
    t.is(own.status, 201, own.text);
    const changed = await fetchAnswer(String(own.json.registration_client_uri), {
      method: 'PUT',
      headers: { authorization: `Bearer ${own.json.registration_access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...own.json, grant_types: ['client_credentials'] }),
    });
    t.is(changed.status, 403, changed.text);
  });
}

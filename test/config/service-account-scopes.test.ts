import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { claimsOf, inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const DEFAULTS = ['web-origins', 'acr', 'profile', 'roles', 'basic', 'email'];
const OPTIONAL = ['address', 'phone', 'offline_access', 'microprofile-jwt'];
const SCOPE = 'service_account';
const client = (rest: object = {}) => ({ clientId: 'worker', secret: 's', serviceAccountsEnabled: true, ...rest });

interface Row {
  readonly title: string;
  readonly realm: object;
  readonly scopes: readonly string[];
  readonly optional?: readonly string[];
}

/** The client `worker` in Keycloak 26.7.3 after POST /admin/realms with this, and after the import of the same file. */
const TABLE: readonly Row[] = [
  { title: 'no scopes stated', realm: { clients: [client()] }, scopes: [...DEFAULTS, SCOPE], optional: OPTIONAL },
  {
    title: 'scopes stated',
    realm: { clients: [client({ defaultClientScopes: ['profile'], optionalClientScopes: ['email'] })] },
    scopes: ['profile', SCOPE],
    optional: ['email'],
  },
  { title: 'none stated', realm: { clients: [client({ defaultClientScopes: [] })] }, scopes: [SCOPE], optional: [] },
  {
    title: 'stated as an optional one',
    realm: { clients: [client({ optionalClientScopes: [SCOPE, 'phone'] })] },
    scopes: [SCOPE],
    optional: ['phone'],
  },
  {
    title: 'the service account is among the users',
    realm: {
      clients: [client({ defaultClientScopes: ['profile'] })],
      users: [{ username: 'service-account-worker', serviceAccountClientId: 'worker', enabled: true }],
    },
    scopes: ['profile'],
  },
  {
    title: 'own client scopes without it',
    realm: {
      clients: [client({ defaultClientScopes: ['mine'] })],
      clientScopes: [{ name: 'mine', protocol: 'openid-connect' }],
    },
    scopes: ['mine'],
  },
  { title: 'no service account', realm: { clients: [client({ serviceAccountsEnabled: false })] }, scopes: DEFAULTS },
];

for (const way of ['a realm file', 'POST /admin/realms'] as const) {
  for (const [index, { title, realm: stated, scopes, optional }] of TABLE.entries()) {
    test(`client scope service_account: a client of ${way} with a service account has it: ${title}`, async (t) => {
      const { call } = await calledRealm(shared());
      const name = `posted-scopes-${index}`;
      let home = name;
      if (way === 'a realm file')
        ({ defaultRealm: home } = await inRealm(shared(), (realm) => ({ realm, enabled: true, ...stated })));
      else t.is((await call('POST', '/realms', { realm: name, enabled: true, ...stated })).status, 201);
      const [shown] = (await call('GET', `/realms/${home}/clients?clientId=worker`)).json as unknown as [Shown];
      t.deepEqual(sorted(shown.defaultClientScopes), sorted(scopes));
      if (optional !== undefined) t.deepEqual(sorted(shown.optionalClientScopes), sorted(optional));
    });
  }
}

interface Shown {
  readonly defaultClientScopes: readonly string[];
  readonly optionalClientScopes: readonly string[];
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort();
}

test('client scope service_account: the token of such a client has its ID and the address of the request', async (t) => {
  const { defaultRealm } = await inRealm(shared(), (realm) => ({ realm, enabled: true, clients: [client()] }));
  const form = { grant_type: 'client_credentials', client_id: 'worker', client_secret: 's' };
  const { json } = await shared().token(defaultRealm, form);
  const claims: Readonly<Record<string, unknown>> = claimsOf(String(json.access_token));
  t.is(claims.client_id, 'worker');
  t.is(claims.clientAddress, '127.0.0.1');
  t.is(claims.clientHost, '127.0.0.1');
});

import test from 'ava';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** URLs that a browser executes: it ignores leading control characters and spaces, and all tabs and line breaks. */
const SCRIPTS = [
  'java\tscript:alert(1)',
  'javascript\n:alert(1)',
  'J\rA\nV\tA\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' \u001f javascript:alert(1)',
  'da\tta:text/html,<script>alert(1)</script>',
  'vb\r\nscript:msgbox(1)',
];
const LISTS = ['redirectUris'];
const ATTRIBUTES = [
  'logoUri',
  'policyUri',
  'tosUri',
  'post.logout.redirect.uris',
  'backchannel.logout.url',
  'frontchannel.logout.url',
];
const PLACES = ['rootUrl', 'baseUrl', 'adminUrl', ...LISTS, ...ATTRIBUTES];

function clientWith(place: string, address: string) {
  const client = { clientId: 'app', publicClient: true };
  if (ATTRIBUTES.includes(place)) return { ...client, attributes: { [place]: address } };
  return { ...client, [place]: LISTS.includes(place) ? [address] : address };
}

test('T811 · script URLs: a URL that a browser runs is refused for a client, in all spellings of its scheme', async (t) => {
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    users: [...users, administrator('manager', 'manage-clients'), administrator('boss', 'realm-admin')],
  }));
  const as = (username: string) => adminCaller(host, { realm: host.defaultRealm, username, password: username });
  const manager = await as('manager');
  const boss = await as('boss');
  const realm = `/realms/${host.defaultRealm}`;
  t.is((await manager('POST', `${realm}/clients`, { clientId: 'app', publicClient: true })).status, 201);
  const [{ id }] = (await manager('GET', `${realm}/clients?clientId=app`)).json as unknown as [{ id: string }];
  const { token } = (await boss('POST', `${realm}/clients-initial-access`, { count: 1000, expiration: 600 })).json;
  const register = (kind: string, body: object) =>
    fetch(`${host.realm(host.defaultRealm)}/clients-registrations/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const place of PLACES) {
    for (const address of SCRIPTS) {
      const client = clientWith(place, address);
      const what = `${place} ${JSON.stringify(address)}`;
      t.is((await manager('PUT', `${realm}/clients/${id}`, client)).status, 400, what);
      const created = { ...client, clientId: 'new' };
      t.is((await manager('POST', `${realm}/clients`, created)).status, 400, what);
      t.is((await boss('POST', `${realm}/partialImport`, { clients: [created] })).status, 400, what);
      t.true([400, 403].includes((await register('default', created)).status), what);
    }
  }
  for (const [place, kind] of [
    ['client_uri', ''],
    ['logo_uri', ''],
    ['redirect_uris', 'list'],
  ] as const) {
    for (const address of SCRIPTS) {
      const metadata = {
        redirect_uris: ['https://app.example.test/cb'],
        [place]: kind === 'list' ? [address] : address,
      };
      const { status } = await register('openid-connect', metadata);
      t.true([400, 403].includes(status), `${place} ${JSON.stringify(address)}: ${status}`);
    }
  }
  const fine = { baseUrl: 'https://app.example.test/java%09script:', adminUrl: 'https://app.example.test/admin' };
  t.is((await manager('PUT', `${realm}/clients/${id}`, { clientId: 'app', ...fine })).status, 204);
});

test('T812 · script URLs: an address that a browser runs keeps a realm file from being applied, of clients and of identity providers', async (t) => {
  for (const place of ['rootUrl', 'baseUrl', 'adminUrl', 'redirectUris', 'logoUri']) {
    const realm = testRealm('demo');
    const clients = [...(realm.clients ?? []), clientWith(place, SCRIPTS[0] ?? '')];
    const error = await t.throwsAsync(startHost(t, { realms: [{ ...realm, clients }] }), undefined, place);
    t.regex(JSON.stringify(error, Object.getOwnPropertyNames(error)), /realm_invalid|must not|must be/, place);
  }
  const call = await adminCaller(shared());
  const { host } = await ownRealm(shared());
  for (const key of ['authorizationUrl', 'tokenUrl', 'logoutUrl', 'userInfoUrl', 'jwksUrl']) {
    for (const address of SCRIPTS) {
      const config = {
        clientId: 'us',
        clientSecret: 's',
        authorizationUrl: 'https://a.test',
        tokenUrl: 'https://a.test',
      };
      const provider = { alias: 'one', providerId: 'oidc', config: { ...config, [key]: address } };
      const { status } = await call('POST', `/realms/${host.defaultRealm}/identity-provider/instances`, provider);
      t.is(status, 400, `${key} ${JSON.stringify(address)}`);
    }
  }
});

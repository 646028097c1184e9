import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const CONFIG = {
  authorizationUrl: 'https://idp.test/auth',
  tokenUrl: 'https://idp.test/token',
  issuer: 'https://idp.test',
  jwksUrl: 'https://idp.test/jwks',
  clientId: 'a',
  clientSecret: 'b',
};
const KEY = { providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider', config: {} };

test('text lengths: texts that exceed Keycloak 26.7.3’s columns are refused at their place, and the longest is accepted', async (t) => {
  const { call, realm, made } = await calledRealm(shared());
  const client = await made('/clients', { clientId: 'c1' });
  const mapper = { protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' };
  const rows: readonly (readonly [path: string, base: object, key: string, members: readonly string[]])[] = [
    ['/clients', {}, 'clientId', ['clientId', 'name', 'description']],
    ['/roles', {}, 'name', ['name', 'description']],
    [`/clients/${client}/roles`, {}, 'name', ['name', 'description']],
    ['/groups', {}, 'name', ['name', 'description']],
    ['/client-scopes', { protocol: 'openid-connect' }, 'name', ['name', 'description']],
    ['/identity-provider/instances', { providerId: 'oidc', config: CONFIG }, 'alias', ['alias', 'displayName']],
    ['/components', KEY, 'name', ['name']],
    [`/clients/${client}/protocol-mappers/models`, mapper, 'name', ['name']],
    ['/authentication/flows', {}, 'alias', ['alias', 'description']],
  ];
  let count = 0;
  for (const [path, base, key, members] of rows) {
    for (const member of members) {
      const body = (length: number) => ({ ...base, [key]: `n${count}`, [member]: `${count}`.padEnd(length, 'x') });
      count++;
      const long = await call('POST', `${realm}${path}`, body(256));
      t.is(long.status, 400, `${path} ${member}`);
      t.regex(long.text, new RegExp(`"${member}: [^"]*255 characters`), `${path} ${member}`);
      const longest = await call('POST', `${realm}${path}`, body(255));
      t.is(longest.status, 201, `${path} ${member}: ${longest.text}`);
    }
  }
  for (const [path, body] of [
    [`/clients/${client}`, { description: 'x'.repeat(256) }],
    ['/roles/offline_access', { name: 'offline_access', description: 'x'.repeat(256) }],
  ] as const)
    t.is((await call('PUT', `${realm}${path}`, body)).status, 400, path);
});

test('text lengths: a longer text of a realm file stays: it may be sent back, and a changed one is refused', async (t) => {
  const long = 'x'.repeat(300);
  const roles = { realm: [{ name: 'long', description: long }] };
  const clients = [{ clientId: 'long', name: long, description: long, publicClient: true }];
  const clientScopes = [{ name: 'long', protocol: 'openid-connect', description: long }];
  const { call, realm } = await calledRealm(shared(), {
    users: [],
    roles,
    clients,
    clientScopes,
    groups: [{ name: 'g', description: long }],
  });
  const idIn = async (path: string, key: string) =>
    ((await call('GET', `${realm}${path}`)).json as unknown as Record<string, string>[]).find(
      (one) => one[key] === 'long',
    )?.id;
  const group = ((await call('GET', `${realm}/groups`)).json as unknown as { id: string }[])[0]?.id;
  const paths = [
    '/roles/long',
    `/clients/${await idIn('/clients', 'clientId')}`,
    `/client-scopes/${await idIn('/client-scopes', 'name')}`,
    `/groups/${group}`,
  ];
  for (const path of paths) {
    const { json } = await call('GET', `${realm}${path}`);
    t.is((json as { description?: string }).description, long, path);
    const back = await call('PUT', `${realm}${path}`, json);
    t.is(back.status, 204, `${path}: ${back.text}`);
    const changed = await call('PUT', `${realm}${path}`, { ...(json as object), description: `${long}y` });
    t.is(changed.status, 400, path);
    t.regex(changed.text, /description: must have at most 255 characters/, path);
  }
});

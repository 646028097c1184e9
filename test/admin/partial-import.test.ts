import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, administered, ownRealm, startAdministered } from '../helpers/admin.js';
import { logIn, userinfo } from '../helpers/login.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

interface Results {
  readonly added: number;
  readonly skipped: number;
  readonly overwritten: number;
  readonly results: { action: string; resourceType: string; resourceName: string; id: string }[];
}

const PARTNER = {
  clientId: 'keyhost',
  authorizationUrl: 'https://partner.example.test/auth',
  tokenUrl: 'https://partner.example.test/token',
};
const PARTS: Omit<RealmRepresentation, 'realm'> = {
  clients: [
    { clientId: 'new-client', serviceAccountsEnabled: true, redirectUris: ['https://new.example.test/*'] },
    { clientId: 'web', secret: 'another-secret', directAccessGrantsEnabled: true },
    { clientId: 'realm-management', enabled: false },
  ],
  roles: {
    realm: [
      { name: 'reader', description: 'Reads' },
      { name: 'writer', composites: { realm: ['reader'] } },
    ],
    client: { 'new-client': [{ name: 'operator' }], 'realm-management': [{ name: 'view-realm', description: 'Mine' }] },
  },
  groups: [
    { name: 'team', subGroups: [{ name: 'ops' }] },
    { name: 'new-group', realmRoles: ['writer'] },
  ],
  users: [
    { username: 'Newcomer', enabled: true, groups: ['/new-group'], credentials: [{ type: 'password', value: 'n' }] },
    { username: 'alice', enabled: true, realmRoles: ['reader'], credentials: [{ type: 'password', value: 'changed' }] },
  ],
  identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { ...PARTNER, clientSecret: 'hidden' } }],
  identityProviderMappers: [{ name: 'm', identityProviderAlias: 'partner', identityProviderMapper: 'x' }],
};

test('partial import: other requests run between pieces of 50 users', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/partialImport`;
  const users = Array.from({ length: 1000 }, (_, index) => ({ username: `imported-${index}`, groups: [] }));
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answer = await call('POST', path, { users });
  isOver = true;
  t.is(answer.status, 200);
  t.is((JSON.parse(answer.text) as Results).added, 1000);
  // The body, the checks of the users, their names, and their rows are each read in pieces.
  t.true(rounds >= (8 * 1000) / 50, `the event loop turned ${rounds} times`);
});

test('partial import: positions in the answer are those of the body, also in later pieces', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/partialImport`;
  const users = Array.from({ length: 120 }, (_, index) => ({ username: `imported-${index}` }));
  const invalid = await call('POST', path, {
    users: users.map((one, index) => (index === 110 ? { ...one, enabled: 'x' } : one)),
  });
  t.is(invalid.status, 400);
  t.regex(invalid.text, /users\.110\.enabled/);
  const twice = await call('POST', path, { users: [...users, { username: 'imported-3' }] });
  t.is(twice.status, 400);
  t.regex(twice.text, /the username .*imported-3.* is used twice/);
  const masked = { username: 'masked', credentials: [{ type: 'password', value: '**********' }] };
  const imported = await call('POST', path, { users: [...users, masked] });
  t.is(imported.status, 200);
  t.regex(imported.headers.get('keyhost-ignored') ?? '', /users\[120\]\.credentials\[0\]/);
});

test('partial import: all parts are imported, or none', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const post = (body: object) => call('POST', `/realms/${host.defaultRealm}/partialImport`, body);
  const failed = await post(PARTS);
  t.is(failed.status, 409);
  t.regex(failed.text, /"errorMessage":"Client id 'web' already exists"/);
  const broken = await post({
    ...PARTS,
    ifResourceExists: 'SKIP',
    users: [{ username: 'x', groups: ['/nothing'] }],
  });
  t.is(broken.status, 400);
  t.regex(broken.text, /users\.groups.*nothing/);
  t.is((await post({ ifResourceExists: 'PERHAPS' })).status, 400);
  const usurper = await post({ users: [{ username: 'x', serviceAccountClientId: 'svc' }] });
  t.is(usurper.status, 409, 'a client has one service account');
  t.is((await host.realms.get(host.defaultRealm))?.version, 1);
  t.is(await host.store.users.byUsername(host.defaultRealm, 'newcomer'), undefined);

  const skipped = await post({ ...PARTS, ifResourceExists: 'SKIP' });
  t.is(skipped.status, 200);
  const { results, ...counts } = skipped.json as unknown as Results;
  t.deepEqual(counts, { overwritten: 0, added: 7, skipped: 4 });
  t.deepEqual(
    results.map(({ action, resourceType, resourceName }) => `${action} ${resourceType} ${resourceName}`),
    [
      'ADDED CLIENT new-client',
      'SKIPPED CLIENT web',
      'SKIPPED REALM_ROLE reader',
      'ADDED REALM_ROLE writer',
      'ADDED CLIENT_ROLE new-client-->operator',
      'ADDED IDP partner',
      'ADDED IDP_MAPPER m',
      'SKIPPED GROUP /team',
      'ADDED GROUP /new-group',
      'ADDED USER Newcomer',
      'SKIPPED USER alice',
    ],
  );
  t.true(results.every(({ id }) => id !== ''));
  const { json } = await host.token(host.defaultRealm, {
    grant_type: 'password',
    client_id: 'spa',
    username: 'newcomer',
    password: 'n',
  });
  t.truthy(json.access_token);
  const realm = await host.realms.get(host.defaultRealm);
  const client = realm?.clients.get('new-client');
  t.regex(
    realm?.representation.clients?.find(({ clientId }) => clientId === 'new-client')?.secret ?? '',
    /^[\w-]{32}$/,
    'a confidential client gets a secret',
  );
  t.truthy(client && realm && (await host.users.serviceAccount(realm, client)));
  t.is(
    realm?.representation.roles?.client?.['realm-management']?.find(({ name }) => name === 'view-realm')?.description,
    undefined,
  );
  t.truthy((await logIn(host)).access_token, 'who was skipped is as before');
});

test('partial import: overwritten objects are replaced: sessions end, and members of a removed group are gone', async (t) => {
  const { host } = await ownRealm(shared());
  const admin = await adminClient(host);
  const before = await logIn(host);
  const results = (await admin.realms.partialImport({
    realm: host.defaultRealm,
    rep: { ...PARTS, ifResourceExists: 'OVERWRITE' },
  })) as unknown as Results;
  t.deepEqual([results.overwritten, results.added, results.skipped], [4, 7, 0]);
  t.is((await userinfo(host, before.access_token)).status, 401);
  const form = { grant_type: 'password', username: 'alice' };
  const old = await host.token(host.defaultRealm, { ...form, client_id: 'spa', password: 'Alice-pass-1!' });
  t.is(old.status, 400);
  const fresh = await host.token(host.defaultRealm, {
    ...form,
    client_id: 'web',
    client_secret: 'another-secret',
    password: 'changed',
  });
  t.is(fresh.status, 200);
  const alice = await host.store.users.byUsername(host.defaultRealm, 'alice');
  t.not(alice?.id, idIn(host.defaultRealm));
  const realm = await host.realms.get(host.defaultRealm);
  t.deepEqual([...(realm?.groups.keys() ?? [])].sort(), ['/new-group', '/team', '/team/ops']);
  const [reader] = realm?.representation.roles?.realm?.filter(({ name }) => name === 'reader') ?? [];
  t.is(reader?.description, 'Reads');
});

test('partial import: nobody imports rights that they do not hold, or over a user who has more', async (t) => {
  const manager = {
    username: 'manager',
    enabled: true,
    credentials: [{ type: 'password', value: 'p' }],
    clientRoles: { 'realm-management': ['manage-realm', 'manage-users'] },
  };
  const realm = testRealm('demo');
  const host = await startAdministered(t, { realms: [{ ...realm, users: [...(realm.users ?? []), manager] }] });
  const call = await adminCaller(host, { realm: 'demo', username: 'manager', password: 'p' });
  const admins = { 'realm-management': ['realm-admin'] };
  const own = { 'realm-management': ['manage-users'] };
  const attempts: [string, object, number][] = [
    ['a user with rights', { users: [{ username: 'evil', clientRoles: admins }] }, 403],
    ['a group with rights', { groups: [{ name: 'evil', clientRoles: admins }] }, 403],
    ['a role with rights', { roles: { realm: [{ name: 'evil', composites: { client: admins } }] } }, 403],
    [
      'the default role with rights',
      { roles: { realm: [{ name: 'default-roles-demo', composites: { client: admins } }] } },
      403,
    ],
    [
      'a user by way of a group',
      { groups: [{ name: 'g' }], users: [{ username: 'x', groups: ['/g'], clientRoles: admins }] },
      403,
    ],
    [
      'the place of an admin',
      { users: [{ username: 'dave', enabled: true, credentials: [{ type: 'password', value: 'mine' }] }] },
      403,
    ],
    ['clients, without the right to manage them', { clients: [{ clientId: 'evil' }] }, 403],
    ['identity providers', { identityProviders: [{ alias: 'evil', providerId: 'oidc' }] }, 403],
    ['what they hold', { users: [{ username: 'helper', clientRoles: own }] }, 200],
    [
      'what is plain',
      { roles: { realm: [{ name: 'plain' }] }, groups: [{ name: 'plain', realmRoles: ['plain'] }] },
      200,
    ],
  ];
  for (const [what, body, status] of attempts) {
    const answer = await call('POST', '/realms/demo/partialImport', { ...body, ifResourceExists: 'OVERWRITE' });
    t.is(answer.status, status, `${what}: ${answer.text}`);
  }
  t.is(await host.store.users.byUsername('demo', 'evil'), undefined);
  const { status } = await host.token('demo', {
    grant_type: 'password',
    client_id: 'spa',
    username: 'dave',
    password: 'Dave-pass-1!',
  });
  t.is(status, 200);
});

test('partial import: an export contains no secret, and importing it changes none', async (t) => {
  const base = testRealm('demo', {
    smtpServer: { host: 'mail', password: 'hidden-smtp' },
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { ...PARTNER, clientSecret: 'hidden-idp' } }],
    authenticatorConfig: [{ alias: 'captcha', config: { 'secret.key': 'hidden-captcha' } }],
    components: {
      'org.keycloak.storage.UserStorageProvider': [{ providerId: 'ldap', config: { bindCredential: ['hidden-ldap'] } }],
    },
  });
  const host = await startAdministered(t, { realms: [base] });
  const admin = await adminClient(host);
  await logIn(host);
  const bare = await admin.realms.export({ realm: 'demo' });
  t.is(bare.clients, undefined);
  t.is(bare.roles, undefined);
  t.like(bare, { realm: 'demo', accessTokenLifespan: 300 });
  const exported = await admin.realms.export({ realm: 'demo', exportClients: true, exportGroupsAndRoles: true });
  const text = JSON.stringify(exported);
  t.notRegex(text, /hidden|s3cret|nl-secret|web2-secret|privateKey|secretData|argon2/);
  t.is(exported.clients?.find(({ clientId }) => clientId === 'web')?.secret, '**********');
  t.like(exported, {
    providers: { 'action-token-handler': { 'external-app-notification': { config: { clientSecret: '**********' } } } },
  });
  t.deepEqual(exported.users?.map(({ username }) => username).sort(), ['service-account-nl', 'service-account-svc']);
  t.true(exported.groups?.some(({ name }) => name === 'team'));
  const { clients, roles, groups, identityProviders } = exported;
  const rep = { ifResourceExists: 'OVERWRITE', clients, roles, groups, identityProviders };
  await admin.realms.partialImport({ realm: 'demo', rep: rep as never });
  t.truthy((await logIn(host)).access_token);
  t.is((await host.realms.get('demo'))?.representation.identityProviders?.[0]?.config?.clientSecret, 'hidden-idp');
  const dave = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  t.is((await dave('POST', '/realms/demo/partial-export?exportClients=true')).status, 200);
  const alice = await adminCaller(host, { realm: 'demo', username: 'alice', password: 'Alice-pass-1!' });
  t.is((await alice('POST', '/realms/demo/partial-export')).status, 403);
});

test('partial import: imported clients have the scopes that Keycloak 26.7.3 gives them: a service account adds none', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const defaults = ['acr', 'basic', 'email', 'profile', 'roles', 'web-origins'];
  const optional = ['address', 'microprofile-jwt', 'offline_access', 'phone'];
  const ROWS: readonly [sent: object, always: string[], wanted: string[]][] = [
    [{}, defaults, optional],
    [{ defaultClientScopes: ['email'] }, ['email'], []],
    [{ protocol: 'openid-connect', optionalClientScopes: ['phone'] }, [], ['phone']],
    [{ defaultClientScopes: [], optionalClientScopes: ['service_account'] }, [], ['service_account']],
  ];
  const clients = ROWS.map(([sent], index) => ({ clientId: `svc${index}`, serviceAccountsEnabled: true, ...sent }));
  t.is((await call('POST', `/realms/${host.defaultRealm}/partialImport`, { clients })).status, 200);
  const admin = await adminClient(host);
  for (const [index, [sent, always, wanted]] of ROWS.entries()) {
    const [client] = await admin.clients.find({ realm: host.defaultRealm, clientId: `svc${index}` });
    const scopes = [client?.defaultClientScopes?.sort(), client?.optionalClientScopes?.sort()];
    t.deepEqual(scopes, [always, wanted], JSON.stringify(sent));
  }
});

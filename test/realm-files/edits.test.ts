import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import type { RealmFileState } from '../../core/realm-files/realm-file-state.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { eventually } from '../helpers/eventually.js';
import { type LogLine, startHost } from '../helpers/host.js';
import { edit, fileState, states, writeRealm } from '../helpers/realm-files.js';
import { shareHost } from '../helpers/shared-host.js';

type Realm = RealmRepresentation;
type Part = Partial<Realm>;

/** The first file, an admin's edit of the live realm, the second file, and the check of the result. */
interface Case {
  readonly title: string;
  readonly first: Part;
  readonly edit: (realm: Realm) => void;
  readonly second: Part;
  readonly check: (t: ExecutionContext, live: Realm, state: RealmFileState) => void;
}

const client = (realm: Realm, clientId: string) => realm.clients?.find((found) => found.clientId === clientId);
const scope = (realm: Realm, name: string) => realm.clientScopes?.find((found) => found.name === name);
const change = <T>(found: T | undefined, to: Partial<T>) => Object.assign(found as object, to);
const remove = <T>(list: T[] | undefined, is: (item: T) => boolean) => {
  const at = list?.findIndex(is) ?? -1;
  if (at >= 0) list?.splice(at, 1);
};
const clientIds = (realm: Realm) => (realm.clients ?? []).map(({ clientId }) => clientId);
const ADDED = { clientId: 'added', redirectUris: ['https://added.example.test/cb'] };

const CASES: readonly Case[] = [
  {
    title: 'an edit that the file does not touch stays, and the file’s own change comes beside it',
    first: { accessTokenLifespan: 100, displayName: 'One' },
    edit: (realm) => change(realm, { displayName: 'Edited', ssoSessionIdleTimeout: 77 }),
    second: { accessTokenLifespan: 200, displayName: 'One' },
    check: (t, live, { state, conflicts, edits }) => {
      t.like(live, { accessTokenLifespan: 200, displayName: 'Edited', ssoSessionIdleTimeout: 77 });
      t.deepEqual([state, conflicts], ['drifted', []]);
      t.deepEqual(edits, ['displayName is "Edited" (was "One")', 'ssoSessionIdleTimeout is 77']);
    },
  },
  {
    title: 'where both changed the same, the file wins and it is told',
    first: { displayName: 'One', clients: [{ clientId: 'a', name: 'A', secret: 'first-secret' }] },
    edit: (realm) => {
      change(realm, { displayName: 'Edited' });
      change(client(realm, 'a'), { name: 'Edited', secret: 'edited-secret' });
    },
    second: { displayName: 'Two', clients: [{ clientId: 'a', name: 'A', secret: 'second-secret' }] },
    check: (t, live, { state, conflicts, edits }) => {
      t.is(live.displayName, 'Two');
      t.like(client(live, 'a'), { name: 'Edited', secret: 'second-secret' });
      t.deepEqual(conflicts, [
        'displayName: an edit set it to "Edited", the file set it to "Two": the file wins',
        'client a: secret: an edit changed it, the file changed it: the file wins',
      ]);
      t.deepEqual([state, edits], ['drifted', ['client a: name is "Edited" (was "A")']]);
    },
  },
  {
    title: 'both made the same change: no conflict, and no drift',
    first: { displayName: 'One' },
    edit: (realm) => change(realm, { displayName: 'Two' }),
    second: { displayName: 'Two' },
    check: (t, live, { state, conflicts }) => {
      t.is(live.displayName, 'Two');
      t.deepEqual([state, conflicts], ['applied', []]);
    },
  },
  {
    title: 'what the file no longer says is gone; what it never said stays; what Keyhost adds stays',
    first: {
      displayName: 'One',
      clients: [{ clientId: 'a', description: 'said', redirectUris: ['https://a.example.test/'] }, { clientId: 'b' }],
      roles: { realm: [{ name: 'reader' }, { name: 'writer' }] },
      attributes: { kept: '1', dropped: '2' },
    },
    edit: (realm) => {
      realm.clients?.push(structuredClone(ADDED));
      realm.roles?.realm?.push({ name: 'admins-own' });
      change(realm.attributes, { edited: '3' });
    },
    second: {
      clients: [{ clientId: 'a' }],
      roles: { realm: [{ name: 'reader' }] },
      attributes: { kept: '1' },
    },
    check: (t, live, { state, edits }) => {
      t.is(live.displayName, undefined);
      const consoles = ['account-console', 'security-admin-console'];
      const builtIn = ['account', ...consoles, 'admin-cli', 'broker', 'realm-management'];
      t.deepEqual(clientIds(live).sort(), ['a', 'added', ...builtIn].sort());
      t.deepEqual([client(live, 'a')?.description, client(live, 'a')?.redirectUris], [undefined, undefined]);
      const names = live.roles?.realm?.map(({ name }) => name);
      t.true(['reader', 'admins-own', 'offline_access'].every((name) => names?.includes(name)));
      t.false(names?.includes('writer'));
      t.deepEqual(live.attributes, { kept: '1', edited: '3' });
      t.deepEqual(
        [state, edits],
        ['drifted', ['client added is created', 'realm role admins-own is created', 'attributes.edited is "3"']],
      );
    },
  },
  {
    title: 'a thing that the file removes is gone although it was edited, and that is told',
    first: { clients: [{ clientId: 'a' }, { clientId: 'b' }] },
    edit: (realm) => change(client(realm, 'b'), { name: 'Edited' }),
    second: { clients: [{ clientId: 'a' }] },
    check: (t, live, { state, conflicts }) => {
      t.is(client(live, 'b'), undefined);
      t.deepEqual(
        [state, conflicts],
        ['applied', ['client b: an edit changed it, the file removed it: the file wins']],
      );
    },
  },
  {
    title: 'a thing that an admin removed stays removed, until the file says something new of it',
    first: {
      clients: [
        { clientId: 'a', name: 'A' },
        { clientId: 'b', name: 'B' },
      ],
    },
    edit: (realm) => {
      remove(realm.clients, ({ clientId }) => clientId === 'a');
      remove(realm.clients, ({ clientId }) => clientId === 'b');
      remove(realm.clientScopes, ({ name }) => name === 'phone');
    },
    second: {
      clients: [
        { clientId: 'a', name: 'A' },
        { clientId: 'b', name: 'B2' },
      ],
    },
    check: (t, live, { conflicts, edits }) => {
      t.is(client(live, 'a'), undefined);
      t.is(client(live, 'b')?.name, 'B2');
      t.is(scope(live, 'phone'), undefined);
      t.deepEqual(conflicts, ['client b: an edit removed it, the file changed it: the file wins']);
      t.deepEqual(edits, ['client a is removed, with its sessions', 'client scope phone is removed']);
    },
  },
  {
    title: 'lists that are sets are merged member by member',
    first: {
      clients: [
        {
          clientId: 'a',
          redirectUris: ['https://one.example.test/', 'https://two.example.test/'],
          defaultClientScopes: ['profile', 'email'],
        },
      ],
      eventsListeners: ['jboss-logging'],
    },
    edit: (realm) => {
      change(client(realm, 'a'), {
        redirectUris: ['https://two.example.test/', 'https://edited.example.test/'],
        defaultClientScopes: ['profile', 'email', 'phone'],
      });
    },
    second: {
      clients: [
        {
          clientId: 'a',
          redirectUris: ['https://one.example.test/', 'https://three.example.test/'],
          defaultClientScopes: ['email'],
        },
      ],
      eventsListeners: ['jboss-logging'],
    },
    check: (t, live, { conflicts }) => {
      t.deepEqual(client(live, 'a')?.redirectUris, ['https://edited.example.test/', 'https://three.example.test/']);
      t.deepEqual(client(live, 'a')?.defaultClientScopes, ['email', 'phone']);
      t.deepEqual(conflicts, []);
    },
  },
  {
    title: 'other lists are whole values: the file wins',
    first: { roles: { realm: [{ name: 'r', attributes: { shelf: ['a', 'b'], room: ['1'] } }] } },
    edit: (realm) => change(realm.roles?.realm?.find(({ name }) => name === 'r')?.attributes, { shelf: ['c'] }),
    second: { roles: { realm: [{ name: 'r', attributes: { shelf: ['a', 'd'], room: ['1'] } }] } },
    check: (t, live, { conflicts }) => {
      t.deepEqual(live.roles?.realm?.find(({ name }) => name === 'r')?.attributes, { shelf: ['a', 'd'], room: ['1'] });
      t.deepEqual(conflicts, [
        'realm role r: attributes.shelf: an edit set it to ["c"], the file set it to ["a","d"]: the file wins',
      ]);
    },
  },
  {
    title: 'a list that takes the place of a default one takes it whole, and an edit of the default stays beside it',
    first: {},
    edit: (realm) => realm.defaultDefaultClientScopes?.push('phone'),
    second: { defaultDefaultClientScopes: ['profile'] },
    check: (t, live) => t.deepEqual(live.defaultDefaultClientScopes?.sort(), ['phone', 'profile']),
  },
  {
    title: 'ids stay: of what the file names without one, and of what an admin renamed',
    first: {
      clients: [
        { clientId: 'a', name: 'A' },
        { clientId: 'b', id: 'id-b', name: 'B' },
      ],
    },
    edit: (realm) => change(client(realm, 'b'), { clientId: 'renamed' }),
    second: {
      clients: [
        { clientId: 'a', id: 'another-id', name: 'A2' },
        { clientId: 'b', id: 'id-b', name: 'B2' },
      ],
    },
    check: (t, live) => {
      t.not(client(live, 'a')?.id, 'another-id');
      t.is(client(live, 'a')?.name, 'A2');
      t.is(client(live, 'b'), undefined);
      t.like(client(live, 'renamed'), { id: 'id-b', name: 'B2' });
    },
  },
  {
    title: 'a secret that the file no longer states stays: it was taken out of a repository',
    first: {
      clients: [{ clientId: 'a', secret: 'first-secret' }],
      smtpServer: { host: 'mail', password: 'mail-secret' },
    },
    edit: () => {},
    second: { clients: [{ clientId: 'a', name: 'A' }], smtpServer: { host: 'post' } },
    check: (t, live, { state }) => {
      t.like(client(live, 'a'), { secret: 'first-secret', name: 'A' });
      t.deepEqual(live.smtpServer, { host: 'post', password: 'mail-secret' });
      t.is(state, 'applied');
    },
  },
  {
    title: 'what an edit made refer to a thing that the file drops goes with it',
    first: {
      roles: { realm: [{ name: 'dropped' }, { name: 'kept' }], client: { b: [{ name: 'of-b' }] } },
      clientScopes: [{ name: 's' }],
      groups: [{ name: 'g' }],
      clients: [{ clientId: 'a', optionalClientScopes: ['phone'] }, { clientId: 'b' }],
    },
    edit: (realm) => {
      realm.roles?.realm?.push({ name: 'own', composites: { realm: ['dropped', 'kept'], client: { b: ['of-b'] } } });
      realm.roles?.client?.b?.push({ name: 'own-of-b' });
      realm.groups?.push({ name: 'own', realmRoles: ['dropped'], clientRoles: { b: ['own-of-b'] } });
      client(realm, 'a')?.optionalClientScopes?.push('s');
      change(realm, { defaultGroups: ['/g', '/own'], scopeMappings: [{ client: 'b', roles: ['kept'] }] });
    },
    second: { roles: { realm: [{ name: 'kept' }] }, clients: [{ clientId: 'a', optionalClientScopes: ['phone'] }] },
    check: (t, live) => {
      const own = live.roles?.realm?.find(({ name }) => name === 'own');
      t.deepEqual(own?.composites, { realm: ['kept'], client: {} });
      t.false('b' in (live.roles?.client ?? {}));
      t.deepEqual(live.groups, [{ name: 'own', realmRoles: [], clientRoles: {} }]);
      t.deepEqual(live.defaultGroups, ['/own']);
      t.deepEqual(client(live, 'a')?.optionalClientScopes, ['phone']);
      t.deepEqual(live.scopeMappings, []);
    },
  },
  {
    title: 'what an admin console writes out as defaults is no edit, and stands in no file’s way',
    first: { clients: [{ clientId: 'a', attributes: { x: '1' } }] },
    edit: (realm) => {
      change(realm, { rememberMe: false, accessTokenLifespan: 300 });
      change(client(realm, 'a'), {
        enabled: true,
        bearerOnly: false,
        nodeReRegistrationTimeout: -1,
        protocolMappers: [],
      });
      change(scope(realm, 'profile'), { protocol: 'openid-connect' });
      for (const mapper of scope(realm, 'profile')?.protocolMappers ?? []) mapper.id = `id of ${mapper.name}`;
    },
    second: { rememberMe: true, clients: [{ clientId: 'a', enabled: false, attributes: { x: '1' } }] },
    check: (t, live, { state, conflicts }) => {
      t.is(live.rememberMe, true);
      t.is(client(live, 'a')?.enabled, false);
      t.deepEqual([state, conflicts], ['applied', []]);
    },
  },
  {
    title: 'what a file states anew holds, also where it is the default',
    first: { clients: [{ clientId: 'a' }] },
    edit: (realm) => change(client(realm, 'a'), { enabled: false }),
    second: { clients: [{ clientId: 'a', enabled: true }] },
    check: (t, live, { conflicts }) => {
      t.is(client(live, 'a')?.enabled, true);
      t.is(conflicts.length, 1);
    },
  },
  {
    title: 'things within things are followed by name: groups, mappers, flows, components, providers',
    first: {
      groups: [{ name: 'team', subGroups: [{ name: 'dev', realmRoles: ['offline_access'] }, { name: 'ops' }] }],
      clientScopes: [{ name: 's', protocolMappers: [{ name: 'm', protocolMapper: 'x-mapper', config: { a: '1' } }] }],
      authenticationFlows: [{ alias: 'f', authenticationExecutions: [], description: 'one' }, { alias: 'g' }],
      components: { type: [{ name: 'c', providerId: 'p', config: { k: ['1'] } }] },
      providers: { 'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'none' } } } },
    } as Part,
    edit: (realm) => {
      realm.groups?.[0]?.subGroups?.push({ name: 'edited' });
      scope(realm, 's')?.protocolMappers?.push({ name: 'own', protocolMapper: 'x-mapper' });
      (realm.authenticationFlows as object[]).push({ alias: 'edited' });
      realm.components?.type?.push({ name: 'own', providerId: 'p' });
      change(realm.providers?.['realm-restapi-extension']?.newsletter?.config, { requestsPerSecond: 7 });
    },
    second: {
      groups: [{ name: 'team', subGroups: [{ name: 'dev', realmRoles: ['uma_authorization'] }] }],
      clientScopes: [{ name: 's', protocolMappers: [{ name: 'm', protocolMapper: 'x-mapper', config: { a: '2' } }] }],
      authenticationFlows: [{ alias: 'f', authenticationExecutions: [], description: 'two' }],
      components: { type: [{ name: 'c', providerId: 'p', config: { k: ['2'] } }] },
      providers: { 'realm-restapi-extension': { newsletter: { enabled: false, config: { authentication: 'none' } } } },
    } as Part,
    check: (t, live, { conflicts }) => {
      const groups = live.groups?.[0]?.subGroups;
      t.deepEqual(
        groups?.map(({ name, realmRoles }) => [name, realmRoles]),
        [
          ['dev', ['uma_authorization']],
          ['edited', undefined],
        ],
      );
      t.deepEqual(
        scope(live, 's')?.protocolMappers?.map(({ name, config }) => [name, config?.a]),
        [
          ['m', '2'],
          ['own', undefined],
        ],
      );
      const flows = live.authenticationFlows as { alias: string; description?: string }[];
      t.deepEqual(
        flows.map(({ alias, description }) => [alias, description]),
        [
          ['f', 'two'],
          ['edited', undefined],
        ],
      );
      t.deepEqual(
        live.components?.type?.map(({ name, config }) => [name, config?.k]),
        [
          ['c', ['2']],
          ['own', undefined],
        ],
      );
      t.deepEqual(live.providers?.['realm-restapi-extension']?.newsletter, {
        enabled: false,
        config: { authentication: 'none', requestsPerSecond: 7 },
      });
      t.deepEqual(conflicts, []);
    },
  },
];

const realmOf = (index: number, part: Part): Realm => ({ realm: `case-${index}`, enabled: true, ...part });

const shared = shareHost(test, { realms: CASES.map(({ first }, index) => realmOf(index, first)) });

test.serial('realm files, edits: every realm is edited, and then its file changes', async (t) => {
  for (const [index, { edit: change }] of CASES.entries()) await edit(shared(), `case-${index}`, change);
  for (const [index, { second }] of CASES.entries()) await writeRealm(shared(), realmOf(index, second));
  t.is(Object.keys(await states(shared())).length, CASES.length);
});

for (const [index, { title, check }] of CASES.entries()) {
  test(`realm files, edits: ${title}`, async (t) => {
    const host = shared();
    const isApplied = ({ message, fields }: LogLine) =>
      message.startsWith(`realm case-${index}: `) && (fields as { version?: number }).version === 3;
    await eventually(async () => host.log.some(isApplied));
    const state = await fileState(host, `case-${index}.json`, () => true);
    const record = await host.store.realms.get(`case-${index}`);
    check(t, record?.representation as Realm, state);
    t.notRegex(JSON.stringify([state, host.log]), /(first|second|edited|mail)-secret/);
  });
}

const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };
const machine = { clientId: 'machine', secret: 'machine-secret', serviceAccountsEnabled: true };
const ANN = { username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'Ann-pass-1!' }] };

test('realm files, edits: an edit makes a realm drift and its reversal ends that: one log line per difference', async (t) => {
  const host = await startHost(t, { realms: [{ realm: 'x', enabled: true, clients: [machine] }] });
  t.is((await fileState(host, 'x.json', () => true)).state, 'applied');
  await edit(host, 'x', (realm) =>
    change(client(realm, 'machine'), { directAccessGrantsEnabled: true, secret: 'other' }),
  );
  const drifted = await fileState(host, 'x.json', ({ state }) => state === 'drifted');
  t.deepEqual(drifted.edits, ['client machine: secret is changed', 'client machine gains grant password']);
  const told = () => host.log.filter(({ message }) => /realm x differs from .*x\.json/.test(message));
  await eventually(async () => told().length === 1);
  await edit(host, 'x', (realm) => change(realm, { displayName: 'Edited' }));
  await eventually(async () => told().length === 2);
  t.regex(JSON.stringify(told()[1]), /displayName is/);
  t.notRegex(JSON.stringify(await states(host)), /machine-secret|other"/);
  await edit(host, 'x', (realm) => {
    change(client(realm, 'machine'), { secret: 'machine-secret' });
    delete client(realm, 'machine')?.directAccessGrantsEnabled;
    delete realm.displayName;
  });
  t.deepEqual((await fileState(host, 'x.json', ({ state }) => state === 'applied')).edits, []);
});

test('realm files, edits: a client that the file drops loses its service account and its sessions; one that comes gets an account', async (t) => {
  const two = { ...machine, clientId: 'second' };
  const host = await startHost(t, { realms: [{ realm: 'x', enabled: true, clients: [machine, two] }] });
  const refreshing = { attributes: { 'client_credentials.use_refresh_token': 'true' } };
  await writeRealm(host, { realm: 'x', enabled: true, clients: [{ ...machine, ...refreshing }, two] });
  const refresh_token = await eventually(
    async () => (await host.token('x', MACHINE)).json.refresh_token as string | undefined,
  );
  const accountOf = async (clientId: string) => {
    const uuid = client((await host.store.realms.get('x'))?.representation as Realm, clientId)?.id ?? '';
    return host.store.users.byServiceAccountClient('x', uuid);
  };
  const account = await accountOf('machine');
  await writeRealm(host, { realm: 'x', enabled: true, clients: [two, { ...machine, clientId: 'third' }] });
  await eventually(async () => (await host.token('x', { ...MACHINE, client_id: 'third' })).status === 200);
  t.is((await host.token('x', MACHINE)).status, 401);
  t.is(await host.store.users.byId('x', account?.id ?? ''), undefined);
  t.deepEqual(await host.store.sessions.list('x', { userId: account?.id ?? '' }), []);
  // The same name is a new client, which no token of the old one may use.
  await writeRealm(host, { realm: 'x', enabled: true, clients: [two, { ...machine, ...refreshing }] });
  await eventually(async () => (await host.token('x', MACHINE)).status === 200);
  t.not((await accountOf('machine'))?.id, account?.id);
  const { client_id, client_secret } = MACHINE;
  const refreshed = await host.token('x', { grant_type: 'refresh_token', client_id, client_secret, refresh_token });
  t.is(refreshed.json.error, 'invalid_grant');
});

test('realm files, edits: users are created when missing, never overwritten, and do not come back when an admin removed them', async (t) => {
  const realm = (more: Part, users: object[]) => ({ realm: 'x', enabled: true, ...more, users }) as Realm;
  const host = await startHost(t, { realms: [realm({}, [ANN, { username: 'ben' }])] });
  const ann = await host.store.users.byUsername('x', 'ann');
  const ben = await host.store.users.byUsername('x', 'ben');
  await host.store.users.remove('x', ben?.id ?? '');
  await writeRealm(
    host,
    realm({ displayName: 'X' }, [{ ...ANN, firstName: 'Changed' }, { username: 'ben' }, { username: 'cyd' }]),
  );
  await eventually(async () => (await host.store.users.byUsername('x', 'cyd')) !== undefined);
  t.is(await host.store.users.byUsername('x', 'ben'), undefined);
  t.deepEqual(await host.store.users.byUsername('x', 'ann'), ann);
  // Removed from the file and added again: now the user is created.
  await writeRealm(host, realm({}, [ANN]));
  await fileState(host, 'x.json', ({ version }) => version === 3);
  t.truthy(await host.store.users.byUsername('x', 'cyd'));
  await writeRealm(host, realm({}, [ANN, { username: 'ben' }]));
  await eventually(async () => (await host.store.users.byUsername('x', 'ben')) !== undefined);
});

test('realm files, edits: a realm that an admin removes has no conflicts any more', async (t) => {
  const host = await startHost(t, { realms: [{ realm: 'x', enabled: true, displayName: 'One' }] });
  await edit(host, 'x', (realm) => change(realm, { displayName: 'Edited' }));
  await writeRealm(host, { realm: 'x', enabled: true, displayName: 'Two' });
  await fileState(host, 'x.json', ({ conflicts }) => conflicts.length === 1);
  await host.store.realms.remove('x');
  host.realms.evictRemoved('x');
  t.like(await fileState(host, 'x.json', ({ edits }) => edits.length > 0), {
    state: 'drifted',
    conflicts: [],
    edits: ['the realm is removed'],
  });
});

test('realm files, edits: a realm without a file keeps what the first file for it does not name', async (t) => {
  const host = await startHost(t);
  const realm = { realm: 'x', enabled: true, displayName: 'Made', clients: [{ clientId: 'made', id: 'id-made' }] };
  await host.store.realms.put({ id: 'id-x', name: 'x', representation: realm }, { expectedVersion: 0 });
  host.realms.invalidate('x');
  await writeRealm(host, { realm: 'x', enabled: true, accessTokenLifespan: 77, clients: [machine] });
  await eventually(async () => (await host.token('x', MACHINE)).json.expires_in === 77);
  const live = (await host.store.realms.get('x'))?.representation as Realm;
  t.is(live.displayName, 'Made');
  t.is(client(live, 'made')?.id, 'id-made');
});

test('realm files, edits: a realm of an older store becomes what the file says, and keeps edits from then on', async (t) => {
  const host = await startHost(t);
  await host.close();
  const path = join(host.dir, 'realms', 'x.json');
  await writeRealm(host, { realm: 'x', enabled: true, clients: [machine] });
  const store = await openStore({ dataDir: join(host.dir, 'data') });
  const representation = { realm: 'x', enabled: true, displayName: 'Dropped', clients: [{ clientId: 'dropped' }] };
  const source = { files: [{ path, size: 1, mtimeMs: 1, inode: 1 }], hash: 'of another text' };
  await store.realms.put({ id: 'id-x', name: 'x', representation, source }, { expectedVersion: 0 });
  await store.close();
  const argv = ['--data-dir', join(host.dir, 'data'), '--realms-dir', join(host.dir, 'realms')];
  const second = await startHost(t, { argv });
  t.is((await second.token('x', MACHINE)).status, 200);
  const live = (await second.store.realms.get('x'))?.representation as Realm;
  t.deepEqual([live.displayName, client(live, 'dropped')], [undefined, undefined]);
  await edit(second, 'x', (realm) => change(realm, { displayName: 'Edited' }));
  await writeRealm(host, { realm: 'x', enabled: true, accessTokenLifespan: 77, clients: [machine] });
  await eventually(async () => (await second.token('x', MACHINE)).json.expires_in === 77);
  t.is((await second.store.realms.get('x'))?.representation.displayName, 'Edited');
});

test('realm files, edits: another value of a variable changes its references and nothing else, although the file did not change', async (t) => {
  const clients = [{ ...machine, secret: '${env.MACHINE_SECRET}' }];
  const first = await startHost(t, {
    realms: [{ realm: 'x', enabled: true, displayName: 'X', clients }],
    env: { MACHINE_SECRET: 'machine-secret' },
  });
  await first.close();
  const argv = ['--data-dir', join(first.dir, 'data'), '--realms-dir', join(first.dir, 'realms')];
  const start = (MACHINE_SECRET: string) => startHost(t, { argv, env: { MACHINE_SECRET } });
  const before = await start('machine-secret');
  t.is((await before.token('x', MACHINE)).status, 200);
  await edit(before, 'x', (realm) => {
    change(realm, { displayName: 'Edited' });
    realm.clients?.push(structuredClone(ADDED));
  });
  await before.close();
  const unchanged = await start('machine-secret');
  t.is((await unchanged.store.realms.get('x'))?.version, 2);
  await unchanged.close();
  const after = await start('rotated-secret');
  t.is((await after.token('x', MACHINE)).status, 401);
  t.is((await after.token('x', { ...MACHINE, client_secret: 'rotated-secret' })).status, 200);
  const live = (await after.store.realms.get('x'))?.representation as Realm;
  t.is(live.displayName, 'Edited');
  t.truthy(client(live, 'added'));
  t.notRegex(JSON.stringify(after.log), /(machine|rotated)-secret/);
});

test('realm files, edits: a role or group that the file drops is no longer its users’, also when another of that name comes', async (t) => {
  const holder = { username: 'eve', realmRoles: ['old', 'kept'], groups: ['/team', '/others'] };
  const roles = (...names: string[]) => ({ roles: { realm: names.map((name) => ({ name })) } });
  const groups = (...names: string[]) => ({ groups: names.map((name) => ({ name })) });
  const realm = (more: Part): Realm => ({ realm: 'x', enabled: true, ...more });
  const host = await startHost(t, {
    realms: [{ ...realm({ ...roles('old', 'kept'), ...groups('team', 'others') }), users: [holder] }],
  });
  await writeRealm(host, realm({ ...roles('kept'), ...groups('others') }));
  await fileState(host, 'x.json', ({ version }) => version === 2);
  await writeRealm(host, realm({ ...roles('old', 'kept'), ...groups('team', 'others') }));
  await fileState(host, 'x.json', ({ version }) => version === 3);
  const eve = await host.store.users.byUsername('x', 'eve');
  t.deepEqual([eve?.representation.realmRoles, eve?.representation.groups], [['kept'], ['/others']]);
});

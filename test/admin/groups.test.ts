import type { RoleMappingPayload } from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import test from 'ava';
import { adminCaller, adminClient, administered, ownRealm } from '../helpers/admin.js';
import { claimsOf } from '../helpers/host.js';
import { logIn } from '../helpers/login.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('groups: Keycloak’s admin client builds a tree, finds, counts and removes groups', async (t) => {
  const { host } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const { id } = await admin.groups.create({ realm, name: 'books', attributes: { floor: ['2'] } });
  const child = await admin.groups.createChildGroup({ realm, id }, { name: 'novels' });
  t.truthy(child.id);
  await admin.groups.createChildGroup({ realm, id: child.id }, { name: 'booklets' });
  const top = await admin.groups.find({ realm });
  t.deepEqual(
    top.map(({ name, subGroupCount }) => `${name} ${subGroupCount}`),
    ['books 1', 'team 1'],
  );
  t.is(Number((await admin.groups.count({ realm })).count), 5);
  t.is(Number((await admin.groups.count({ realm, top: true })).count), 2);
  t.is(Number((await admin.groups.count({ realm, search: 'book' })).count), 2);
  const [found, ...others] = await admin.groups.find({ realm, search: 'booklet' });
  t.deepEqual(others, []);
  t.like(found, { name: 'books', path: '/books' });
  t.is(found?.subGroups?.[0]?.subGroups?.[0]?.path, '/books/novels/booklets', 'within the tree that leads to it');
  const flat = await admin.groups.find({ realm, search: 'BOOK', populateHierarchy: false });
  t.deepEqual(
    flat.map(({ path }) => path),
    ['/books', '/books/novels/booklets'],
  );
  t.deepEqual(await admin.groups.find({ realm, search: 'book', exact: true }), []);
  t.deepEqual(
    (await admin.groups.find({ realm, q: 'floor:2' })).map(({ name }) => name),
    ['books'],
  );
  t.like(await admin.groups.findOne({ realm, id }), { path: '/books', attributes: { floor: ['2'] }, subGroupCount: 1 });
  const children = await admin.groups.listSubGroups({ realm, parentId: id });
  t.like(children[0], { id: child.id, parentId: id, path: '/books/novels' });
  t.like(await admin.realms.getGroupByPath({ realm, path: 'books/novels' }), { id: child.id });
  await t.throwsAsync(admin.groups.create({ realm, name: 'books' }), {
    message: "Top level group named 'books' already exists.",
  });
  await t.throwsAsync(admin.groups.createChildGroup({ realm, id }, { name: 'novels' }), {
    message: "Sibling group named 'novels' already exists.",
  });
  const { id: slashed } = await admin.groups.create({ realm, name: 'a/b' });
  t.like(await admin.groups.findOne({ realm, id: slashed }), { name: 'a/b', path: '/a/b' });
  t.like(await admin.realms.getGroupByPath({ realm, path: 'a/b' }), { id: slashed });
  await t.throwsAsync(admin.groups.create({ realm, name: 'a/b' }), { message: /already exists/ });
  await admin.groups.del({ realm, id: slashed });
  await t.throwsAsync(admin.groups.create({ realm, name: ' ' }), { message: 'Group name is missing' });
  await t.throwsAsync(admin.groups.updateChildGroup({ realm, id: child.id }, { id, name: 'books' }), {
    message: /below itself/,
  });
  await admin.groups.del({ realm, id });
  t.falsy(await admin.groups.findOne({ realm, id: child.id }), 'with those below it');
  const call = await adminCaller(host);
  const gone = await call('PUT', `/realms/${host.defaultRealm}/groups/${id}`, { name: 'x' });
  t.deepEqual([gone.status, gone.text], [404, '{"error":"Could not find group by id"}']);
});

test('groups: search and counts are as in Keycloak', async (t) => {
  const { host } = await ownRealm(shared());
  const admin = await adminClient(host);
  const call = await adminCaller(host);
  const make = async (name: string, id = '') => {
    const realm = host.defaultRealm;
    const group =
      id === '' ? admin.groups.create({ realm, name }) : admin.groups.createChildGroup({ realm, id }, { name });
    return (await group).id;
  };
  const alpha = await make('Alpha');
  await make('Beta', alpha);
  await make('Deep', await make('alphabet', alpha));
  await make('alpha2');
  await make('Beta', await make('Gamma'));
  const get = async (path: string) => (await call('GET', `/realms/${host.defaultRealm}/groups${path}`)).json;
  for (const [query, count] of [
    ['search=alpha&top=true', 3],
    ['search=Deep&top=true', 1],
    ['search=beta&top=false', 2],
    ['search=&top=true', 4],
    ['top=true', 4],
  ] as const) {
    t.deepEqual(await get(`/count?${query}`), { count }, query);
  }
  type Found = { name: string; subGroupCount?: number; subGroups?: Found[] };
  const shown = ({ name, subGroupCount, subGroups = [] }: Found): string =>
    `${name} ${subGroupCount ?? '-'}${subGroups.length === 0 ? '' : ` (${subGroups.map(shown).join(', ')})`}`;
  const counted = 'Alpha 2 (Beta 0), Gamma 1 (Beta 0)';
  for (const [path, found] of [
    ['?search=alpha&exact=true', ''],
    ['?search=ALPHA&exact=true', ''],
    ['?search=Alpha&exact=true', 'Alpha 2'],
    ['?search=Beta&exact=true', counted],
    ['?search=beta', counted],
    ['?search=Beta&subGroupsCount=false', 'Alpha - (Beta -), Gamma - (Beta -)'],
    [`/${alpha}/children`, 'Beta 0, alphabet 1'],
    [`/${alpha}/children?subGroupsCount=false`, 'Beta -, alphabet -'],
    [`/${alpha}/children?search=beta&exact=true`, ''],
    [`/${alpha}/children?search=Beta&exact=true`, 'Beta 0'],
    [`/${alpha}/children?search=b`, 'Beta 0'],
    [`/${alpha}/children?search=et`, ''],
  ] as const) {
    const groups = (await get(path)) as unknown as Found[];
    t.is(groups.map(shown).sort().join(', '), found, path);
  }
  // As in Keycloak, the response for a single group always contains its count.
  t.is((await get(`/${alpha}?subGroupsCount=false`)).subGroupCount, 2);
  for (const query of ['username=ALICE', 'firstName=alice']) {
    const users = (await call('GET', `/realms/${host.defaultRealm}/users?exact=true&${query}`))
      .json as unknown as object[];
    t.is(users.length, 1, `${query}: users are found in upper and lower case`);
  }
});

test('groups: members keep their group when it is renamed or moved, and lose it when it is removed', async (t) => {
  const { host } = await ownRealm(shared(), { defaultGroups: ['/team/dev'], adminEventsEnabled: true });
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const [team] = await admin.groups.find({ realm, search: 'team' });
  const [dev] = await admin.groups.listSubGroups({ realm, parentId: team?.id ?? '' });
  if (team?.id === undefined || dev?.id === undefined) return t.fail();
  const paths = async () =>
    (await admin.users.listGroups({ realm, id: idIn(host.defaultRealm) })).map(({ path }) => path).join(' ');
  const defaults = async () => (await admin.realms.getDefaultGroups({ realm })).map(({ path }) => path).join(' ');
  const members = async (id: string) => (await admin.groups.listMembers({ realm, id })).map((user) => user.username);
  const roles = async () =>
    (claimsOf((await logIn(host)).access_token) as { realm_access: { roles: string[] } }).realm_access.roles;
  t.true((await roles()).includes('staff'));
  await admin.groups.update({ realm, id: team.id }, { name: 'crew', description: 'Everybody' });
  t.is(await paths(), '/crew/dev');
  t.is(await defaults(), '/crew/dev');
  t.deepEqual(await members(dev.id), ['alice']);
  t.like(await admin.groups.findOne({ realm, id: team.id }), { description: 'Everybody', realmRoles: ['staff'] });
  await admin.groups.update({ realm, id: team.id }, { name: 'crew' });
  t.false('description' in ((await admin.groups.findOne({ realm, id: team.id })) ?? {}), 'as in Keycloak');
  await admin.groups.updateRoot({ realm, ...dev, id: dev.id });
  t.is(await paths(), '/dev');
  t.false((await roles()).includes('staff'), 'the roles of the former parent are gone');
  await admin.groups.updateChildGroup({ realm, id: team.id }, { id: dev.id, name: 'dev' });
  t.is(await paths(), '/crew/dev');
  t.true((await roles()).includes('staff'));
  await admin.realms.removeDefaultGroup({ realm, id: dev.id });
  t.is(await defaults(), '');
  await admin.realms.addDefaultGroup({ realm, id: team.id });
  t.is(await defaults(), '/crew');
  const { id } = await admin.users.create({ realm, username: 'new' });
  t.is(Number((await admin.users.countGroups({ realm, id })).count), 1);
  await admin.users.addToGroup({ realm, id, groupId: dev.id });
  t.deepEqual(await members(dev.id), ['alice', 'new']);
  await admin.users.delFromGroup({ realm, id, groupId: dev.id });
  await admin.groups.del({ realm, id: team.id });
  t.is(await paths(), '');
  t.is(await defaults(), '');
  await host.events.flush();
  const events = (await host.store.events.query(realm, { kind: 'admin' })).map(({ body }) => JSON.parse(body));
  const seen = events.reverse().map(({ operationType, resourceType }) => `${operationType} ${resourceType}`);
  t.deepEqual(seen, [
    'UPDATE GROUP',
    'UPDATE GROUP',
    'UPDATE GROUP',
    'UPDATE GROUP',
    'DELETE GROUP',
    'CREATE GROUP',
    'CREATE USER',
    'CREATE GROUP_MEMBERSHIP',
    'DELETE GROUP_MEMBERSHIP',
    'DELETE GROUP',
  ]);
});

test('groups: a group gives its members roles', async (t) => {
  const { host } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const [{ id = '' } = {}] = await admin.groups.find({ realm, search: 'dev', populateHierarchy: false });
  const names = (roles: readonly { name?: string }[]) => roles.map(({ name }) => name).join(' ');
  t.is(names(await admin.groups.listRealmRoleMappings({ realm, id })), '');
  t.is(names(await admin.groups.listCompositeRealmRoleMappings({ realm, id })), 'reader staff', 'of its parent');
  const client = (await host.realms.get(realm))?.clients.get('web')?.id ?? '';
  const ofWeb = { realm, id, clientUniqueId: client };
  const roles = (await admin.groups.listAvailableClientRoleMappings(ofWeb)) as RoleMappingPayload[];
  await admin.groups.addClientRoleMappings({ ...ofWeb, roles });
  t.is(names(await admin.groups.listClientRoleMappings(ofWeb)), 'editor');
  t.like(await admin.groups.listRoleMappings({ realm, id }), { clientMappings: { web: { client: 'web' } } });
  await admin.groups.delClientRoleMappings({ ...ofWeb, roles });
  t.is(names(await admin.groups.listClientRoleMappings(ofWeb)), '');
});

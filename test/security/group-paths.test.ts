import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { claimsOf, inRealm, type TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered());

const user = (username: string, ...groups: string[]) => ({
  username,
  enabled: true,
  groups,
  credentials: [{ type: 'password', value: username }],
});

/** Adds the names of a user's groups. */
const NAMES = {
  name: 'groups',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': 'groups', 'full.path': 'false', 'access.token.claim': 'true' },
};

/** Two groups with the path `/a/b`: one at the top, and one below `a`. */
const realm = (name: string): RealmRepresentation => ({
  realm: name,
  enabled: true,
  roles: { realm: [{ name: 'of-top' }, { name: 'of-child' }] },
  groups: [
    { id: `${name}-top`, name: 'a/b', realmRoles: ['of-top'] },
    { id: `${name}-a`, name: 'a', subGroups: [{ id: `${name}-child`, name: 'b', realmRoles: ['of-child'] }] },
  ],
  clients: [{ clientId: 'app', publicClient: true, directAccessGrantsEnabled: true, protocolMappers: [NAMES] }],
  users: [user('child', '/a/b'), user('none')],
});

async function tokenOf(host: TestHost, username: string) {
  const form = { grant_type: 'password', client_id: 'app', username, password: username };
  const { json } = await host.token(host.defaultRealm, form);
  return claimsOf(String(json.access_token)) as { realm_access?: { roles: string[] }; groups?: string[] };
}

/** The roles of a user's token that are named after groups. */
async function rolesOf(host: TestHost, username: string): Promise<string[]> {
  const { realm_access: access } = await tokenOf(host, username);
  return (access?.roles ?? []).filter((name) => name.startsWith('of-')).sort();
}

async function scene() {
  const host = await inRealm(shared(), realm);
  const call = await adminCaller(host);
  const here = `/realms/${host.defaultRealm}`;
  const found = (await call('GET', `${here}/users?username=none&exact=true`)).json as unknown as { id: string }[];
  const id = found[0]?.id;
  const groupsOf = async () =>
    ((await call('GET', `${here}/users/${id}/groups`)).json as unknown as { id: string }[]).map((group) => group.id);
  return { host, call, here, groupsOf, membership: `${here}/users/${id}/groups`, name: host.defaultRealm };
}

test('T570 · group paths: a member of one of two groups with one path is in that group alone, and has its roles alone', async (t) => {
  const { host, call, here, groupsOf, membership, name } = await scene();
  t.deepEqual(await rolesOf(host, 'child'), ['of-child'], 'as Keycloak finds the path');
  t.is((await call('PUT', `${membership}/${name}-top`)).status, 204);
  t.deepEqual(await rolesOf(host, 'none'), ['of-top']);
  t.deepEqual(await groupsOf(), [`${name}-top`]);
  t.deepEqual((await tokenOf(host, 'none')).groups, ['a/b'], 'and not the name of the other');
  t.deepEqual((await tokenOf(host, 'child')).groups, ['b']);
  const members = async (id: string) =>
    ((await call('GET', `${here}/groups/${id}/members`)).json as unknown as { username: string }[]).map(
      ({ username }) => username,
    );
  t.deepEqual([await members(`${name}-top`), await members(`${name}-child`)], [['none'], ['child']]);
  t.is((await call('PUT', `${membership}/${name}-child`)).status, 204);
  t.is((await call('DELETE', `${membership}/${name}-top`)).status, 204);
  t.deepEqual(await rolesOf(host, 'none'), ['of-child']);
});

test('T571 · group paths: a group that is renamed or removed takes no members of another along that has its path', async (t) => {
  const { host, call, here, groupsOf, membership, name } = await scene();
  await call('PUT', `${membership}/${name}-top`);
  t.is((await call('PUT', `${here}/groups/${name}-a`, { name: 'c' })).status, 204);
  t.deepEqual([await rolesOf(host, 'none'), await rolesOf(host, 'child')], [['of-top'], ['of-child']]);
  t.is((await call('PUT', `${here}/groups/${name}-a`, { name: 'a' })).status, 204);
  t.is((await call('DELETE', `${here}/groups/${name}-a`)).status, 204);
  t.deepEqual([await rolesOf(host, 'none'), await rolesOf(host, 'child')], [['of-top'], []]);
  t.deepEqual(await groupsOf(), [`${name}-top`]);
});

test('T572 · group paths: no group name makes it appear at another group’s path', async (t) => {
  const { host, call, here, name } = await scene();
  const names = ['a~', 'a~/b', 'a~~', '/a', 'a/', '~/b', 'a~/', 'b'];
  for (const one of names) t.is((await call('POST', `${here}/groups`, { name: one })).status, 201, one);
  const all = (await call('GET', `${here}/groups?max=100`)).json as unknown as { id: string; name: string }[];
  t.is(all.length, names.length + 2);
  for (const { id } of all) {
    const { status } = await call('POST', `${here}/groups/${id}/children`, { name: 'b' });
    t.is(status, id === `${name}-a` ? 409 : 201);
  }
  t.deepEqual(await rolesOf(host, 'child'), ['of-child']);
  t.is((await host.realms.get(host.defaultRealm))?.groups.size, 2 * (names.length + 2));
});

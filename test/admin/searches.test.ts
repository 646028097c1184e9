import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';
import { LOOSER_SEARCHES, SEARCHES, USER_SEARCHES } from './searches.js';

const shared = shareHost(test, administered({ realms: [] }));

const THINGS: Readonly<Record<string, Record<string, string[]>>> = {
  u1: { a: ['x'], 'two words': ['v w'] },
  u2: { a: ['x', 'y'], b: ['1'] },
  u3: { a: ['xy'] },
  u4: { a: ['X'] },
  u5: { 'q"t': ['z'], e: [''] },
  u6: { a: ['say "hi"'], 'c:d': ['k:v'] },
  u7: { b: ['1'], a: ['back\\slash'] },
  u8: { A: ['x'] },
  u9: { n: ['*'] },
};
const NAMES = Object.keys(THINGS);
const MINE = /^u\d$/;

test('search parameter q: it finds what it finds in Keycloak', async (t) => {
  const { host } = await ownRealm(shared(), {
    clients: [],
    users: NAMES.map((username) => ({
      username,
      enabled: true,
      email: `${username}@x.test`,
      firstName: `F${username}`,
      lastName: 'L',
      attributes: THINGS[username] ?? {},
    })),
    groups: NAMES.map((name) => ({ name, attributes: THINGS[name] ?? {} })),
    roles: {},
  });
  const call = await adminCaller(host);
  const found = async (path: string, key: string) => {
    const answer = await call('GET', `/realms/${host.defaultRealm}/${path}`);
    t.is(answer.status, 200, answer.text);
    const names = (answer.json as unknown as Record<string, string>[]).map((one) => one[key] ?? '');
    return names
      .filter((name) => MINE.test(name))
      .sort()
      .join(' ');
  };
  const expected = (names: string) => (names === 'all' ? NAMES.join(' ') : names);
  const looser = new Set(LOOSER_SEARCHES.map(([q]) => q));
  for (const [q, users, groups] of SEARCHES) {
    if (looser.has(q)) continue;
    const query = new URLSearchParams({ q });
    t.is(await found(`users?${query}`, 'username'), expected(users), `users ${q}`);
    t.is(await found(`groups?${query}`, 'name'), expected(groups), `groups ${q}`);
  }
  for (const [q, names, why] of LOOSER_SEARCHES) {
    const query = new URLSearchParams({ q });
    t.is(await found(`users?${query}`, 'username'), names, why);
    t.is(await found(`groups?${query}`, 'name'), names, why);
  }
  for (const [query, users] of USER_SEARCHES) t.is(await found(`users?${query}`, 'username'), expected(users), query);
  const odd = await call('GET', `/realms/${host.defaultRealm}/users?q=enabled:maybe`);
  t.is(odd.status, 400, odd.text);
});

test('search parameter q: it finds clients by any attribute; Keycloak requires these in its configuration', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  for (const [clientId, attributes] of [
    ['c1', { a: 'x', 'two words': 'v w' }],
    ['c2', { a: 'say "hi"' }],
  ] as const)
    t.is((await call('POST', `/realms/${host.defaultRealm}/clients`, { clientId, attributes })).status, 201);
  for (const [q, found] of [
    ['a:x', 'c1'],
    ['"two words":"v w" a:x', 'c1'],
    ['a:"say \\"hi\\""', 'c2'],
    ['a:X', ''],
  ] as const) {
    const answer = await call('GET', `/realms/${host.defaultRealm}/clients?${new URLSearchParams({ q })}`);
    t.is((answer.json as unknown as { clientId: string }[]).map(({ clientId }) => clientId).join(' '), found, q);
  }
});

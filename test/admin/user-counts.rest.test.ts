import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';

/** Large enough for an estimate: twice the number up to which users are counted exactly. */
const CROWD = 20_100;

test('user counts: a count of more than ten thousand users may be an estimate, and its header says so', async (t) => {
  t.timeout(300_000);
  const host = await startAdministered(t, { realms: [] });
  const call = await adminCaller(host);
  const users = Array.from({ length: CROWD }, (_, n) => ({
    username: `user${n}`,
    enabled: true,
    firstName: 'Crowd',
    lastName: n < 9999 ? 'Nearly' : 'Others',
  }));
  t.is((await call('POST', '/realms', { realm: 'large', enabled: true, users })).status, 201);
  const counted = async (query: string) => {
    const { text, headers } = await call('GET', `/realms/large/users/count${query}`);
    return { count: Number(text), header: headers.get('keyhost-count') };
  };
  for (const [query, count] of [
    ['?search=nearly', 9999],
    ['?search=user77', 111],
    ['?lastName=nearly', 9999],
    ['?search=nobody', 0],
  ] as const) {
    t.deepEqual(await counted(query), { count, header: null }, query);
  }
  for (const query of ['?search=crowd', '?search=*rowd*', '?firstName=crowd']) {
    const { count, header } = await counted(query);
    t.is(header, 'estimated', query);
    t.true(count > 10_000 && Math.abs(count / CROWD - 1) < 0.1, `${query}: ${count}`);
  }
});

import test, { type ExecutionContext } from 'ava';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import { TestClock } from '../helpers/host.js';
import { follow, issueKey } from '../helpers/login.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';

const NOTIFICATION = 'external-app-notification';
const CLAIMS = { 'app-id': '42' };
const LIST = '/realms/demo/action-tokens';

interface ListOf {
  readonly actionTokens: readonly { readonly id: string; readonly type: string; readonly username: string }[];
  readonly next?: string;
}

async function scene(t: ExecutionContext) {
  const clock = new TestClock();
  const realm = testRealm('demo', {
    actionTokenPolicy: {
      [NOTIFICATION]: { mint: true, maxLifespan: 600 },
      'reset-credentials': { mint: true },
      'verify-email': {},
    },
  });
  const users = [
    ...(realm.users ?? []),
    administrator('viewer', 'view-users'),
    administrator('watcher', 'view-events', 'view-realm', 'query-users'),
  ];
  const host = await startAdministered(t, { realms: [{ ...realm, users }], clock });
  const call = await adminCaller(host);
  const mint = async (userId: string, body: object) => {
    clock.forward(1);
    const minted = await call('POST', `/realms/demo/users/${userId}/action-tokens`, body);
    t.is(minted.status, 201, minted.text);
    return minted.json as unknown as { id: string; token: string };
  };
  const list = async (query = '') => {
    const answer = await call('GET', `${LIST}${query}`);
    t.is(answer.status, 200, answer.text);
    return answer.json as unknown as ListOf;
  };
  const ids = async (query = '') => (await list(query)).actionTokens.map(({ id }) => id);
  const who = (username: string) => adminCaller(host, { realm: 'demo', username, password: username });
  return { host, clock, call, mint, list, ids, who };
}

test('Admin API, issued links: issued links are listed newest first, by type, user and client, page by page', async (t) => {
  const { call, mint, list, ids } = await scene(t);
  const notification = { type: NOTIFICATION, claims: CLAIMS };
  const a = await mint(ALICE, { ...notification, clientId: 'web', lifespan: 60 });
  const b = await mint(DAVE, notification);
  const c = await mint(ALICE, { type: 'reset-credentials' });
  const { actionTokens, next } = await list();
  t.deepEqual(
    actionTokens.map(({ id, type, username }) => [id, type, username]),
    [
      [c.id, 'reset-credentials', 'alice'],
      [b.id, NOTIFICATION, 'dave'],
      [a.id, NOTIFICATION, 'alice'],
    ],
  );
  t.is(next, undefined);
  t.deepEqual(Object.keys(actionTokens[2] ?? {}).sort(), [
    'clientId',
    'expiresAt',
    'id',
    'issuedAt',
    'type',
    'userId',
    'username',
  ]);
  t.deepEqual(await ids(`?type=${NOTIFICATION}`), [b.id, a.id]);
  t.deepEqual(await ids(`?userId=${ALICE}`), [c.id, a.id]);
  t.deepEqual(await ids('?clientId=web'), [a.id]);
  t.deepEqual(await ids(`?clientId=web&userId=${DAVE}`), []);
  t.deepEqual(await ids('?type=nothing%00'), []);

  const first = await list('?max=2');
  t.deepEqual(
    first.actionTokens.map(({ id }) => id),
    [c.id, b.id],
  );
  // A token that is issued between two pages does not change their content.
  const d = await mint(DAVE, notification);
  const second = await list(`?max=2&after=${first.next}`);
  t.deepEqual(
    second.actionTokens.map(({ id }) => id),
    [a.id],
  );
  t.is(second.next, undefined);
  t.is((await ids('?max=-1')).length, 4);
  for (const after of ['x', '1', '1.', `${'9'.repeat(16)}.a`])
    t.is((await call('GET', `${LIST}?after=${after}`)).status, 400, after);

  t.is((await call('DELETE', `/realms/demo/users/${DAVE}/action-tokens/${d.id}`)).status, 204);
  t.deepEqual(await ids(), [c.id, b.id, a.id], 'what is revoked is out no more');
  await call('DELETE', `/realms/demo/users/${ALICE}/action-tokens`);
  const left = await list('?max=1');
  t.deepEqual([left.actionTokens, typeof left.next], [[], 'string'], 'a page of dead links leads on to the next');
  t.deepEqual(await ids(`?max=1&after=${left.next}`), [b.id]);
});

test('Admin API, issued links: the types show what an admin may issue, for how long, with which claims, and whose they are', async (t) => {
  const { host, call } = await scene(t);
  const { text } = await call('GET', '/realms/demo/action-token-types');
  const types = JSON.parse(text) as readonly (Record<string, unknown> & { id: string })[];
  t.deepEqual(
    types.map(({ id }) => id),
    [...types.map(({ id }) => id)].sort(),
  );
  const one = (id: string) => types.find((type) => type.id === id);
  t.like(one(NOTIFICATION), {
    isMintable: true,
    isListed: true,
    lifespan: 600,
    maxLifespan: 600,
    claims: { type: 'object', required: ['app-id'] },
    plugin: { name: '@keyhost/external-app-notification', builtIn: false },
  });
  t.like(one('reset-credentials'), {
    displayName: 'Forgotten password',
    isMintable: true,
    maxLifespan: 43_200,
    plugin: { builtIn: true },
  });
  t.like(one('verify-email'), { isMintable: false, isListed: true });
  t.like(one('execute-actions'), { isMintable: false, isListed: false });
  // Claims that the host fills in itself are not part of the schema.
  const asked = one('execute-actions')?.claims;
  t.like(asked, { properties: { rqac: { type: 'array' } }, required: ['rqac'], additionalProperties: false });
  t.notRegex(JSON.stringify(asked), /eml|reduri/);
  await call('PUT', `/realms/demo/providers/action-token-handler/${NOTIFICATION}`, { enabled: false });
  const now = JSON.parse((await call('GET', '/realms/demo/action-token-types')).text) as readonly { id: string }[];
  t.false(
    now.some(({ id }) => id === NOTIFICATION),
    'one that is off handles nothing',
  );
  t.is((await follow(host, 'x')).status, 400);
});

test('Admin API, issued links: a caller who may not see users sees no links, and nobody sees a token', async (t) => {
  const { host, mint, who } = await scene(t);
  await mint(DAVE, { type: NOTIFICATION, claims: CLAIMS });
  const key = await issueKey(host);
  const viewer = await who('viewer');
  const watcher = await who('watcher');
  const seen = await viewer('GET', LIST);
  t.is(seen.status, 200);
  t.false(seen.text.includes(key.split('.')[2] ?? key) || seen.text.includes('eyJ'));
  t.is((await viewer('GET', '/realms/demo/action-token-types')).status, 200);
  t.is((await viewer('GET', '/realms/master/action-tokens')).status, 403);
  for (const path of [LIST, '/realms/demo/action-token-types']) t.is((await watcher('GET', path)).status, 403, path);
});

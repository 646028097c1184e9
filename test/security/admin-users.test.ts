import test from 'ava';
import { adminCaller, ROOT } from '../helpers/admin.js';
import { fetchAnswer, TestClock } from '../helpers/host.js';
import { follow, issueKey, logIn } from '../helpers/login.js';
import { ALICE, guardedRealm, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const SECRET = /secretData|credentialData|salt|s3cret|privateKey|argon2/;
const clock = new TestClock();
const demo = testRealm('demo');
const person = (username: string, roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'p' }],
  clientRoles: { 'realm-management': roles },
});
const host = shareHost(test, {
  realms: [
    { ...demo, users: [...(demo.users ?? []), person('viewer', ['view-users']), person('manager', ['manage-users'])] },
    testRealm('other'),
    guardedRealm('links'),
  ],
  argv: ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password],
  clock,
});
const as = (username: string, password: string, realm = 'demo') => adminCaller(host(), { realm, username, password });

test.serial(
  'T180 · Admin API, users: users are visible only with a valid token of an admin of the realm',
  async (t) => {
    const url = `${host().url}/admin/realms/demo/users`;
    const ask = async (token: string | undefined) => {
      const answer = await fetchAnswer(
        url,
        token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
      );
      t.regex(answer.headers.get('content-type') ?? '', /^application\/json/);
      t.notRegex(answer.text, /alice/);
      return answer.status;
    };
    t.is(await ask(undefined), 401);
    const foreign = await as('dave', 'Dave-pass-1!', 'other');
    t.is((await foreign('GET', '/realms/demo/users')).status, 403);
    const alice = await logIn(host(), { client_id: 'admin-cli', client_secret: '' });
    t.is(await ask(alice.access_token), 403);
    const admin = { client_id: 'admin-cli', client_secret: '', username: 'dave', password: 'Dave-pass-1!' };
    const dave = await logIn(host(), admin);
    for (const token of [dave.refresh_token, dave.id_token, 'x', `${dave.access_token}x`]) t.is(await ask(token), 401);
    clock.forward(301);
    t.is(await ask(dave.access_token), 401);
  },
);

test.serial('T181 · Admin API, users: an admin reaches no user of another realm by an ID', async (t) => {
  const dave = await as('dave', 'Dave-pass-1!');
  const id = `${ALICE}-other`;
  const before = await host().store.users.byId('other', id);
  const requests: [string, string, unknown?][] = [
    ['GET', ''],
    ['PUT', '', { enabled: false }],
    ['DELETE', ''],
    ['PUT', '/reset-password', { value: 'x' }],
    ['POST', '/logout'],
    ['GET', '/credentials'],
    ['GET', '/role-mappings'],
    ['POST', '/impersonation', {}],
  ];
  for (const [method, path, body] of requests) {
    const { status, text } = await dave(method, `/realms/demo/users/${id}${path}`, body);
    t.deepEqual([status, text], [404, '{"error":"User not found"}'], `${method} ${path}`);
    t.is((await dave(method, `/realms/other/users/${id}${path}`, body)).status, 403, `${method} ${path}`);
  }
  const found = await dave('GET', `/realms/demo/users?search=id:${id}`);
  t.is(found.text, '[]');
  const team = (await host().store.realms.get('other'))?.representation.groups?.[0]?.id;
  t.is((await dave('PUT', `/realms/demo/users/${ALICE}/groups/${team}`)).status, 404);
  t.is((await dave('DELETE', `/realms/demo/groups/${team}`)).status, 404);
  const [session] = await host().store.sessions.list('other', {});
  t.is((await dave('DELETE', `/realms/demo/sessions/${session?.id ?? 'none'}`)).status, 404);
  t.deepEqual(await host().store.users.byId('other', id), before);
});

test.serial('T183 · Admin API, users: view-users sees no hash and no secret', async (t) => {
  const viewer = await as('viewer', 'p');
  for (const path of ['/users', `/users/${ALICE}`, `/users/${ALICE}/role-mappings`, '/groups']) {
    const { status, text } = await viewer('GET', `/realms/demo${path}`);
    t.is(status, 200, path);
    t.notRegex(text, SECRET, path);
  }
  const credentials = await viewer('GET', `/realms/demo/users/${ALICE}/credentials`);
  t.notRegex(credentials.text, /secretData|salt/);
  t.regex(credentials.text, /"type":"password"/);
});

test.serial('T184 · Admin API, users: a body changes permitted members and nothing else', async (t) => {
  const manager = await as('manager', 'p');
  const greedy = {
    username: 'greedy',
    enabled: true,
    id: ALICE,
    createdTimestamp: 1,
    notBefore: 5,
    realmRoles: ['admin', 'staff'],
    clientRoles: { 'realm-management': ['realm-admin'] },
    serviceAccountClientId: 'nl',
    federationLink: 'x',
    access: { manage: true },
    attributes: { ok: ['1'], username: ['alice'], constructor: ['c'] },
  };
  const body = JSON.stringify(greedy);
  for (const polluted of [
    body.replace(/}$/, ',"__proto__":{"isAdmin":true,"enabled":true}}'),
    body.replace('"ok"', '"__proto__":["p"],"ok"'),
  ]) {
    t.is((await manager('POST', '/realms/demo/users', polluted)).status, 400);
  }
  for (const unknown of [{ realm: 'other' }, { version: 9 }, { isAdmin: true }, { linksNotBefore: 1 }]) {
    const refused = await manager('POST', '/realms/demo/users', { ...greedy, ...unknown });
    t.deepEqual([refused.status, /Unrecognized field/.test(refused.text)], [400, true], refused.text);
  }
  const answer = await manager('POST', '/realms/demo/users', body);
  t.is(answer.status, 201, answer.text);
  const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
  t.not(id, ALICE);
  const stored = (await host().store.users.byId('demo', id))?.representation;
  t.deepEqual(Object.keys(stored ?? {}).sort(), [
    'attributes',
    'createdTimestamp',
    'enabled',
    'groups',
    'id',
    'realmRoles',
    'username',
  ]);
  t.like(stored, { id, realmRoles: ['default-roles-demo'], createdTimestamp: clock.now() });
  t.deepEqual(stored?.attributes, { ok: ['1'], constructor: ['c'] });
  t.is((await manager('PUT', `/realms/demo/users/${id}`, { ...greedy, id: `${ALICE}-other` })).status, 204);
  const after = (await host().store.users.byId('demo', id))?.representation;
  t.deepEqual(after, { ...stored, attributes: after?.attributes ?? {} } as typeof after);
  t.false('isAdmin' in {});
  t.is(await host().store.users.byId('other', id), undefined);
});

test.serial('T188 · Admin API, users: pages and searches are bounded, whatever is asked for', async (t) => {
  const dave = await as('dave', 'Dave-pass-1!');
  const all = JSON.parse((await dave('GET', '/realms/demo/users')).text).length;
  const long = 'x'.repeat(10_000);
  const asked: [string, number, number?][] = [
    ['max=-1', 200, all],
    ['max=1000000000', 200, all],
    ['first=2000000000', 200, 0],
    ['first=-5&max=1', 200, 1],
    ['first=abc', 400],
    ['max=1.5', 400],
    ['max=99999999999', 400],
    ['max=1&max=2', 400],
    ['enabled=perhaps', 400],
    ['search=%25', 200, 0],
    [`search=${encodeURIComponent("' or 1=1--")}`, 200, 0],
    [`search=${encodeURIComponent('\u0000')}`, 200, 0],
    [`search=${long}`, 400],
    [`search=${'a+'.repeat(500)}`, 400],
    [`search=${'*a'.repeat(500)}`, 200, 0],
    [`q=${'a:b+'.repeat(100)}`, 400],
    ['sort=__proto__', 200, all],
    ['q=__proto__:x', 200, 0],
    ['idpUserId=1', 400],
  ];
  for (const [query, status, entries] of asked) {
    const answer = await dave('GET', `/realms/demo/users?${query}`);
    t.is(answer.status, status, `${query.slice(0, 40)} ${answer.text.slice(0, 200)}`);
    if (entries !== undefined) t.is(JSON.parse(answer.text).length, entries, query.slice(0, 40));
  }
  for (const path of ['groups', `users/${ALICE}/groups`, `users/${ALICE}/sessions`]) {
    t.is((await dave('GET', `/realms/demo/${path}?max=1000000000&first=-1`)).status, 200, path);
    t.is((await dave('GET', `/realms/demo/${path}?max=many`)).status, 400, path);
  }
});

test.serial(
  'T197 · Admin API, users: no username is another user’s address, and no address another user’s name',
  async (t) => {
    const dave = await as('dave', 'Dave-pass-1!');
    const create = (user: object) => dave('POST', '/realms/demo/users', { enabled: true, ...user });
    const taken = await create({ username: 'Alice@Example.test' });
    t.deepEqual([taken.status, taken.json.errorMessage], [409, 'User exists with same username']);
    t.is((await create({ username: 'named@b.test', email: 'named@b.test' })).status, 201);
    const other = await create({ username: 'other', email: 'named@b.test' });
    t.deepEqual([other.status, other.json.errorMessage], [409, 'User exists with same email']);
  },
);

test.serial(
  'T194 T196 T287 · Admin API, users: a link dies with a new password, a new address and a logout, and later links live',
  async (t) => {
    const root = await adminCaller(host());
    const alice = `/realms/links/users/${ALICE}-links`;
    const endings: [string, string, unknown?][] = [
      ['PUT', `${alice}/reset-password`, { value: 'another' }],
      ['PUT', alice, { credentials: [{ type: 'password', value: 'another 2' }] }],
      ['PUT', alice, { email: 'new@example.test' }],
      ['POST', `${alice}/logout`],
    ];
    for (const [method, path, body] of endings) {
      const key = await issueKey(host(), 'links');
      t.is((await follow(host(), key, {}, 'links')).status, 200);
      // Within the same second: links contain the millisecond.
      clock.forward(0.001);
      t.is((await root(method, path, body)).status, 204, path);
      const dead = await follow(host(), key, { accept: 'text/html' }, 'links');
      t.is(dead.status, 400, path);
      t.regex(dead.headers.get('content-type') ?? '', /text\/html/);
      clock.forward(0.001);
      t.is((await follow(host(), await issueKey(host(), 'links'), {}, 'links')).status, 200, path);
    }
    const key = await issueKey(host(), 'links');
    t.is((await root('PUT', alice, { firstName: 'A', email: 'NEW@example.test' })).status, 204);
    t.is((await follow(host(), key, {}, 'links')).status, 200, 'what changes nothing of that ends no link');
    t.is((await root('POST', '/realms/links/logout-all')).status, 200);
    t.is((await follow(host(), key, {}, 'links')).status, 400);
    clock.forward(1);
    t.is((await follow(host(), await issueKey(host(), 'links'), {}, 'links')).status, 200);
  },
);

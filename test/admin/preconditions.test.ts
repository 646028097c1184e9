import test from 'ava';
import { adminCaller, adminClient, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { ALICE, idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEPT = { adminEventsEnabled: true };
const match = (tag: string | null) => ({ 'if-match': tag ?? '' });

/** A realm of its own with one resource of each type that has a tag: its path and a change of it. */
async function scene(changes: object = KEPT) {
  const { host } = await ownRealm(shared(), (realm) => ({
    ...changes,
    users: [...(realm.users ?? []), administrator('keeper', 'manage-users'), administrator('other', 'realm-admin')],
  }));
  const base = `/realms/${host.defaultRealm}`;
  const call = await adminCaller(host);
  const web = await clientUuid(host, 'web');
  const group = ((await call('GET', `${base}/groups`)).json as unknown as { id: string }[])[0]?.id;
  const role = (await call('GET', `${base}/roles/staff`)).json;
  const made = await call('POST', `${base}/authentication/flows/browser/copy`, { newName: 'mine' });
  const flow = made.headers.get('location')?.split('/').pop();
  const [step] = (await call('GET', `${base}/authentication/flows/mine/executions`)).json as unknown as object[];
  const providers = `${base}/identity-provider/instances`;
  const config = { clientId: 'x', authorizationUrl: 'https://idp.test/auth', tokenUrl: 'https://idp.test/token' };
  const provider = { alias: 'idp', providerId: 'oidc', config };
  await call('POST', providers, provider);
  const claim = { name: 'a claim', identityProviderMapper: 'oidc-user-attribute-idp-mapper' };
  const copies = await call('POST', `${providers}/idp/mappers`, claim);
  const paint = { name: 'paint', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' };
  const mappers = `/clients/${web}/protocol-mappers/models`;
  const painted = await call('POST', base + mappers, paint);
  const idOf = ({ headers }: { headers: Headers }) => headers.get('location')?.split('/').pop();
  const things: readonly [path: string, change: object, how?: [method: string, path: string]][] = [
    ['', { displayName: 'changed' }],
    [`/clients/${web}`, { description: 'changed' }],
    [`/users/${idIn(host.defaultRealm, ALICE)}`, { firstName: 'changed' }],
    ['/roles/staff', { description: 'changed' }],
    [`/roles-by-id/${role.id}`, { description: 'changed too' }],
    [`/clients/${web}/roles/editor`, { description: 'changed' }],
    [`/groups/${group}`, { name: 'team', description: 'changed' }],
    ['/providers/action-token-handler/external-app-notification', { enabled: false }],
    [`/authentication/flows/${flow}`, { description: 'changed' }],
    ['/authentication/flows/mine/executions', { ...step, requirement: 'DISABLED' }],
    ['/identity-provider/instances/idp', { ...provider, displayName: 'changed' }],
    [`/identity-provider/instances/idp/mappers/${idOf(copies)}`, { ...claim, config: { claim: 'changed' } }],
    [`${mappers}/${idOf(painted)}`, { ...paint, config: { 'claim.value': 'changed' } }],
    // A change of a subresource changes the resource.
    [`/clients/${web}`, {}, ['POST', `/clients/${web}/client-secret`]],
    [`/groups/${group}`, { name: 'another' }, ['POST', `/groups/${group}/children`]],
  ];
  return { host, call, base, things, web };
}

test('If-Match: a response has a tag, and a change names it: a second editor gets 412', async (t) => {
  const { call, base, things } = await scene();
  for (const [path, change, [method, at] = ['PUT', path]] of things) {
    const read = await call('GET', base + path);
    const tag = read.headers.get('etag');
    t.regex(tag ?? '', /^"[\w-]{32}"$/, path);
    t.is((await call('GET', base + path)).headers.get('etag'), tag, `${path} is stable`);
    t.is((await call('HEAD', base + path)).headers.get('etag'), tag);
    const first = await call(method, base + at, change, match(tag));
    t.true(first.status < 300, `${path} ${first.text}`);
    const second = await call(method, base + at, change, match(tag));
    t.is(second.status, 412, path);
    const now = (await call('GET', base + path)).headers.get('etag');
    t.not(now, tag, `${path} has another one`);
    t.like(second.json, { error: 'precondition_failed', etag: now });
    t.regex(String(second.json.error_description), /Changed since you read it/);
    const again = at.endsWith('/children') ? { name: 'one more' } : change;
    t.true((await call(method, base + at, again, match(`"other", ${now}`))).status < 300, path);
    const last = at.endsWith('/children') ? { name: 'the last' } : change;
    t.true((await call(method, base + at, last)).status < 300, 'who says nothing is not asked');
  }
});

test('If-Match: the second editor learns who changed what, if the realm stores that and the editor may see it', async (t) => {
  const { host, call, base, web } = await scene();
  const path = `${base}/clients/${web}`;
  const tag = (await call('GET', path)).headers.get('etag');
  const other = await adminCaller(host, { realm: host.defaultRealm, username: 'other', password: 'other' });
  t.is((await other('PUT', path, { description: 'theirs' })).status, 204);
  const { changed } = (await call('PUT', path, { description: 'mine' }, match(tag))).json as { changed?: object };
  t.like(changed, { operationType: 'UPDATE', resourcePath: `clients/${web}`, username: 'other' });
  t.deepEqual(Object.keys(changed ?? {}).sort(), [
    'clientId',
    'operationType',
    'resourcePath',
    'time',
    'userId',
    'username',
  ]);
  await call('PUT', path, { description: 'by root' });
  const theirs = (await other('PUT', path, {}, match(tag))).json as { changed?: object };
  t.like(theirs.changed, { operationType: 'UPDATE', resourcePath: `clients/${web}` });
  t.false('username' in (theirs.changed ?? {}), 'whose name it is in master is not theirs to know');
  const user = `${base}/users/${idIn(host.defaultRealm, ALICE)}`;
  await call('PUT', user, { lastName: 'x' });
  const keeper = await adminCaller(host, { realm: host.defaultRealm, username: 'keeper', password: 'keeper' });
  const refused = await keeper('PUT', user, { lastName: 'y' }, match('"old"'));
  t.is(refused.status, 412);
  t.false('changed' in refused.json, 'events are for who may view them');
  t.true('etag' in refused.json);
  const { call: silent, base: without } = await scene({ adminEventsEnabled: false });
  await silent('PUT', without, { displayName: 'x' });
  const untold = await silent('PUT', without, { displayName: 'y' }, match('"old"'));
  t.is(untold.status, 412);
  t.false('changed' in untold.json);
});

test('If-Match: a refused change has no effect and no event', async (t) => {
  const { host, call, base } = await scene();
  const user = `${base}/users/${idIn(host.defaultRealm, ALICE)}`;
  const events = async () => (await call('GET', `${base}/admin-events`)).text;
  const before = [(await call('GET', user)).text, await events()];
  t.is(
    (await call('PUT', user, { firstName: 'Mallory', credentials: [{ type: 'password', value: 'x' }] }, match('"old"')))
      .status,
    412,
  );
  t.is((await call('DELETE', user, undefined, match('"old"'))).status, 412);
  t.is((await call('DELETE', base, undefined, match('"old"'))).status, 412);
  t.deepEqual([(await call('GET', user)).text, await events()], before);
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host.token(host.defaultRealm, form)).status, 200);
});

test('If-Match: an object is removed in the version that the caller saw', async (t) => {
  const { call, base, host } = await scene();
  await call('POST', `${base}/roles`, { name: 'a role' });
  const removable = [
    `/users/${idIn(host.defaultRealm, ALICE)}`,
    '/roles/a%20role',
    `/clients/${await clientUuid(host, 'web2')}`,
    '',
  ];
  for (const path of removable) {
    const tag = (await call('GET', base + path)).headers.get('etag');
    t.is((await call('DELETE', base + path, undefined, match('"old"'))).status, 412, path);
    t.is((await call('DELETE', base + path, undefined, match(tag))).status, 204, path);
    t.is((await call('DELETE', base + path, undefined, match(tag))).status, 404, path);
  }
});

test('If-Match: * matches an existing object, and an invalid tag is refused', async (t) => {
  const { call, base } = await scene();
  t.is((await call('PUT', `${base}/roles/staff`, { description: 'x' }, match('*'))).status, 204);
  t.is((await call('PUT', `${base}/roles/nobody`, { description: 'x' }, match('*'))).status, 404);
  const tag = (await call('GET', base)).headers.get('etag') ?? '';
  t.is((await call('PUT', base, {}, match(`W/${tag}`))).status, 412, 'a weak one is not enough');
  for (const wrong of ['abc', '"abc', 'w/"abc"', '"a" "b"', '"a",', '*, "a"', ',']) {
    const answer = await call('PUT', base, {}, match(wrong));
    t.is(answer.status, 400, wrong);
    t.regex(answer.text, /If-Match: must be an ETag in double quotes/);
  }
  const unread = await call('POST', `${base}/roles`, { name: 'new' }, match('*'));
  t.is(unread.status, 400);
  t.regex(unread.text, /If-Match: this path has no ETag/);
  t.is((await call('GET', `${base}/roles/new`)).status, 404);
});

test('If-Match: a caller who has the current version gets 304', async (t) => {
  const { call, base, things } = await scene();
  for (const [path, , how] of things) {
    if (how !== undefined) continue;
    const tag = (await call('GET', base + path)).headers.get('etag') ?? '';
    const again = await call('GET', base + path, undefined, { 'if-none-match': `"other", W/${tag}` });
    // The calls and health of a provider change meanwhile.
    t.is(again.status, path.startsWith('/providers') ? 200 : 304, path);
    if (again.status === 304) t.deepEqual([again.text, again.headers.get('etag')], ['', tag]);
    t.is((await call('GET', base + path, undefined, { 'if-none-match': '"other"' })).status, 200);
  }
  t.is((await call('GET', base, undefined, { 'if-none-match': 'other' })).status, 400);
  t.is((await call('GET', `${base}/users`)).headers.get('etag'), null, 'lists have none');
});

test('If-Match: a user has the same tag with and without the form', async (t) => {
  const { call, base, host } = await scene();
  const path = `${base}/users/${idIn(host.defaultRealm, ALICE)}`;
  const tag = (await call('GET', path)).headers.get('etag') ?? '';
  const form = await call('GET', `${path}?userProfileMetadata=true`, undefined, { 'if-none-match': tag });
  t.deepEqual([form.status, form.headers.get('etag')], [200, tag]);
});

test('If-Match: of many parallel changes of one object exactly one succeeds', async (t) => {
  const { call, base, things } = await scene();
  for (const [path, change, [method, at] = ['PUT', path]] of things.filter(([, , how]) => how === undefined)) {
    const tag = (await call('GET', base + path)).headers.get('etag');
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(method, base + at, change, match(tag))));
    const statuses = answers.map(({ status }) => status);
    t.is(statuses.filter((status) => status < 300).length, 1, `${path} ${statuses}`);
    t.is(statuses.filter((status) => status === 412).length, 11, `${path} ${statuses}`);
  }
});

test('If-Match: of many parallel changes at several nodes exactly one succeeds', async (t) => {
  const { nodes } = await startNodes(t, administered({ realms: [testRealm('demo')] }));
  const [one, other] = await Promise.all(nodes.map((node) => adminCaller(node)));
  if (one === undefined || other === undefined) throw new Error('two nodes are needed');
  for (const path of ['', '/roles/staff', `/users/${ALICE}`]) {
    for (let round = 0; round < 5; round += 1) {
      // A node's reads may be slightly stale, but its checks are not.
      const tag = String((await one('PUT', `/realms/demo${path}`, {}, match('"old"'))).json.etag);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const text = `${round} ${index}`;
          const body = { '': { displayName: text }, '/roles/staff': { description: text } }[path] ?? {
            firstName: text,
          };
          return (index % 2 === 0 ? one : other)('PUT', `/realms/demo${path}`, body, match(tag));
        }),
      );
      const statuses = answers.map(({ status }) => status);
      t.is(statuses.filter((status) => status === 204).length, 1, `${path} ${statuses}`);
      t.is(statuses.filter((status) => status === 412).length, 11, `${path} ${statuses}`);
    }
  }
});

test('If-Match: Keycloak’s admin client sees no difference', async (t) => {
  const { host } = await ownRealm(shared(), KEPT);
  const admin = await adminClient(host);
  admin.setConfig({ realmName: host.defaultRealm });
  const id = await clientUuid(host, 'web');
  const client = await admin.clients.findOne({ id });
  await admin.clients.update({ id }, { ...client, description: 'one' });
  await admin.clients.update({ id }, { ...client, description: 'two' });
  t.is((await admin.clients.findOne({ id }))?.description, 'two');
  const [alice] = await admin.users.find({ username: 'alice' });
  await admin.users.update({ id: alice?.id ?? '' }, { ...alice, firstName: 'one' });
  await admin.users.update({ id: alice?.id ?? '' }, { ...alice, firstName: 'two' });
  t.is((await admin.users.findOne({ id: alice?.id ?? '' }))?.firstName, 'two');
  await admin.users.del({ id: alice?.id ?? '' });
  await admin.realms.update({ realm: host.defaultRealm }, { displayName: 'two' });
  await admin.realms.del({ realm: host.defaultRealm });
  t.pass();
});

test('If-Match: a page of another origin may send and read tags, and the OpenAPI document describes them', async (t) => {
  const { host } = await ownRealm(shared());
  const url = `${host.url}/admin/realms/${host.defaultRealm}`;
  const origin = 'https://desk.test';
  const preflight = await fetchAnswer(url, { method: 'OPTIONS', headers: { origin } });
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /If-Match, If-None-Match/);
  const call = await adminCaller(host);
  const [cli] = (await call('GET', '/realms/master/clients?clientId=admin-cli')).json as unknown as [{ id: string }];
  await call('PUT', `/realms/master/clients/${cli.id}`, { webOrigins: [origin] });
  const read = await call('GET', `/realms/${host.defaultRealm}`, undefined, { origin });
  t.regex(read.headers.get('access-control-expose-headers') ?? '', /\bETag\b/);
  const { paths } = (await fetchAnswer(`${host.url}/admin/openapi.json`)).json as unknown as {
    paths: Record<string, Record<string, { parameters?: { name: string }[]; responses: Record<string, object> }>>;
  };
  const headers = (path: string, method: string) => paths[path]?.[method]?.parameters?.map(({ name }) => name) ?? [];
  for (const [path, method, header, status] of [
    ['/realms/{realm}', 'get', 'If-None-Match', 304],
    ['/realms/{realm}', 'put', 'If-Match', 412],
    ['/realms/{realm}/users/{userId}', 'delete', 'If-Match', 412],
    ['/realms/{realm}/clients/{clientUuid}/client-secret', 'post', 'If-Match', 412],
  ] as const) {
    t.true(headers(path, method).includes(header), `${method} ${path}`);
    t.true(String(status) in (paths[path]?.[method]?.responses ?? {}), `${method} ${path} ${status}`);
  }
  t.false(headers('/realms/{realm}/users', 'post').includes('If-Match'));
});

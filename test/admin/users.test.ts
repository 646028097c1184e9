import test from 'ava';
import { adminCaller, adminClient, administered, ownRealm, startAdministered } from '../helpers/admin.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('Admin API, users: Keycloak’s admin client creates, finds, changes and removes a user', async (t) => {
  const { host } = await ownRealm(shared(), { defaultGroups: ['/team'], adminEventsEnabled: true });
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const { id } = await admin.users.create({
    realm,
    username: 'Emma',
    email: 'Emma@Example.test',
    firstName: 'Emma',
    enabled: true,
    attributes: { team: ['a', 'b'], phone: ['1'] },
    requiredActions: ['VERIFY_EMAIL'],
    groups: ['/team/dev'],
    credentials: [{ type: 'password', value: 'Emma-pass-1!' }],
  });
  const emma = await admin.users.findOne({ realm, id });
  t.like(emma, {
    id,
    username: 'emma',
    email: 'emma@example.test',
    emailVerified: false,
    enabled: true,
    attributes: { team: ['a', 'b'], phone: ['1'] },
    requiredActions: ['VERIFY_EMAIL'],
    notBefore: 0,
    totp: false,
    access: { manage: true, mapRoles: true, impersonate: true },
  });
  t.true(Math.abs(Number(emma?.createdTimestamp) - Date.now()) < 60_000);
  t.false(JSON.stringify(emma).includes('secretData'));
  const groups = await admin.users.listGroups({ realm, id });
  t.deepEqual(groups.map(({ path }) => path).sort(), ['/team', '/team/dev']);
  const roles = await admin.users.listRealmRoleMappings({ realm, id });
  t.deepEqual(
    roles.map(({ name }) => name),
    [`default-roles-${realm}`],
  );
  await admin.users.update({ realm, id }, { requiredActions: [], lastName: 'Stone', attributes: { phone: ['2'] } });
  const changed = await admin.users.findOne({ realm, id });
  t.like(changed, { firstName: 'Emma', lastName: 'Stone', email: 'emma@example.test', attributes: { phone: ['2'] } });
  t.is(Object.keys(changed?.attributes ?? {}).length, 1, 'attributes that are given replace all');
  const form = { grant_type: 'password', client_id: 'spa', username: 'emma', password: 'Emma-pass-1!' };
  t.is((await host.token(realm, form)).status, 200);
  await admin.users.update({ realm, id }, { email: '', enabled: false });
  const last = await admin.users.findOne({ realm, id });
  t.false('email' in (last ?? {}));
  t.not((await host.token(realm, form)).status, 200);
  await admin.users.del({ realm, id });
  t.falsy(await admin.users.findOne({ realm, id }));
  await host.events.flush();
  const events = (await host.store.events.query(realm, { kind: 'admin' })).map(({ body }) => JSON.parse(body));
  t.deepEqual(
    events.map(({ operationType, resourceType, resourcePath }) => `${operationType} ${resourceType} ${resourcePath}`),
    ['DELETE', 'UPDATE', 'UPDATE', 'CREATE'].map((operation) => `${operation} USER users/${id}`),
  );
});

test('Admin API, users: users are found by every filter of Keycloak, page by page, and counted', async (t) => {
  const { host } = await ownRealm(shared(), { identityProviders: [{ alias: 'corp', providerId: 'saml' }] });
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const more: [string, object][] = [
    ['bea', { firstName: 'Beatrix', enabled: true, emailVerified: true, attributes: { 'cost center': ['x y'] } }],
    ['bert', { lastName: 'Alicent', enabled: true, attributes: { floor: ['2'] } }],
  ];
  for (const [username, user] of more) await admin.users.create({ realm, username, ...user });
  const bea = (await admin.users.find({ realm, username: 'bea', exact: true }))[0]?.id ?? '';
  await admin.users.addToFederatedIdentity({
    realm,
    id: bea,
    federatedIdentityId: 'corp',
    federatedIdentity: { userId: '77', userName: 'b' },
  });
  const names = async (query: object) => {
    const found = await admin.users.find({ realm, ...query });
    t.is(Number(await admin.users.count({ realm, ...query })), found.length, JSON.stringify(query));
    return found.map(({ username }) => username).join(' ');
  };
  const everybody = `${idIn(host.defaultRealm)} alice bea bert carol dave`;
  t.is(await names({}), everybody, 'service accounts are left out');
  t.is(await names({ search: 'ali' }), 'alice bert');
  t.is(await names({ search: '*ice' }), 'alice bert');
  t.is(await names({ search: '"alice"' }), 'alice');
  t.is(await names({ search: `id:${bea} ${idIn(host.defaultRealm)} nobody` }), 'bea alice');
  t.is(await names({ username: 'LIC' }), 'alice');
  t.is(await names({ username: 'ali', exact: true }), '');
  t.is(await names({ email: 'example.test' }), 'alice');
  t.is(await names({ firstName: 'beatrix', exact: true }), 'bea');
  t.is(await names({ lastName: 'cent' }), 'bert');
  t.is(await names({ emailVerified: true }), 'alice bea');
  t.is(await names({ enabled: false }), 'carol');
  t.is(await names({ search: 'b', enabled: true }), 'bea bert');
  t.is(await names({ q: 'floor:2' }), 'bert');
  t.is(await names({ q: '"cost center":"x y"' }), 'bea');
  t.is(await names({ q: 'floor:2 phoneNumber:1' }), '');
  t.is(await names({ idpAlias: 'corp', idpUserId: '77' }), 'bea');
  t.is(await names({ username: 'service-account-nl' }), 'service-account-nl', 'but found by name, as in Keycloak');
  const page = await admin.users.find({ realm, first: 2, max: 2 });
  t.deepEqual(
    page.map(({ username }) => username),
    ['bea', 'bert'],
  );
  const behind = await (await adminCaller(host))('GET', `/realms/${realm}/users?after=BEA&max=2`);
  t.deepEqual(
    (behind.json as unknown as { username: string }[]).map(({ username }) => username),
    ['bert', 'carol'],
  );
  const [brief] = await admin.users.find({ realm, search: 'bea', briefRepresentation: true });
  t.false('attributes' in (brief ?? {}));
  t.like(brief, { username: 'bea', firstName: 'Beatrix', enabled: true });
  const links = await admin.users.listFederatedIdentities({ realm, id: bea });
  t.deepEqual(links, [{ identityProvider: 'corp', userId: '77', userName: 'b' }]);
  const one = await admin.users.findOne({ realm, id: bea });
  t.deepEqual(one?.federatedIdentities, links);
  await admin.users.delFromFederatedIdentity({ realm, id: bea, federatedIdentityId: 'corp' });
  t.deepEqual(await admin.users.listFederatedIdentities({ realm, id: bea }), []);
});

test('Admin API, users: names and addresses are unique, and the realm says who may change them', async (t) => {
  const host = await startAdministered(t, {
    realms: [
      testRealm('demo'),
      testRealm('by-email', { registrationEmailAsUsername: true }),
      testRealm('open', { editUsernameAllowed: true, duplicateEmailsAllowed: true }),
    ],
  });
  const call = await adminCaller(host);
  const refuses = async (method: string, path: string, body: unknown, status: number, text: string) => {
    const answer = await call(method, path, body);
    t.deepEqual([answer.status, answer.text], [status, text]);
  };
  const sameName = '{"errorMessage":"User exists with same username"}';
  const sameMail = '{"errorMessage":"User exists with same email"}';
  await refuses('POST', '/realms/demo/users', { username: 'ALICE' }, 409, sameName);
  await refuses('POST', '/realms/demo/users', { username: 'xavier', email: 'ALICE@example.test' }, 409, sameMail);
  await refuses('POST', '/realms/demo/users', { firstName: 'x' }, 400, '{"errorMessage":"User name is missing"}');
  const dave = `/realms/demo/users/${(await host.store.users.byUsername('demo', 'dave'))?.id}`;
  await refuses('PUT', dave, { email: 'alice@example.test' }, 409, sameMail);
  const readOnly = '{"field":"username","errorMessage":"error-user-attribute-read-only","params":["username"]}';
  await refuses('PUT', dave, { username: 'david' }, 400, readOnly);
  t.is((await call('PUT', dave, { username: 'Dave', email: 'dave@example.test' })).status, 204);
  t.is((await call('PUT', dave, { username: null, email: null, attributes: null })).status, 204, 'null says nothing');
  t.is((await host.store.users.byUsername('demo', 'dave'))?.email, 'dave@example.test');
  const inOpen = (await host.store.users.byUsername('open', 'dave'))?.id;
  t.is(
    (await call('PUT', `/realms/open/users/${inOpen}`, { username: 'david', email: 'alice@example.test' })).status,
    204,
  );
  await refuses('PUT', `/realms/open/users/${inOpen}`, { username: 'carol' }, 409, sameName);
  t.is((await call('POST', '/realms/by-email/users', { username: 'ignored', email: 'f@example.test' })).status, 201);
  const f = await host.store.users.byUsername('by-email', 'f@example.test');
  t.is((await call('PUT', `/realms/by-email/users/${f?.id}`, { email: 'g@example.test' })).status, 204);
  t.is((await host.store.users.byUsername('by-email', 'g@example.test'))?.id, f?.id);
  await refuses('GET', '/realms/demo/users/unknown', undefined, 404, '{"error":"User not found"}');
  const unknownGroup = '{"errorMessage":"groups: Unable to find group specified by path: /nowhere"}';
  await refuses('POST', '/realms/demo/users', { username: 'yves', groups: ['nowhere'] }, 400, unknownGroup);
  for (const body of [{ username: 7 }, { username: 'z', attributes: { a: [1] } }, { username: 'x'.repeat(256) }]) {
    const answer = await call('POST', '/realms/demo/users', body);
    t.is(answer.status, 400, answer.text);
  }
});

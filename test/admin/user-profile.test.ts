import test from 'ava';
import { adminCaller, adminClient, administered, ownRealm } from '../helpers/admin.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('user profile: a realm without one has Keycloak’s default, and accepts any attribute', async (t) => {
  const { host } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const profile = await admin.users.getProfile({ realm });
  t.deepEqual(
    profile.attributes?.map(({ name }) => name),
    ['username', 'email', 'firstName', 'lastName'],
  );
  t.is(profile.unmanagedAttributePolicy as string, 'ENABLED');
  const metadata = await admin.users.getProfileMetadata({ realm });
  t.like(metadata.attributes?.[0], { name: 'username', required: true, readOnly: false });
  const alice = await admin.users.findOne({ realm, id: idIn(host.defaultRealm), userProfileMetadata: true });
  t.like(alice?.userProfileMetadata?.attributes?.[0], { name: 'username', readOnly: true });
  const unmanaged = await admin.users.getUnmanagedAttributes({ realm, id: idIn(host.defaultRealm) });
  t.deepEqual(unmanaged as object, { phoneNumber: ['+1 555 0100'], street: ['1 Main Street'] });
});

test('user profile: values that admins write are checked, in the words of Keycloak', async (t) => {
  const { host } = await ownRealm(shared());
  const realm = host.defaultRealm;
  const admin = await adminClient(host);
  const call = await adminCaller(host);
  const profile = await admin.users.getProfile({ realm });
  const permissions = { view: ['admin'], edit: ['admin'] };
  const attributes = [
    ...(profile.attributes ?? []),
    { name: 'floor', permissions, validations: { integer: { min: 1, max: '9' } }, required: { roles: ['admin'] } },
    { name: 'badge', permissions, validations: { pattern: { pattern: '[A-Z]\\d+', 'error-message': 'no badge' } } },
    { name: 'team', permissions, multivalued: true, validations: { options: { options: ['red', 'blue'] } } },
    { name: 'mail', permissions, validations: { email: { 'max-local-length': 3 } } },
    { name: 'exact', permissions, validations: { length: { max: 3, 'trim-disabled': true } } },
    { name: 'trimmed', permissions, validations: { length: { max: 3 } } },
    { name: 'motto', permissions, validations: { 'not-blank': {}, 'not-empty': {} } },
    { name: 'hired', permissions: { view: ['admin'], edit: [] } },
  ];
  await admin.users.updateProfile({ realm, attributes, groups: profile.groups });
  t.deepEqual((await admin.users.getProfile({ realm })).attributes?.at(-1), attributes.at(-1));
  const refused = async (user: object, ...errors: [field: string, message: string, ...params: unknown[]][]) => {
    const answer = await call('POST', `/realms/${host.defaultRealm}/users`, user);
    const all = errors.map(([field, errorMessage, ...params]) => ({ field, errorMessage, params: [field, ...params] }));
    t.deepEqual([answer.status, answer.json], [400, all.length === 1 ? all[0] : { errors: all }], answer.text);
  };
  const ok = { username: 'emma', attributes: { floor: ['3'] } };
  await refused({ ...ok, username: 'em' }, ['username', 'error-invalid-length', 3, 255]);
  await refused({ ...ok, username: 'e<m>ma' }, ['username', 'error-username-invalid-character']);
  await refused({ ...ok, username: '\u0430lice' }, ['username', 'error-username-invalid-character']);
  await refused({ ...ok, email: 'nowhere' }, ['email', 'error-invalid-email', 'nowhere']);
  await refused({ ...ok, firstName: '<b>' }, ['firstName', 'error-person-name-invalid-character']);
  await refused({ username: 'emma' }, ['floor', 'error-user-attribute-required']);
  const long = { floor: ['3'], mail: ['four@example.test'] };
  await refused({ ...ok, attributes: long }, ['mail', 'error-invalid-email', 'four@example.test']);
  const blank = { floor: ['3'], motto: [' '] };
  await refused({ ...ok, attributes: blank }, ['motto', 'error-invalid-blank', ' ']);
  const spaces = { floor: ['3'], exact: [' ab '], trimmed: [' ab '] };
  await refused({ ...ok, attributes: spaces }, ['exact', 'error-invalid-length-too-long', null, 3]);
  const many = { floor: ['10'], badge: ['a1'], team: ['red', 'green'], hired: ['1999'] };
  await refused(
    { ...ok, attributes: many },
    ['floor', 'error-number-out-of-range', 1, 9],
    ['badge', 'no badge', '[A-Z]\\d+'],
    ['team', 'error-invalid-value', 'green'],
    ['hired', 'error-user-attribute-read-only'],
  );
  await refused({ ...ok, attributes: { floor: ['1', '2'] } }, ['floor', 'error-invalid-multivalued-size', null, 1]);
  const given = { floor: ['3'], badge: ['A1'], team: ['red', 'blue'], unknown: ['x'] };
  const { id } = await admin.users.create({ realm, username: 'emma', attributes: given });
  const { unknown: _, ...managed } = given;
  t.deepEqual((await admin.users.findOne({ realm, id }))?.attributes, managed, 'others are left alone');
  const alice = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  t.is((await call('PUT', alice, { attributes: { floor: ['2'] } })).status, 204);
  const kept = (await host.store.users.byId(host.defaultRealm, idIn(host.defaultRealm)))?.representation.attributes;
  t.deepEqual(kept, { phoneNumber: ['+1 555 0100'], street: ['1 Main Street'], floor: ['2'] });
});

test('user profile: an empty or absent profile in a request restores the default', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/users/profile`;
  const standard = (await call('GET', path)).json;
  const names = async () =>
    ((await call('GET', path)).json.attributes as unknown as { name: string }[]).map(({ name }) => name);
  const own = { attributes: [...(standard.attributes as unknown as object[]), { name: 'colour' }] };
  for (const body of [undefined, 'null', {}]) {
    t.is((await call('PUT', path, own)).status, 200);
    t.true((await names()).includes('colour'));
    const answer = await call('PUT', path, body);
    t.deepEqual([answer.status, answer.json], [200, standard], String(body));
    t.false((await names()).includes('colour'));
  }
});

test('user profile: an invalid profile is refused', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const base = [{ name: 'username' }, { name: 'email' }];
  const put = (...more: object[]) =>
    call('PUT', `/realms/${host.defaultRealm}/users/profile`, { attributes: [...base, ...more] });
  for (const [attribute, text] of [
    [{ name: 'email' }, /'email' is defined twice/],
    [{ name: 'a b' }, /characters that are not allowed/],
    [{ name: 'a', group: 'none' }, /unknown group 'none'/],
    [{ name: 'a', validations: { telepathy: {} } }, /'telepathy' defined for attribute 'a' doesn't exist/],
    [{ name: 'a', validations: { pattern: { pattern: '(' } } }, /not a regular expression/],
    [{ name: [7] }, /name: must be a string/],
  ] as const) {
    const answer = await put(attribute);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
  }
  const without = await call('PUT', `/realms/${host.defaultRealm}/users/profile`, { attributes: [{ name: 'email' }] });
  t.regex(without.text, /'username' can not be removed/);
  t.is((await put({ name: 'a', validations: { pattern: { pattern: 'x+' } } })).status, 200);
  t.is((await call('PUT', `/realms/${host.defaultRealm}/users/profile`, { attributes: [] })).status, 200);
  t.regex((await call('GET', `/realms/${host.defaultRealm}/users/profile`)).text, /"ENABLED"/);
  t.is((await host.realms.get(host.defaultRealm))?.version, 3);
});

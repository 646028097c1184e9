import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { codeOf, complaints } from '../helpers/read-page.js';
import { NEWCOMER, openRealm, storedUser, userProfile } from '../helpers/registration.js';

const realm = 'demo';
const ALL = { permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] } };
const COLOR = { name: 'color', defaultValue: 'blue', ...ALL };
const HIDDEN = { name: 'hidden', defaultValue: 'h', permissions: { view: ['admin'], edit: ['admin'] } };
const FIXED = { name: 'fixed', defaultValue: 'f', permissions: { view: ['admin'], edit: [] } };
const NEEDED = { name: 'needed', defaultValue: 'n', required: { roles: ['admin', 'user'] }, ...ALL };
const DEFAULTS = { color: ['blue'], hidden: ['h'], fixed: ['f'], needed: ['n'] };
const NAMES = ['firstName', 'lastName'].map((name) => ({ name, ...ALL }));

/** A realm with self-registration, a user profile with defaults, and the user erin. */
function realmOf(erin: Partial<UserRepresentation> = {}): RealmRepresentation {
  const open = openRealm(userProfile([...NAMES, COLOR, HIDDEN, FIXED, NEEDED]));
  const password = { type: 'password', value: 'Erin-pass-1!' };
  const user = { username: 'erin', email: 'erin@a.test', firstName: 'E', lastName: 'E', enabled: true, ...erin };
  const roles = { clientRoles: { account: ['view-profile', 'manage-account'] } };
  return { ...open, users: [...(open.users ?? []), { ...user, ...roles, credentials: [password] }] };
}

test('user profile, defaults: an attribute without a value has its default at creation, at every change, and when read', async (t) => {
  const host = await startAdministered(t, { realms: [realmOf()] });
  const admin = await adminClient(host);
  const attributesOf = async (username: string) => (await admin.users.find({ realm, username, exact: true }))[0];
  for (const [username, attributes] of [
    ['plain', undefined],
    ['empty', { color: [] }],
    ['text', { color: [''], needed: [' '] }],
    ['absent', { color: null }],
  ] as const) {
    await admin.users.create({ realm, username, ...(attributes === undefined ? {} : { attributes }) });
    t.deepEqual((await attributesOf(username))?.attributes, DEFAULTS, username);
    t.deepEqual((await storedUser(host, username))?.attributes, DEFAULTS, username);
  }
  const { id } = await admin.users.create({ realm, username: 'given', attributes: { color: ['red'] } });
  t.deepEqual((await admin.users.findOne({ realm, id }))?.attributes, { ...DEFAULTS, color: ['red'] });
  await admin.users.update({ realm, id }, { attributes: { needed: ['x'] } });
  t.deepEqual((await admin.users.findOne({ realm, id }))?.attributes, { ...DEFAULTS, needed: ['x'] });
  const profile = await admin.users.getProfile({ realm });
  const later = { name: 'later', defaultValue: 'l', ...ALL };
  await admin.users.updateProfile({ realm, ...profile, attributes: [...(profile.attributes ?? []), later] });
  t.like((await admin.users.findOne({ realm, id }))?.attributes, { later: ['l'] });
  t.false('later' in ((await storedUser(host, 'given'))?.attributes ?? {}));
  await admin.users.update({ realm, id }, { firstName: 'Given' });
  t.like((await storedUser(host, 'given'))?.attributes, { later: ['l'] });
  const metadata = await admin.users.getProfileMetadata({ realm });
  t.like(
    metadata.attributes?.find(({ name }) => name === 'color'),
    { defaultValue: 'blue' } as object,
  );
});

test('user profile, defaults: registration shows the defaults, and users may change them; required ones cannot be emptied', async (t) => {
  const host = await startAdministered(t, { realms: [realmOf()] });
  const browser = new Browser();
  const { url } = codeRequest(host);
  let page = await browser.open(url.replace('/auth?', '/registrations?'));
  t.regex(page.text, /name="color"[^>]* value="blue"/);
  t.notRegex(page.text, /name="hidden"/);
  page = await browser.submit(page, { ...NEWCOMER, color: '', needed: '' });
  t.is(complaints(page).length, 1);
  t.regex(page.text, /name="color"[^>]* value=""/);
  await browser.submit(page, { ...NEWCOMER, color: '', needed: 'mine' });
  t.deepEqual((await storedUser(host, 'newcomer'))?.attributes, { ...DEFAULTS, needed: ['mine'] });
});

test('user profile, defaults: users see and keep the defaults on their account, and missing ones make no profile incomplete', async (t) => {
  const enabled = { requiredActions: [{ alias: 'VERIFY_PROFILE', enabled: true }] };
  const host = await startAdministered(t, { realms: [{ ...realmOf(), ...enabled }] });
  const login = { username: 'erin', password: 'Erin-pass-1!' };
  t.truthy(codeOf(await signIn(new Browser(), codeRequest(host).url, login)));
  const token = (await logIn(host, login)).access_token;
  const call = (method: string, body?: object) =>
    fetchAnswer(`${host.realm(realm)}/account`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...bearer(token) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { json } = await call('GET');
  t.deepEqual(json.attributes as unknown, { color: ['blue'], needed: ['n'] });
  t.regex(JSON.stringify(json.userProfileMetadata), /"defaultValue":"blue"/);
  t.is((await call('POST', { ...json, attributes: { color: [''], needed: ['x'] } })).status, 204);
  t.deepEqual((await storedUser(host, 'erin'))?.attributes, { ...DEFAULTS, needed: ['x'] });
  t.is((await call('POST', { ...json, attributes: { color: ['red'], needed: [''] } })).status, 400);
});

test('user profile, defaults: a default that its attribute does not accept is refused, over REST and in a realm file; a valid one is exported', async (t) => {
  const host = await startAdministered(t, { realms: [realmOf()] });
  const call = await adminCaller(host);
  const { json: profile } = await call('GET', `/realms/${realm}/users/profile`);
  const attributes = profile.attributes as unknown as { name: string }[];
  const short = { name: 'short', validations: { length: { max: 2 } } };
  const bad: [object[], string][] = [
    [[...attributes, { ...short, defaultValue: 'long' }], "Default value for attribute 'short' is invalid"],
    [
      attributes.map((one) => (one.name === 'email' ? { ...one, defaultValue: 'a@b.test' } : one)),
      "Default value not supported for attribute 'email'",
    ],
  ];
  for (const [all, words] of bad) {
    const { status, text } = await call('PUT', `/realms/${realm}/users/profile`, { ...profile, attributes: all });
    t.is(status, 400);
    t.true(text.includes(words), text);
  }
  const put = await call('PUT', `/realms/${realm}/users/profile`, {
    ...profile,
    attributes: [...attributes, { ...short, defaultValue: 5 }],
  });
  t.like((put.json.attributes as unknown as object[]).at(-1), { name: 'short', defaultValue: '5' });
  const exported = (await call('POST', `/realms/${realm}/partial-export`)).json as unknown as RealmRepresentation;
  const [component] = exported.components?.['org.keycloak.userprofile.UserProfileProvider'] ?? [];
  t.regex(component?.config?.['kc.user.profile.config']?.[0] ?? '', /"defaultValue":"blue"/);
  const file = { ...openRealm(userProfile([...NAMES, { ...short, defaultValue: 'long' }])), realm: 'mistaken' };
  const error = (await t.throwsAsync(startHost(t, { realms: [file] }))) as BootError;
  t.is(error.code, 'realm_invalid');
  t.regex(error.report(), /kc\.user\.profile\.config.*Default value for attribute 'short' is invalid/);
});

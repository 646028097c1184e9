import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { codeOf } from '../helpers/read-page.js';
import { NEWCOMER, openRealm, storedUser, userProfile } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const realm = 'demo';
const NAMES = ['firstName', 'lastName'].map((name) => counted(name, 'admin user', undefined));
const LOGIN = { username: 'erin', password: 'Erin-pass-1!' };

/** An attribute with its editors and a minimum number of values. */
function counted(name: string, editors: string, min: number | string | undefined, more: object = {}) {
  const permissions = { view: ['admin', 'user'], edit: editors.split(' ') };
  const counts = min === undefined ? {} : { multivalued: true, validations: { multivalued: { min, max: 3 } } };
  return { name, permissions, ...counts, ...more };
}

function realmOf(): RealmRepresentation {
  const scoped = counted('scoped', 'admin user', 1, { selector: { scopes: ['phone'] } });
  const profile = userProfile([...NAMES, counted('two', 'admin user', '2'), counted('ours', 'admin', 1), scoped]);
  const open = openRealm({ ...profile, requiredActions: [{ alias: 'VERIFY_PROFILE', enabled: true }] });
  const erin = { username: 'erin', email: 'erin@a.test', firstName: 'E', lastName: 'E', enabled: true };
  const roles = { clientRoles: { account: ['view-profile', 'manage-account'] } };
  const attributes = { two: ['a', 'b'] };
  const credentials = [{ type: 'password', value: LOGIN.password }];
  // As in Keycloak, users of a realm file are not checked.
  const bare = { ...erin, username: 'bare', email: 'bare@a.test', ...roles, credentials };
  return { ...open, users: [...(open.users ?? []), { ...erin, ...roles, attributes, credentials }, bare] };
}

const host = shareHost(test, administered({ realms: [realmOf()] }));

test('user profile, number of values: admins must give each attribute its minimum, whatever else they change', async (t) => {
  const call = await adminCaller(host());
  const create = (username: string, attributes?: object) =>
    call('POST', `/realms/${realm}/users`, { username, enabled: true, ...(attributes ? { attributes } : {}) });
  const wrong = (name: string, min: number) => ({
    field: name,
    errorMessage: 'error-invalid-multivalued-size',
    params: [name, min, 3],
  });
  const scoped = { ours: ['o'], scoped: ['s'] };
  for (const [attributes, names] of [
    [undefined, ['two', 'ours', 'scoped']],
    [{ ...scoped, two: [] }, ['two']],
    [{ ...scoped, two: null }, ['two']],
    [{ ...scoped, two: ['a'] }, ['two']],
    [{ ...scoped, two: ['a', ''] }, ['two']],
    [{ two: ['a', 'b'], ours: [''], scoped: ['s'] }, ['ours']],
  ] as const) {
    const { status, json } = await create('new', attributes);
    t.is(status, 400, JSON.stringify(attributes));
    const errors = (json.errors ?? [json]) as unknown as object[];
    t.deepEqual(
      errors.map((error) => (error as { field: string }).field),
      [...names],
    );
    if (names.length === 1) t.like(errors[0], { ...wrong(names[0], names[0] === 'two' ? 2 : 1) } as object);
  }
  t.is((await create('new', { ...scoped, two: ['a', 'b'] })).status, 201);
  const { id } = (await storedUser(host(), 'new')) ?? {};
  const change = (body: object) => call('PUT', `/realms/${realm}/users/${id}`, body);
  t.is((await change({ firstName: 'N' })).status, 204);
  t.is((await change({ attributes: { ...scoped, two: ['a'] } })).status, 400);
  const bare = await storedUser(host(), 'bare');
  const renamed = await call('PUT', `/realms/${realm}/users/${bare?.id}`, { firstName: 'B' });
  t.is(renamed.status, 400, 'an attribute that was always empty counts, too, as at Keycloak');
  const imported = await call('POST', `/realms/${realm}/partialImport`, { users: [{ username: 'imported' }] });
  t.is(imported.json.added, 1, 'as at Keycloak, an import is not checked');
});

test('user profile, number of values: users must give the attributes that they may edit their minimum: on the form, the account page and at the next login', async (t) => {
  const { url } = codeRequest(host());
  const browser = new Browser();
  const form = await browser.open(url.replace('/auth?', '/registrations?'));
  for (const two of [{}, { two: '' }, { two: 'a' }] as Record<string, string>[]) {
    await browser.submit(form, { ...NEWCOMER, ...two });
    t.is(await storedUser(host(), 'newcomer'), undefined, JSON.stringify(two));
  }
  const bare = { ...LOGIN, username: 'bare' };
  t.is(codeOf(await signIn(new Browser(), url, bare)), undefined, 'the profile must be completed first');
  t.truthy(codeOf(await signIn(new Browser(), url, LOGIN)));
  const token = (await logIn(host(), LOGIN)).access_token;
  const change = (attributes: object) =>
    fetchAnswer(`${host().realm(realm)}/account`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify({ username: 'erin', email: 'erin@a.test', firstName: 'E', lastName: 'E', attributes }),
    });
  for (const attributes of [{ two: [] }, { two: ['a'] }, { two: ['a', ''] }]) {
    const { status, text } = await change(attributes);
    t.is(status, 400, JSON.stringify(attributes));
    t.regex(text, /two/);
  }
  t.is((await change({ two: ['c', 'd'] })).status, 204);
  t.deepEqual((await storedUser(host(), 'erin'))?.attributes?.two, ['c', 'd']);
});

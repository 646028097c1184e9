import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** A value, and `ok` or the error message with its parameters. */
type Answer = readonly [value: string, ...('ok' | readonly [message: string, ...parameters: unknown[]])[]];

const TOO_LONG = '9223372036854775808';
const NO_NUMBER = ['error-invalid-number'] as const;
const NO_DATE = (value: string) => ['error-invalid-date', value] as const;
const SCHEME = (value: string, scheme: string) => ['error-invalid-uri-scheme', value, scheme] as const;

/** Recorded from Keycloak 26.7.3 for a user with that value. */
const TABLE: readonly (readonly [validator: string, settings: object, ...answers: Answer[]])[] = [
  ['integer', { min: 1, max: 5 }, ['007', ['error-number-out-of-range', 1, 5]], ['x', NO_NUMBER], ['+3', 'ok']],
  ['integer', { min: '3' }, ['1', ['error-number-out-of-range-too-small', 3, null]]],
  ['integer', { max: 5 }, ['9', ['error-number-out-of-range-too-big', null, 5]]],
  ['integer', {}, ['9223372036854775807', 'ok'], [TOO_LONG, NO_NUMBER], [' 5', NO_NUMBER], ['1.5', NO_NUMBER]],
  ['double', { min: 1.5 }, ['1', ['error-number-out-of-range-too-small', 1.5, null]], ['5.', 'ok']],
  ['double', { min: 1, max: 5 }, ['1e3', ['error-number-out-of-range', 1, 5]], ['1,5', NO_NUMBER]],
  ['iso-date', {}, ['2020-02-30', NO_DATE('2020-02-30')], ['2019-02-29', NO_DATE('2019-02-29')], ['2020-02-29', 'ok']],
  ['iso-date', {}, ['2020-13-01', NO_DATE('2020-13-01')], ['2020-2-3', NO_DATE('2020-2-3')]],
  ['username-prohibited-characters', {}, ['a b', ['error-username-invalid-character']]],
  ['username-prohibited-characters', { 'error-message': 'bad' }, ['a b', ['bad']], ['ab', 'ok']],
  ['person-name-prohibited-characters', { 'error-message': 'bad' }, ['a<b', ['bad']], ['a b', 'ok']],
  ['up-username-not-idn-homograph', { 'error-message': 'bad' }, ['\u0430nn', ['bad']], ['ann', 'ok']],
  ['uri', {}, ['https://x.test/#f', 'ok'], ['nope', ['error-invalid-uri', 'nope', 'URI is not absolute']]],
  ['uri', {}, ['ftp://x.test', SCHEME('ftp://x.test', 'ftp')], ['mailto:a@b.c', SCHEME('mailto:a@b.c', 'mailto')]],
  ['uri', {}, ['javascript:alert(1)', SCHEME('javascript:alert(1)', 'javascript')], ['http:x', 'ok']],
  ['uri', { allowedSchemes: ['ftp'] }, ['ftp://x.test', 'ok'], ['https://x.test', SCHEME('https://x.test', 'https')]],
  ['uri', { allowFragment: 'false' }, ['https://x.test/#f', ['error-invalid-uri-fragment', 'https://x.test/#f', 'f']]],
  ['uri', { allowedSchemes: ['urn'] }, ['urn:x', ['error-invalid-uri', 'urn:x', 'unknown protocol: urn']]],
  ['uri', { allowedSchemes: ['urn'], requireValidUrl: false }, ['urn:x:y', 'ok']],
];

for (const [index, [validator, settings, ...answers]] of TABLE.entries()) {
  test(`user profile: the validator ${validator} answers as in Keycloak 26.7.3: ${JSON.stringify(settings)} (${index})`, async (t) => {
    const { call, realm } = await calledRealm(shared());
    const permissions = { view: ['admin'], edit: ['admin'] };
    const attributes = [
      ...['username', 'email'].map((name) => ({ name, permissions })),
      { name: 'v', permissions, validations: { [validator]: settings } },
    ];
    t.is((await call('PUT', `${realm}/users/profile`, { attributes })).status, 200);
    for (const [at, [value, expected]] of answers.entries()) {
      const { status, json } = await call('POST', `${realm}/users`, {
        username: `user${at}`,
        attributes: { v: [value] },
      });
      if (expected === 'ok') {
        t.is(status, 201, value);
        continue;
      }
      const [errorMessage, ...parameters] = expected ?? [];
      t.deepEqual([status, json], [400, { field: 'v', errorMessage, params: ['v', ...parameters] }], value);
    }
  });
}

test('user profile: an attribute that is required with a scope is not required of admins, as in Keycloak 26.7.3', async (t) => {
  const { call, realm } = await calledRealm(shared());
  const permissions = { view: ['admin'], edit: ['admin'] };
  for (const [index, [required, status]] of (
    [
      [{ roles: ['admin'], scopes: ['profile'] }, 201],
      [{ scopes: ['profile'] }, 201],
      [{ roles: ['admin'], scopes: [] }, 400],
      [{ roles: ['user'] }, 201],
      [{ roles: [], scopes: [] }, 400],
    ] as const
  ).entries()) {
    const attributes = [
      ...['username', 'email'].map((name) => ({ name, permissions })),
      { name: 'v', permissions, required },
    ];
    t.is((await call('PUT', `${realm}/users/profile`, { attributes })).status, 200);
    t.is((await call('POST', `${realm}/users`, { username: `user${index}` })).status, status, JSON.stringify(required));
    const metadata = (await call('GET', `${realm}/users/profile/metadata`)).json.attributes as unknown as {
      required: boolean;
    }[];
    t.is(metadata.at(-1)?.required, status === 400);
  }
});

import { idOfAlice, profileAttribute, profileWith, type Toggle, verdict } from './toggle.js';

/** A user with each of these values in the attribute `v`: the verdicts. */
const users =
  (...values: readonly (readonly string[])[]): Toggle['ask'] =>
  async ({ admin }) => {
    const verdicts: unknown[] = [];
    for (const [index, v] of values.entries()) {
      const names = { username: `user${index}`, email: `user${index}@x.test`, firstName: 'A', lastName: 'B' };
      verdicts.push(verdict(await admin('POST', '/users', { ...names, attributes: { v } })));
    }
    return verdicts;
  };
const validator = (id: string, settings: readonly object[], ...values: readonly (readonly string[])[]): Toggle => ({
  setting: `validator ${id}`,
  realms: settings.map((one) => profileWith(profileAttribute({ multivalued: true, validations: { [id]: one } }))),
  ask: users(...values),
});

/** Sets these passwords for alice in order, and returns the results. */
const passwords =
  (...values: readonly string[]): Toggle['ask'] =>
  async (realm) => {
    const path = `/users/${await idOfAlice(realm)}/reset-password`;
    const verdicts: unknown[] = [];
    for (const value of values) verdicts.push(verdict(await realm.admin('PUT', path, { type: 'password', value })));
    return verdicts;
  };
const policies = (...all: readonly string[]) => all.map((passwordPolicy) => ({ passwordPolicy }));

/** Validators of the user profile, and password policies. */
export const USER_TOGGLES: readonly Toggle[] = [
  validator(
    'length',
    [{ min: 2, max: 4 }, { min: '3' }, { max: 3 }, { max: 3, 'trim-disabled': true }],
    ['a'],
    ['abc'],
    ['abcde'],
    ['  a  '],
    [''],
    [],
  ),
  validator('integer', [{ min: 1, max: 5 }, { min: '3' }, { max: 3 }, {}], ['1'], ['7'], ['-1'], ['x'], ['1.5'], ['']),
  validator('double', [{ min: 1.5, max: 5 }, {}], ['1.4'], ['1.6'], ['x'], ['7']),
  validator('pattern', [{ pattern: '^a.*' }, { pattern: 'a', 'error-message': 'has no a' }], ['abc'], ['xbc'], ['']),
  validator('options', [{ options: ['a', 'b'] }, { options: [] }], ['a'], ['c'], ['A']),
  validator('email', [{}, { 'max-local-length': '3' }], ['a@x.test'], ['abcd@x.test'], ['nope']),
  validator(
    'uri',
    [{}, { allowedSchemes: ['ftp'] }, { allowFragment: false }],
    ['https://x.test/#a'],
    ['ftp://x.test'],
  ),
  validator('iso-date', [{}], ['2020-01-01'], ['2020-02-30'], ['nope']),
  validator('person-name-prohibited-characters', [{}, { 'error-message': 'bad' }], ['Ann'], ['A<b'], ['A&b']),
  validator('username-prohibited-characters', [{}, { 'error-message': 'bad' }], ['ann'], ['a b'], ['a<b']),
  validator('up-username-not-idn-homograph', [{}, { 'error-message': 'bad' }], ['ann'], ['\u0430nn'], ['änn']),
  validator('multivalued', [{ min: 1, max: 2 }, { max: '1' }], ['a'], ['a', 'b'], ['a', 'b', 'c']),
  {
    setting: 'required of a profile attribute',
    realms: [
      { roles: ['admin'] },
      { roles: ['user'] },
      {},
      { roles: ['admin'], scopes: ['profile'] },
      { scopes: ['email'] },
    ].map((required) => profileWith(profileAttribute({ required }))),
    ask: users([]),
  },
  {
    setting: 'password policies of characters',
    realms: policies('length(8)', 'maxLength(64)', 'digits(1)', 'upperCase(1)', 'lowerCase(3)', 'specialChars(1)'),
    ask: passwords('short', 'longer-than-8', 'aaBB11!!', 'AAbbb1!', '1234567'),
  },
  {
    setting: 'password policies of names and patterns',
    realms: policies('notUsername(undefined)', 'notEmail(undefined)', 'regexPattern(^.{8}.*$)'),
    ask: passwords('alice', 'ALICE', 'alice@x.test', 'some-other-password'),
  },
  {
    setting: 'passwordHistory',
    realms: policies('passwordHistory(2)', 'passwordHistory(1)', ''),
    ask: passwords('new-1', 'new-2', 'new-1', 'Password-1', 'new-3', 'new-1'),
  },
  {
    setting: 'hashAlgorithm hashIterations',
    realms: policies(
      'hashAlgorithm(pbkdf2-sha256) and hashIterations(1000)',
      'hashAlgorithm(pbkdf2-sha512)',
      'hashAlgorithm(argon2)',
    ),
    ask: async (realm) => {
      await passwords('new-1')(realm);
      const path = `/users/${await idOfAlice(realm)}/credentials`;
      const [stored] = (await realm.admin('GET', path)).json as unknown as [{ credentialData: string }];
      const { algorithm, hashIterations } = JSON.parse(stored.credentialData) as Record<string, unknown>;
      return [algorithm, hashIterations];
    },
  },
];

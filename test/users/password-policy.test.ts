import { tmpdir } from 'node:os';
import type { HostContext, PasswordPolicyProvider, Session } from '@keyhost/spi';
import test from 'ava';
import { systemClock } from '../../core/model/clock.js';
import { Patterns } from '../../core/model/patterns.js';
import { passwordPolicyMistakes } from '../../core/realms/password-policy-checks.js';
import { builtInPasswordPolicies } from '../../core/users/passwords/built-in-password-policies.js';
import { PasswordBlacklists } from '../../core/users/passwords/password-blacklists.js';
import { PasswordPolicy } from '../../core/users/passwords/password-policy.js';

const policies = builtInPasswordPolicies(new PasswordBlacklists(tmpdir(), systemClock));
const parsed = (text: string | undefined) => PasswordPolicy.parse(text, new Patterns('demo'));

/** The faults of a password that the policy's built-in providers report, by message key and parameters. */
async function check(policy: PasswordPolicy, password: string, user: object): Promise<unknown[]> {
  const said: unknown[] = [];
  for (const { id, value } of policy.terms) {
    const definition = policies.providers.find((provider) => provider.id === id);
    const factory = await definition?.open({}, {} as HostContext);
    const session = { realm: { name: 'demo' } } as Session;
    const provider = factory?.create(session, {}) as PasswordPolicyProvider;
    const broken = await provider.check({ password, user, ...(value === undefined ? {} : { value }) });
    if (broken !== undefined) said.push({ message: broken.key, parameters: broken.params });
  }
  return said;
}
const mistakes = (passwordPolicy: string) =>
  passwordPolicyMistakes({ realm: 'demo', passwordPolicy }, new Patterns('demo'), {});
const owner = { username: 'alice', email: 'alice@example.org' };

test('password policy: a policy string of Keycloak is read, with its defaults for undefined values', async (t) => {
  const text =
    'length(12) and maxLength(undefined) and hashAlgorithm(pbkdf2-sha256) and hashIterations(27500) and ' +
    'passwordHistory(undefined) and forceExpiredPasswordChange(90) and notUsername(undefined) and maxAuthAge(0)';
  const { policy, problems } = parsed(text);
  t.deepEqual(problems, []);
  t.like(policy, {
    hashAlgorithm: 'pbkdf2-sha256',
    hashIterations: 27_500,
    passwordHistory: 3,
    passwordAge: undefined,
    forceExpiredPasswordChange: 90,
    maxAuthAge: 0,
  });
  t.deepEqual(await check(policy, 'short', owner), [
    { message: 'invalidPasswordMinLengthMessage', parameters: ['12'] },
  ]);
  t.deepEqual(await check(policy, 'x'.repeat(65), owner), [
    { message: 'invalidPasswordMaxLengthMessage', parameters: ['64'] },
  ]);
  for (const none of [undefined, '', ' ']) {
    const { policy: open, problems: found } = parsed(none);
    t.like(open, { hashAlgorithm: 'argon2', hashIterations: -1 });
    t.deepEqual([found, await check(open, '', owner)], [[], []]);
  }
});

test('password policy: every broken rule answers with the message key of Keycloak', async (t) => {
  const cases: [term: string, bad: string, good: string, message: string, parameters: (string | number)[]][] = [
    ['length(8)', 'seven77', 'eight888', 'invalidPasswordMinLengthMessage', [8]],
    ['maxLength(8)', 'nine99999', 'eight888', 'invalidPasswordMaxLengthMessage', [8]],
    ['digits(2)', 'a1', '1a٣', 'invalidPasswordMinDigitsMessage', [2]],
    ['lowerCase', 'ABC', 'ABé', 'invalidPasswordMinLowerCaseCharsMessage', [1]],
    ['upperCase(2)', 'aB', 'ÄB', 'invalidPasswordMinUpperCaseCharsMessage', [2]],
    ['specialChars(1)', 'abcÄ1', 'abc 1', 'invalidPasswordMinSpecialCharsMessage', [1]],
    ['notUsername', 'Alice', 'alice1', 'invalidPasswordNotUsernameMessage', []],
    ['notContainsUsername(undefined)', 'myAlice1', 'bob', 'invalidPasswordNotContainsUsernameMessage', []],
    ['notEmail(undefined)', 'alice@example.org', 'alice', 'invalidPasswordNotEmailMessage', []],
    ['regexPattern((a|b)+(1))', 'xab1', 'abba1', 'invalidPasswordRegexPatternMessage', ['(a|b)+(1)']],
  ];
  for (const [term, bad, good, message, parameters] of cases) {
    const { policy, problems } = parsed(term);
    t.deepEqual(problems, [], term);
    t.deepEqual(await check(policy, bad, owner), [{ message, parameters: parameters.map(String) }], term);
    t.deepEqual(await check(policy, good, owner), [], term);
  }
  const { policy } = parsed(
    cases
      .slice(0, 1)
      .concat(cases.slice(2, 6))
      .map(([term]) => term)
      .join(' and '),
  );
  t.is((await check(policy, '', {})).length, 5);
});

test('password policy: a term that cannot be followed is reported, and the others hold', async (t) => {
  const text =
    'length(8) and lenght(9) and digits(many) and hashAlgorithm(md5) and passwordBlacklist(words.txt) and ' +
    'regexPattern((a) and length(10) and constructor(1) and upperCase(-1)';
  const { policy, problems } = parsed(text);
  t.deepEqual(
    problems.map(({ term }) => term),
    ['digits(many)', 'regexPattern((a)', 'length(10)', 'upperCase(-1)'],
  );
  // Unknown terms are reported by code that has the list of plugins.
  t.deepEqual(
    mistakes(text)
      .slice(problems.length)
      .map(({ message, suggestion }) => [message, suggestion]),
    [
      ['the password policy "lenght" is not known', 'length'],
      ['the password policy "constructor" is not known', undefined],
      ['the hash algorithm "md5" is not known; known are argon2, pbkdf2, pbkdf2-sha256, pbkdf2-sha512', undefined],
    ],
  );
  const known = { ...policy, terms: policy.terms.filter(({ id }) => id === 'length') };
  t.deepEqual(await check(known as PasswordPolicy, 'abc', owner), [
    { message: 'invalidPasswordMinLengthMessage', parameters: ['8'] },
  ]);
});

test('password policy: a policy is read in as much time as it is long', (t) => {
  // By the square of its length these would take longer than any test may.
  for (const filling of [' ', '(', ' (', ' and (']) {
    const text = `a${filling.repeat(400_000)}b`;
    const { policy, problems } = parsed(text);
    t.true(policy.terms.length + problems.length > 0, filling);
  }
});

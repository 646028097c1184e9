import test from 'ava';
import { Patterns } from '../../core/model/patterns.js';
import { PasswordPolicy } from '../../core/users/passwords/password-policy.js';

const parsed = (text: string | undefined) => PasswordPolicy.parse(text, new Patterns('demo'));
const owner = { username: 'alice', email: 'alice@example.org' };

test('a policy string of Keycloak is read, with its defaults for undefined values', (t) => {
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
  t.deepEqual(policy.check('demo', 'short', owner), [{ message: 'invalidPasswordMinLengthMessage', parameters: [12] }]);
  t.deepEqual(policy.check('demo', 'x'.repeat(65), owner), [
    { message: 'invalidPasswordMaxLengthMessage', parameters: [64] },
  ]);
  for (const none of [undefined, '', ' ']) {
    const { policy: open, problems: found } = parsed(none);
    t.like(open, { hashAlgorithm: 'argon2', hashIterations: -1 });
    t.deepEqual([found, open.check('demo', '', owner)], [[], []]);
  }
});

test('every broken rule answers with the message key of Keycloak', (t) => {
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
    t.deepEqual(policy.check('demo', bad, owner), [{ message, parameters }], term);
    t.deepEqual(policy.check('demo', good, owner), [], term);
  }
  const { policy } = parsed(
    cases
      .slice(0, 1)
      .concat(cases.slice(2, 6))
      .map(([term]) => term)
      .join(' and '),
  );
  t.is(policy.check('demo', '', {}).length, 5);
});

test('a term that cannot be followed is reported, and the others hold', (t) => {
  const { policy, problems } = parsed(
    'length(8) and lenght(9) and digits(many) and hashAlgorithm(md5) and passwordBlacklist(words.txt) and ' +
      'regexPattern((a) and length(10) and constructor(1) and upperCase(-1)',
  );
  t.deepEqual(
    problems.map(({ term }) => term),
    [
      'lenght(9)',
      'digits(many)',
      'hashAlgorithm(md5)',
      'passwordBlacklist(words.txt)',
      'regexPattern((a)',
      'length(10)',
      'constructor(1)',
      'upperCase(-1)',
    ],
  );
  t.regex(problems[0]?.message ?? '', /"lenght" is not known/);
  t.is(policy.hashAlgorithm, 'argon2');
  t.deepEqual(policy.check('demo', 'abc', owner), [{ message: 'invalidPasswordMinLengthMessage', parameters: [8] }]);
});

test('a policy is read in as much time as it is long', (t) => {
  // By the square of its length these would take longer than any test may.
  for (const filling of [' ', '(', ' (', ' and (']) {
    const { problems } = parsed(`a${filling.repeat(400_000)}b`);
    t.true(problems.length > 0, filling);
  }
});

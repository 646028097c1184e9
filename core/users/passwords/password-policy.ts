import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import { formatOf, HASH_ALGORITHMS, type HashPolicy, iterationsBeyond } from './password-format.js';

/** A password that breaks a rule: Keycloak's message key and its parameters. */
export interface PasswordViolation {
  readonly message: string;
  readonly parameters: readonly (string | number)[];
}

/** A term of a policy string that cannot be followed. */
export interface PolicyProblem {
  readonly term: string;
  readonly message: string;
}

interface PasswordOwner {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}
type Rule = (password: string, owner: PasswordOwner, patterns: Patterns) => PasswordViolation | undefined;

const violation = (name: string, ...parameters: (string | number)[]): PasswordViolation => ({
  message: `invalidPassword${name}Message`,
  parameters,
});
const atLeast = (name: string, characters: RegExp, minimum: number): Rule => {
  return (password) => ((password.match(characters)?.length ?? 0) < minimum ? violation(name, minimum) : undefined);
};

/** Rules with a number: Keycloak's default and what becomes of the number. */
const COUNTED: Readonly<Record<string, readonly [fallback: number, (count: number) => Rule]>> = {
  length: [8, (n) => (password) => (password.length < n ? violation('MinLength', n) : undefined)],
  maxLength: [64, (n) => (password) => (password.length > n ? violation('MaxLength', n) : undefined)],
  digits: [1, (n) => atLeast('MinDigits', /\p{Nd}/gu, n)],
  lowerCase: [1, (n) => atLeast('MinLowerCaseChars', /\p{Lowercase}/gu, n)],
  upperCase: [1, (n) => atLeast('MinUpperCaseChars', /\p{Uppercase}/gu, n)],
  specialChars: [1, (n) => atLeast('MinSpecialChars', /[^\p{L}\p{Nd}]/gu, n)],
};

const same = (a: string, b: string | undefined) => a.toLowerCase() === b?.toLowerCase();
const PLAIN: Readonly<Record<string, Rule>> = {
  notUsername: (password, { username }) => (same(password, username) ? violation('NotUsername') : undefined),
  notEmail: (password, { email }) => (same(password, email) ? violation('NotEmail') : undefined),
  notContainsUsername: (password, { username }) =>
    username !== undefined && username !== '' && password.toLowerCase().includes(username.toLowerCase())
      ? violation('NotContainsUsername')
      : undefined,
};

/** Of any algorithm: more are nobody's. */
const MOST_ITERATIONS = 5_000_000;

/** Terms that say something to the caller instead of about the password's text, with Keycloak's defaults. */
const SETTINGS = {
  hashIterations: -1,
  passwordHistory: 3,
  passwordAge: 30,
  forceExpiredPasswordChange: 365,
  maxAuthAge: 300,
} as const;
type SettingName = keyof typeof SETTINGS;

/** Every term that a policy may have. */
export const POLICY_IDS: readonly string[] = [
  ...[COUNTED, SETTINGS, PLAIN].flatMap((terms) => Object.keys(terms)),
  'regexPattern',
  'hashAlgorithm',
];

/** What the terms of a policy come to, one after another. */
class PolicyReading {
  readonly #patterns: Patterns;
  readonly settings: Partial<Record<SettingName, number>> = {};
  readonly rules: Rule[] = [];
  hashAlgorithm = 'argon2';

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
  }

  /** @returns why the term cannot be followed; undefined: it is */
  take(id: string, value: string | undefined): string | undefined {
    if (Object.hasOwn(COUNTED, id) || Object.hasOwn(SETTINGS, id)) return this.#number(id, value);
    const plain = Object.hasOwn(PLAIN, id) ? PLAIN[id] : undefined;
    if (plain !== undefined) {
      this.rules.push(plain);
      return undefined;
    }
    if (id === 'regexPattern') return this.#pattern(value);
    if (id === 'hashAlgorithm') return this.#algorithm(value);
    if (id === 'passwordBlacklist') return 'password blacklists are not supported';
    return `the password policy ${JSON.stringify(id)} is not known`;
  }

  #number(id: string, value: string | undefined): string | undefined {
    const counted = Object.hasOwn(COUNTED, id) ? COUNTED[id] : undefined;
    const number = value === undefined ? (counted?.[0] ?? SETTINGS[id as SettingName]) : Number(value);
    const isCount = Number.isSafeInteger(number) && (number >= 0 || (number === -1 && id === 'hashIterations'));
    if (value !== undefined && !isCount) return `${id} requires a whole number, not ${JSON.stringify(value)}`;
    if (counted === undefined) this.settings[id as SettingName] = number;
    else this.rules.push(counted[1](number));
    return undefined;
  }

  #algorithm(value = 'argon2'): string | undefined {
    if (!HASH_ALGORITHMS.includes(value)) {
      return `the hash algorithm ${JSON.stringify(value)} is not known; known are ${HASH_ALGORITHMS.join(', ')}`;
    }
    this.hashAlgorithm = value;
    return undefined;
  }

  /** @returns why so many iterations cannot be followed, after which the algorithm has its default; undefined: they can */
  tooDear(): string | undefined {
    const { hashAlgorithm, settings } = this;
    const { hashIterations = -1 } = settings;
    // For argon2 so many are ignored, and count again once the algorithm is another one.
    const dearest = hashIterations > MOST_ITERATIONS ? MOST_ITERATIONS : undefined;
    const most = iterationsBeyond(formatOf({ hashAlgorithm, hashIterations })) ?? dearest;
    if (most === undefined) return undefined;
    delete this.settings.hashIterations;
    return `hashIterations must be at most ${most} with ${hashAlgorithm}: more would slow down all logins`;
  }

  #pattern(value: string | undefined): string | undefined {
    if (value === undefined) return 'regexPattern requires a pattern';
    const fits: Rule = (password, _, patterns) =>
      patterns.matches(value, password) === true ? undefined : violation('RegexPattern', value);
    const mistake = this.#patterns.mistake(value);
    // One that takes too long, and is there from before, is no reason to take any password: it refuses them.
    if (mistake === undefined || this.#patterns.dear(value) !== undefined) this.rules.push(fits);
    return mistake;
  }
}

/** A realm's `passwordPolicy`, read once. */
export class PasswordPolicy implements HashPolicy {
  readonly hashAlgorithm: string;
  /** -1: the algorithm's default. */
  readonly hashIterations: number;
  /** How many former passwords may not come back; the caller compares their hashes. */
  readonly passwordHistory: number | undefined;
  /** Days within which a former password may not come back; the caller compares their hashes. */
  readonly passwordAge: number | undefined;
  /** Days after which a password must be changed. */
  readonly forceExpiredPasswordChange: number | undefined;
  /** Seconds since the login within which a user may change the password without a new login. */
  readonly maxAuthAge: number | undefined;
  readonly #rules: readonly Rule[];

  private constructor(settings: Partial<Record<SettingName, number>>, hashAlgorithm: string, rules: readonly Rule[]) {
    this.hashAlgorithm = hashAlgorithm;
    this.hashIterations = settings.hashIterations ?? -1;
    this.passwordHistory = settings.passwordHistory;
    this.passwordAge = settings.passwordAge;
    this.forceExpiredPasswordChange = settings.forceExpiredPasswordChange;
    this.maxAuthAge = settings.maxAuthAge;
    this.#rules = rules;
  }

  /**
   * Reads Keycloak's policy string: terms `id` or `id(value)` joined by ` and `; the value `undefined` means the
   * default. Terms that cannot be followed are reported and take no part, but for a
   * pattern that takes too long: it refuses every password.
   */
  static parse(
    text: string | undefined,
    patterns: Patterns,
  ): { policy: PasswordPolicy; problems: readonly PolicyProblem[] } {
    const reading = new PolicyReading(patterns);
    const problems: PolicyProblem[] = [];
    const seen = new Map<string, string>();
    for (const term of (text ?? '').split(' and ').map((part) => part.trim())) {
      if (term === '') continue;
      const isValued = term.includes('(') && term.endsWith(')');
      const id = isValued ? termId(term) : term;
      const stated = isValued ? term.slice(term.indexOf('(') + 1, -1) : undefined;
      const value = stated === 'undefined' || stated === '' ? undefined : stated;
      const problem = seen.has(id) ? `${id} is given twice` : reading.take(id, value);
      if (problem !== undefined) problems.push({ term, message: problem });
      seen.set(id, term);
    }
    // Which algorithm is meant may be said before the iterations or after them.
    const dear = reading.tooDear();
    if (dear !== undefined) problems.push({ term: seen.get('hashIterations') ?? '', message: dear });
    return { policy: new PasswordPolicy(reading.settings, reading.hashAlgorithm, reading.rules), problems };
  }

  /**
   * Every rule that the password breaks, in the policy's order; Keycloak shows the first.
   * @throws HostError where its pattern takes too much
   */
  check(realm: string, password: string, owner: PasswordOwner): readonly PasswordViolation[] {
    const patterns = new Patterns(realm);
    return this.#rules.flatMap((rule) => rule(password, owner, patterns) ?? []);
  }
}

/** The id of a policy's term, which a value in parentheses may follow. */
export function termId(term: string): string {
  const open = term.indexOf('(');
  return open < 0 ? term : term.slice(0, open).trimEnd();
}

const POLICY = Symbol('password policy');

/** What this realm asks of passwords, and how it hashes them. */
export function policyOf(realm: Realm): PasswordPolicy {
  return realm.derive(POLICY, () => PasswordPolicy.parse(realm.passwordPolicy, new Patterns(realm.name)).policy);
}

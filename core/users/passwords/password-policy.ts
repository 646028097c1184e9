import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import { BUILT_IN_PASSWORD_POLICIES, type BuiltInPasswordPolicy } from './built-in-password-policies.js';
import { exceededIterationLimit, formatOf, HASH_ALGORITHMS, type HashPolicy } from './password-format.js';

/** A term of a policy string that is invalid. */
export interface PolicyProblem {
  readonly term: string;
  readonly message: string;
}

/** A term of a policy that a provider enforces. */
export interface PolicyTerm {
  readonly id: string;
  /** The realm's value, or the default of a built-in term; undefined if the realm gives none. */
  readonly value: string | number | undefined;
}

/** Maximum iterations of any algorithm. */
const MAX_ITERATIONS = 5_000_000;

/** Terms that are settings for the callers; they do not restrict the password's text. */
type SettingName =
  | 'hashIterations'
  | 'passwordHistory'
  | 'passwordAge'
  | 'forceExpiredPasswordChange'
  | 'maxAuthAge'
  | 'recoveryCodesWarningThreshold';

/** Collects the terms of a policy one by one. */
class PolicyParser {
  readonly #patterns: Patterns;
  readonly settings: Partial<Record<SettingName, number>> = {};
  readonly terms: PolicyTerm[] = [];
  hashAlgorithm = 'argon2';

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
  }

  /**
   * Adds a term.
   * @returns the problem with it; undefined if it is valid
   */
  addTerm(id: string, value: string | undefined): string | undefined {
    const builtIn = Object.hasOwn(BUILT_IN_PASSWORD_POLICIES, id) ? BUILT_IN_PASSWORD_POLICIES[id] : undefined;
    if (id === 'regexPattern') return this.#addPattern(value);
    if (id === 'passwordBlacklist' && value === undefined) return 'passwordBlacklist requires the name of a file';
    if (id === 'hashAlgorithm') this.hashAlgorithm = value ?? 'argon2';
    else if (builtIn?.value?.type === 'integer') return this.#addNumber(id, value, builtIn);
    // As in Keycloak, ignore the value of a built-in term that has none. Unknown terms may be a plugin's.
    else this.terms.push({ id, value: builtIn === undefined || builtIn.value !== undefined ? value : undefined });
    return undefined;
  }

  #addNumber(id: string, value: string | undefined, policy: BuiltInPasswordPolicy): string | undefined {
    const number = value === undefined ? Number(policy.defaultValue) : Number(value);
    const isCount = Number.isSafeInteger(number) && number >= (policy.value?.minimum ?? 0);
    if (!isCount) return `${id} requires a whole number, not ${JSON.stringify(value)}`;
    if (policy.rule === undefined) this.settings[id as SettingName] = number;
    else this.terms.push({ id, value: number });
    return undefined;
  }

  /**
   * Checks the cost of the iterations. If they are too many, the algorithm's default applies.
   * @returns the problem; undefined if there is none
   */
  removeExcessiveIterations(): string | undefined {
    const { hashAlgorithm, settings } = this;
    const { hashIterations = -1 } = settings;
    // argon2 ignores a number this high, but it would apply again after a change of the algorithm.
    const generalLimit = hashIterations > MAX_ITERATIONS ? MAX_ITERATIONS : undefined;
    const isBuiltIn = HASH_ALGORITHMS.includes(hashAlgorithm);
    const limit =
      (isBuiltIn ? exceededIterationLimit(formatOf({ hashAlgorithm, hashIterations })) : undefined) ?? generalLimit;
    if (limit === undefined) return undefined;
    delete this.settings.hashIterations;
    return `hashIterations must be at most ${limit} with ${hashAlgorithm}: more would slow down all logins`;
  }

  #addPattern(value: string | undefined): string | undefined {
    if (value === undefined) return 'regexPattern requires a pattern';
    const problem = this.#patterns.problemWith(value);
    // A stored pattern that is too expensive is not dropped, which would accept all passwords. It rejects all
    // passwords.
    if (problem === undefined || this.#patterns.costProblemWith(value) !== undefined)
      this.terms.push({ id: 'regexPattern', value });
    return problem;
  }
}

/** A realm's parsed `passwordPolicy`. */
export class PasswordPolicy implements HashPolicy {
  /** A built-in algorithm, or a plugin's. */
  readonly hashAlgorithm: string;
  /** -1: the algorithm's default. */
  readonly hashIterations: number;
  /** Number of former passwords that may not be reused; the caller compares their hashes. */
  readonly passwordHistory: number | undefined;
  /** Days for which a former password may not be reused; the caller compares their hashes. */
  readonly passwordAge: number | undefined;
  /** Days after which a password must be changed. */
  readonly forceExpiredPasswordChange: number | undefined;
  /** Seconds since the login within which a user may change the password without signing in again. */
  readonly maxAuthAge: number | undefined;
  /** Users with fewer recovery codes are warned. */
  readonly recoveryCodesWarningThreshold: number | undefined;
  /** The rules for a new password, in the policy's order: providers of the SPI `password-policy`. */
  readonly terms: readonly PolicyTerm[];

  private constructor({ settings, hashAlgorithm, terms }: PolicyParser) {
    this.hashAlgorithm = hashAlgorithm;
    this.hashIterations = settings.hashIterations ?? -1;
    this.passwordHistory = settings.passwordHistory;
    this.passwordAge = settings.passwordAge;
    this.forceExpiredPasswordChange = settings.forceExpiredPasswordChange;
    this.maxAuthAge = settings.maxAuthAge;
    this.recoveryCodesWarningThreshold = settings.recoveryCodesWarningThreshold;
    this.terms = terms;
  }

  /**
   * Parses Keycloak's policy string: terms `id` or `id(value)` joined by ` and `; the value `undefined` means the
   * default. Invalid terms are reported and ignored, except an expensive pattern, which rejects every password. Whether
   * a provider for a term exists is not checked.
   */
  static parse(
    text: string | undefined,
    patterns: Patterns,
  ): { policy: PasswordPolicy; problems: readonly PolicyProblem[] } {
    const parser = new PolicyParser(patterns);
    const problems: PolicyProblem[] = [];
    const termsById = new Map<string, string>();
    for (const term of (text ?? '').split(' and ').map((part) => part.trim())) {
      if (term === '') continue;
      const hasValue = term.includes('(') && term.endsWith(')');
      const id = hasValue ? termId(term) : term;
      const rawValue = hasValue ? term.slice(term.indexOf('(') + 1, -1) : undefined;
      const value = rawValue === 'undefined' || rawValue === '' ? undefined : rawValue;
      const problem = termsById.has(id) ? `${id} is given twice` : parser.addTerm(id, value);
      if (problem !== undefined) problems.push({ term, message: problem });
      termsById.set(id, term);
    }
    // Check iterations last, because the algorithm may come before or after them.
    const iterationProblem = parser.removeExcessiveIterations();
    if (iterationProblem !== undefined)
      problems.push({ term: termsById.get('hashIterations') ?? '', message: iterationProblem });
    return { policy: new PasswordPolicy(parser), problems };
  }
}

/** The ID of a policy's term, without its value in parentheses. */
export function termId(term: string): string {
  const parenthesis = term.indexOf('(');
  return parenthesis < 0 ? term : term.slice(0, parenthesis).trimEnd();
}

const POLICY = Symbol('password policy');

/** The realm's requirements for passwords and their hashes. */
export function passwordPolicyOf(realm: Realm): PasswordPolicy {
  return realm.derive(POLICY, () => PasswordPolicy.parse(realm.passwordPolicy, new Patterns(realm.name)).policy);
}

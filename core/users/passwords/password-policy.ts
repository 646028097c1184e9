import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import { BUILT_IN_PASSWORD_POLICIES, type BuiltInPasswordPolicy } from './built-in-password-policies.js';
import { exceededIterationLimit, formatOf, HASH_ALGORITHMS, type HashPolicy } from './password-format.js';

/** A term of a policy string that is invalid. */
export interface PolicyProblem {
  readonly term: string;
  readonly message: string;
}

/** A term that a provider enforces. */
export interface PolicyTerm {
  readonly id: string;
  /** The realm's value, or the default of a built-in term; undefined if the realm gives none. */
  readonly value: string | number | undefined;
}

/** Maximum iterations of any algorithm. */
const MOST_ITERATIONS = 5_000_000;

/** Terms that configure the caller instead of restricting the password's text. */
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

  /** @returns the problem with the term; undefined if it is valid */
  take(id: string, value: string | undefined): string | undefined {
    const known = Object.hasOwn(BUILT_IN_PASSWORD_POLICIES, id) ? BUILT_IN_PASSWORD_POLICIES[id] : undefined;
    if (id === 'regexPattern') return this.#pattern(value);
    if (id === 'passwordBlacklist' && value === undefined) return 'passwordBlacklist requires the name of a file';
    if (id === 'hashAlgorithm') this.hashAlgorithm = value ?? 'argon2';
    else if (known?.value?.type === 'integer') return this.#number(id, value, known);
    // A built-in term without a value ignores one, as in Keycloak. Unknown terms are for plugins.
    else this.terms.push({ id, value: known === undefined || known.value !== undefined ? value : undefined });
    return undefined;
  }

  #number(id: string, value: string | undefined, known: BuiltInPasswordPolicy): string | undefined {
    const number = value === undefined ? Number(known.defaultValue) : Number(value);
    const isCount = Number.isSafeInteger(number) && number >= (known.value?.minimum ?? 0);
    if (!isCount) return `${id} requires a whole number, not ${JSON.stringify(value)}`;
    if (known.rule === undefined) this.settings[id as SettingName] = number;
    else this.terms.push({ id, value: number });
    return undefined;
  }

  /**
   * Checks the cost of the iterations; if they are too many, the algorithm's default applies. @returns the problem;
   * undefined if there is none
   */
  excessiveIterations(): string | undefined {
    const { hashAlgorithm, settings } = this;
    const { hashIterations = -1 } = settings;
    // argon2 ignores this many, but they apply again when the algorithm is changed.
    const dearest = hashIterations > MOST_ITERATIONS ? MOST_ITERATIONS : undefined;
    const isOwn = HASH_ALGORITHMS.includes(hashAlgorithm);
    const most = (isOwn ? exceededIterationLimit(formatOf({ hashAlgorithm, hashIterations })) : undefined) ?? dearest;
    if (most === undefined) return undefined;
    delete this.settings.hashIterations;
    return `hashIterations must be at most ${most} with ${hashAlgorithm}: more would slow down all logins`;
  }

  #pattern(value: string | undefined): string | undefined {
    if (value === undefined) return 'regexPattern requires a pattern';
    const mistake = this.#patterns.mistake(value);
    // A stored pattern that is too expensive must not accept all passwords: it rejects them.
    if (mistake === undefined || this.#patterns.dear(value) !== undefined)
      this.terms.push({ id: 'regexPattern', value });
    return mistake;
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
   * Reads Keycloak's policy string: terms `id` or `id(value)` joined by ` and `; the value `undefined` means the
   * default. Invalid terms are reported and ignored, except an expensive pattern, which rejects every password. Does
   * not check whether a provider for a term exists.
   */
  static parse(
    text: string | undefined,
    patterns: Patterns,
  ): { policy: PasswordPolicy; problems: readonly PolicyProblem[] } {
    const reading = new PolicyParser(patterns);
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
    // Check iterations last, because the algorithm may come before or after them.
    const dear = reading.excessiveIterations();
    if (dear !== undefined) problems.push({ term: seen.get('hashIterations') ?? '', message: dear });
    return { policy: new PasswordPolicy(reading), problems };
  }
}

/** The ID of a policy's term, without its value in parentheses. */
export function termId(term: string): string {
  const open = term.indexOf('(');
  return open < 0 ? term : term.slice(0, open).trimEnd();
}

const POLICY = Symbol('password policy');

/** The realm's requirements for passwords and their hashes. */
export function policyOf(realm: Realm): PasswordPolicy {
  return realm.derive(POLICY, () => PasswordPolicy.parse(realm.passwordPolicy, new Patterns(realm.name)).policy);
}

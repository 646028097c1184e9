import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import { BUILT_IN_PASSWORD_POLICIES, type BuiltInPasswordPolicy } from './built-in-password-policies.js';
import { formatOf, HASH_ALGORITHMS, type HashPolicy, iterationsBeyond } from './password-format.js';

/** A term of a policy string that cannot be followed. */
export interface PolicyProblem {
  readonly term: string;
  readonly message: string;
}

/** A term that a provider follows. */
export interface PolicyTerm {
  readonly id: string;
  /** As the realm has it, or the default of a term that Keyhost knows; undefined: the realm says none. */
  readonly value: string | number | undefined;
}

/** Of any algorithm: more are nobody's. */
const MOST_ITERATIONS = 5_000_000;

/** Terms that say something to the caller instead of about the password's text. */
type SettingName =
  | 'hashIterations'
  | 'passwordHistory'
  | 'passwordAge'
  | 'forceExpiredPasswordChange'
  | 'maxAuthAge'
  | 'recoveryCodesWarningThreshold';

/** What the terms of a policy come to, one after another. */
class PolicyReading {
  readonly #patterns: Patterns;
  readonly settings: Partial<Record<SettingName, number>> = {};
  readonly terms: PolicyTerm[] = [];
  hashAlgorithm = 'argon2';

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
  }

  /** @returns why the term cannot be followed; undefined: it is */
  take(id: string, value: string | undefined): string | undefined {
    const known = Object.hasOwn(BUILT_IN_PASSWORD_POLICIES, id) ? BUILT_IN_PASSWORD_POLICIES[id] : undefined;
    if (id === 'regexPattern') return this.#pattern(value);
    if (id === 'passwordBlacklist' && value === undefined) return 'passwordBlacklist requires the name of a file';
    if (id === 'hashAlgorithm') this.hashAlgorithm = value ?? 'argon2';
    else if (known?.value?.type === 'integer') return this.#number(id, value, known);
    // Keyhost's own without a value takes none, as in Keycloak. What Keyhost does not know is a plugin's.
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

  /** @returns why so many iterations cannot be followed, after which the algorithm has its default; undefined: they can */
  tooDear(): string | undefined {
    const { hashAlgorithm, settings } = this;
    const { hashIterations = -1 } = settings;
    // For argon2 so many are ignored, and count again once the algorithm is another one.
    const dearest = hashIterations > MOST_ITERATIONS ? MOST_ITERATIONS : undefined;
    const isOwn = HASH_ALGORITHMS.includes(hashAlgorithm);
    const most = (isOwn ? iterationsBeyond(formatOf({ hashAlgorithm, hashIterations })) : undefined) ?? dearest;
    if (most === undefined) return undefined;
    delete this.settings.hashIterations;
    return `hashIterations must be at most ${most} with ${hashAlgorithm}: more would slow down all logins`;
  }

  #pattern(value: string | undefined): string | undefined {
    if (value === undefined) return 'regexPattern requires a pattern';
    const mistake = this.#patterns.mistake(value);
    // One that takes too long, and is there from before, is no reason to take any password: it refuses them.
    if (mistake === undefined || this.#patterns.dear(value) !== undefined)
      this.terms.push({ id: 'regexPattern', value });
    return mistake;
  }
}

/** A realm's `passwordPolicy`, read once. */
export class PasswordPolicy implements HashPolicy {
  /** Keyhost's own, or a plugin's. */
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
  /** Users with fewer recovery codes are told so. */
  readonly recoveryCodesWarningThreshold: number | undefined;
  /** What a new password is checked by, in the policy's order: providers of the kind `password-policy`. */
  readonly terms: readonly PolicyTerm[];

  private constructor({ settings, hashAlgorithm, terms }: PolicyReading) {
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
   * default. Terms that cannot be followed are reported and take no part, but for a
   * pattern that takes too long: it refuses every password. Whether there is a provider for a term is not asked here.
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
    return { policy: new PasswordPolicy(reading), problems };
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

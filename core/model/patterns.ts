import { HostError } from '@keyhost/spi';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.js';
import { RegexBudget } from './regex-budget.js';
import { retryLater } from './retry-later.js';
import { messageOf } from './thrown.js';

/** Maximum length of a pattern, in characters. */
const MAX_LENGTH = 2_000;
/**
 * Maximum number of instructions of a compiled pattern. RE2's largest repetition, such as `.{1,1000}`, has two
 * thousand.
 */
const MAX_INSTRUCTIONS = 3_000;
/**
 * Maximum number of steps of one evaluation. A step is one instruction at one character, and takes at most 35 ns of the
 * main thread.
 */
const MAX_STEPS = 4_000_000;
/**
 * Steps of one evaluation that are not charged to the realm's budget, since a request without patterns takes about as
 * long.
 */
const FREE_STEPS = 50_000;
/** Estimated steps of compiling per instruction, per Unicode table and per case-insensitive range. */
const COMPILE_STEPS = { instructions: 25, tables: 4_000, folds: 120_000 } as const;
/**
 * Additional steps of the first match per instruction, for a pattern with Unicode tables, since each instruction may
 * contain all of their ranges.
 */
const FIRST_MATCH_STEPS = 300;
/**
 * An alternative that never matches, so that no pattern with this prefix is anchored. When RE2JS compiles an anchored
 * pattern, it computes every character in advance.
 */
const UNANCHORING_PREFIX = '\\b\\B|';

type CompiledPattern = RE2JS | 'unreadable';

const processBudget = new RegexBudget();
/** Recently used patterns. Only a few are cached, because each may take some megabytes. */
const compiledCache = new LRUCache<string, CompiledPattern>({ max: 16 });
/** Results of earlier checks. Every change of a realm checks all its patterns again. */
const problemCache = new LRUCache<string, { readonly problem: string | undefined }>({ max: 1_000 });

/**
 * Evaluates regular expressions that admins of a realm wrote. One instance is for one evaluation, such as the
 * validation of a user's attributes. Patterns are in RE2 syntax and match whole values, in linear time. The engine of
 * JavaScript can take exponential time, and would block every realm. The total cost is limited for each evaluation, and
 * for each realm over time.
 */
export class Patterns {
  readonly #realm: string;
  readonly #budget: RegexBudget;
  readonly #compiled = new Map<string, CompiledPattern>();
  #stepsLeft = MAX_STEPS;
  #freeStepsLeft = FREE_STEPS;

  /** @param realm name of the realm whose budget is charged */
  constructor(realm: string, budget = processBudget) {
    this.#realm = realm;
    this.#budget = budget;
  }

  /** Returns the reason why a pattern cannot be used; undefined if it can be used. */
  problemWith(source: string): string | undefined {
    const problem = this.#findProblem(source);
    if (problem !== 'unreadable') return problem;
    return `${JSON.stringify(source)} is not a regular expression of RE2, which has no look-around`;
  }

  /** Returns the reason why a pattern is too expensive; undefined if it is not, or if it is not in RE2 syntax. */
  costProblemWith(source: string): string | undefined {
    const problem = this.#findProblem(source);
    return problem === 'unreadable' ? undefined : problem;
  }

  /**
   * Tests whether the pattern matches the whole value.
   * @returns undefined if the pattern is not RE2 syntax, such as one with a look-ahead or a back-reference
   * @throws HostError `pattern_too_expensive` (400) if the patterns of this evaluation are too expensive,
   * `temporarily_unavailable` (503) if the realm's patterns have recently taken too much time
   */
  matches(source: string, value: string): boolean | undefined {
    const compiled = this.#compiledPattern(source);
    if (compiled === 'unreadable') return undefined;
    this.#spend(compiled.programSize() * (value.length + 1));
    return compiled.matches(value);
  }

  /** @returns undefined if the pattern can be used, `unreadable` if it is not RE2 syntax, or why it is too expensive */
  #findProblem(source: string): string | undefined {
    const cached = problemCache.get(source);
    if (cached !== undefined) return cached.problem;
    try {
      const problem = this.#compile(source) === 'unreadable' ? 'unreadable' : undefined;
      problemCache.set(source, { problem: problem });
      return problem;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return messageOf(error);
    }
  }

  #compiledPattern(source: string): CompiledPattern {
    let compiled = this.#compiled.get(source) ?? compiledCache.get(source);
    if (compiled === undefined) {
      compiled = this.#compile(source);
      const { tables, instructions } = patternSize(source);
      if (tables > 0) this.#spend(instructions * FIRST_MATCH_STEPS);
      compiledCache.set(source, compiled);
    }
    this.#compiled.set(source, compiled);
    return compiled;
  }

  #compile(source: string): CompiledPattern {
    const { instructions, tables, folds } = requireAllowedSize(source);
    this.#spend(
      instructions * COMPILE_STEPS.instructions + tables * COMPILE_STEPS.tables + folds * COMPILE_STEPS.folds,
    );
    try {
      return RE2JS.compile(UNANCHORING_PREFIX + source);
    } catch {
      return 'unreadable';
    }
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) {
      throw tooExpensive('the patterns of the realm take too long: shorten them or the values');
    }
    const charged = Math.max(0, steps - this.#freeStepsLeft);
    this.#freeStepsLeft -= steps - charged;
    const retryAfter = charged === 0 ? undefined : this.#budget.take(this.#realm, charged);
    if (retryAfter === undefined) return;
    throw retryLater(
      'temporarily_unavailable',
      'the patterns of the realm have taken too long, try again later',
      retryAfter,
    );
  }
}

function requireAllowedSize(source: string): ReturnType<typeof patternSize> {
  if (source.length > MAX_LENGTH) throw tooExpensive(`a pattern has at most ${MAX_LENGTH} characters`);
  const size = patternSize(source);
  if (size.instructions <= MAX_INSTRUCTIONS) return size;
  throw tooExpensive('a pattern takes too long: reduce its repetition counts {…}');
}

function tooExpensive(message: string): HostError {
  return new HostError('pattern_too_expensive', message, { status: 400, expose: true });
}

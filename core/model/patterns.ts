import { HostError } from '@keyhost/spi';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.js';
import { RegexBudget } from './regex-budget.js';
import { retryLater } from './retry-later.js';
import { messageOf } from './thrown.js';

/** Characters of a pattern. */
const LONGEST = 2_000;
/** Instructions of what it compiles to. `.{1,1000}`, the longest count that RE2 takes, has two thousand. */
const MAX_INSTRUCTIONS = 3_000;
/**
 * Budget of one evaluation. A step is one instruction at one character: 35 ns of the main thread in the worst case.
 * Most patterns take far less.
 */
const MAX_STEPS = 4_000_000;
/** Steps that do not count against the realm: no more than a request takes anyway. */
const UNCOUNTED_STEPS = 50_000;
/** Steps of compiling: for an instruction, a table of Unicode and a range of which each character is looked up. */
const COMPILING = { instructions: 25, tables: 4_000, folds: 120_000 } as const;
/** Steps that the first match takes for each instruction of a pattern with tables: each has all of their ranges. */
const FIRST_MATCH = 300;
/**
 * Matches nothing. After this prefix no pattern is anchored. For an anchored one, the library would compute every
 * character when it compiles.
 */
const NEVER = '\\b\\B|';

type Compiled = RE2JS | 'unreadable';

const allowance = new RegexBudget();
/** The patterns that were matched last. There are few, because each may take some megabytes. */
const inUse = new LRUCache<string, Compiled>({ max: 16 });
/** Results of earlier checks: each change of a realm checks all its patterns. */
const verdicts = new LRUCache<string, { readonly said: string | undefined }>({ max: 1_000 });

/**
 * Regular expressions of a realm's admins for one evaluation, such as that of a user's attributes. They are RE2's and
 * match whole values in linear time. JavaScript's own engine can take forever, and would block every realm. Their total
 * cost is bounded, per evaluation and over time.
 */
export class Patterns {
  readonly #realm: string;
  readonly #allowance: RegexBudget;
  readonly #compiled = new Map<string, Compiled>();
  #left = MAX_STEPS;
  #uncounted = UNCOUNTED_STEPS;

  /** @param realm whose they are, by name */
  constructor(realm: string, shared = allowance) {
    this.#realm = realm;
    this.#allowance = shared;
  }

  /** Why a pattern cannot be used; undefined: it can. */
  mistake(source: string): string | undefined {
    const said = this.#verdict(source);
    if (said !== 'unreadable') return said;
    return `${JSON.stringify(source)} is not a regular expression of RE2, which has no look-around`;
  }

  /** Why a pattern takes too long; undefined: it does not, or is no expression of RE2. */
  dear(source: string): string | undefined {
    const said = this.#verdict(source);
    return said === 'unreadable' ? undefined : said;
  }

  /**
   * Tests whether the pattern matches the whole value.
   * @returns undefined for a text that is no RE2 expression, such as one with a look-ahead or a back-reference
   * @throws HostError `pattern_too_dear` (400) if the patterns of this evaluation are too expensive,
   * `temporarily_unavailable` (503) if the realm's patterns have recently taken too much
   */
  matches(source: string, value: string): boolean | undefined {
    const compiled = this.#ready(source);
    if (compiled === 'unreadable') return undefined;
    this.#spend(compiled.programSize() * (value.length + 1));
    return compiled.matches(value);
  }

  /** @returns `unreadable`, or why it takes too long */
  #verdict(source: string): string | undefined {
    const known = verdicts.get(source);
    if (known !== undefined) return known.said;
    try {
      const said = this.#compile(source) === 'unreadable' ? 'unreadable' : undefined;
      verdicts.set(source, { said });
      return said;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return messageOf(error);
    }
  }

  #ready(source: string): Compiled {
    let compiled = this.#compiled.get(source) ?? inUse.get(source);
    if (compiled === undefined) {
      compiled = this.#compile(source);
      const { tables, instructions } = patternSize(source);
      if (tables > 0) this.#spend(instructions * FIRST_MATCH);
      inUse.set(source, compiled);
    }
    this.#compiled.set(source, compiled);
    return compiled;
  }

  #compile(source: string): Compiled {
    const { instructions, tables, folds } = requireSmall(source);
    this.#spend(instructions * COMPILING.instructions + tables * COMPILING.tables + folds * COMPILING.folds);
    try {
      return RE2JS.compile(NEVER + source);
    } catch {
      return 'unreadable';
    }
  }

  #spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw tooDear('the patterns of the realm take too long: shorten them or the values');
    }
    const counted = Math.max(0, steps - this.#uncounted);
    this.#uncounted -= steps - counted;
    const seconds = counted === 0 ? undefined : this.#allowance.take(this.#realm, counted);
    if (seconds === undefined) return;
    throw retryLater(
      'temporarily_unavailable',
      'the patterns of the realm have taken too long, try again later',
      seconds,
    );
  }
}

function requireSmall(source: string): ReturnType<typeof patternSize> {
  if (source.length > LONGEST) throw tooDear(`a pattern has at most ${LONGEST} characters`);
  const size = patternSize(source);
  if (size.instructions <= MAX_INSTRUCTIONS) return size;
  throw tooDear('a pattern takes too long: reduce its repetition counts {…}');
}

function tooDear(message: string): HostError {
  return new HostError('pattern_too_dear', message, { status: 400, expose: true });
}

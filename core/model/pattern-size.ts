/** The estimated cost of compiling a pattern. It may be too high, but hardly too low. */
export interface PatternSize {
  /** Approximate number of instructions of the compiled pattern. */
  readonly instructions: number;
  /** Number of Unicode classes such as `\\p{L}`, whose tables the compiler iterates over. */
  readonly tables: number;
  /**
   * Number of ranges in a case-insensitive pattern that may be long, since the compiler looks up each of their
   * characters.
   */
  readonly folds: number;
}

/** Flags such as `(?i)`, which match nothing. A repetition after flags repeats the part before them. */
const FLAGS = /\(\?[A-Za-z-]*\)/y;
/** The start of a group. The regular expression's group contains the prefix of a non-capturing group. */
const GROUP = /\((?:\?(?:P?<\w*>|([A-Za-z-]*:)))?/y;
const COUNT = /\{(\d+)(?:,(\d*))?\}/y;
const LONG_RANGE = /[^\0-\x7f]|\\[xpP0-7]/;

/**
 * Estimates a pattern's size in one pass, without compiling it, because a short text such as `(a?){1000}` can compile
 * to a long program. If the text is not RE2 syntax, the result is arbitrary.
 */
export function patternSize(source: string): PatternSize {
  const isCaseInsensitive = /\(\?[A-Za-z]*i/.test(source);
  let tables = 0;
  let folds = 0;
  /** The sizes of the enclosing open groups up to the current one. */
  const outerSizes: number[] = [];
  /** The size of the current group up to here, and that of its last part, which a repetition multiplies. */
  let currentSize = 2;
  let lastSize = 0;
  const add = (added: number) => {
    currentSize += added;
    lastSize = added;
  };
  for (let position = 0; position < source.length; ) {
    const char = source[position];
    const next = source[position + 1];
    const [flags, group, count] = [FLAGS, GROUP, COUNT].map((token) => matchAt(token, source, position));
    if (flags !== undefined) position += flags[0].length;
    else if (count !== undefined) {
      const repetitions = Math.max(Number(count[1]), Number(count[2] || 0)) + 1;
      currentSize += (lastSize + 1) * repetitions - lastSize;
      lastSize = (lastSize + 1) * repetitions;
      position += count[0].length;
    } else if (char === '\\' && next === 'Q') {
      const end = indexAfter(source, '\\E', position + 2);
      const text = source.slice(position + 2, end).replace(/\\E$/, '');
      currentSize += text.length;
      if (text !== '') lastSize = 1;
      position = end;
    } else if (char === '[') {
      const end = indexAfterClass(source, position);
      const text = source.slice(position, end);
      tables += text.split(/\\[pP]/).length - 1;
      if (isCaseInsensitive && LONG_RANGE.test(text)) folds += text.split('-').length - 1;
      add(1);
      position = end;
    } else if (char === '\\') {
      if (next === 'p' || next === 'P') tables += 1;
      add(1);
      position =
        source[position + 2] === '{' && /[pPx]/.test(next ?? '') ? indexAfter(source, '}', position + 3) : position + 2;
    } else if (group !== undefined) {
      outerSizes.push(currentSize);
      [currentSize, lastSize] = [group[1] === undefined ? 3 : 1, 0];
      position += group[0].length;
    } else if (char === ')') {
      lastSize = currentSize;
      currentSize += outerSizes.pop() ?? 0;
      position += 1;
    } else {
      // A branch may be empty, and has an instruction even then.
      if (char === '|') add(2);
      else if (char === '*' || char === '+' || char === '?') {
        currentSize += 1;
        lastSize += 1;
      } else add(1);
      position += 1;
    }
  }
  return { instructions: outerSizes.reduce((sum, outer) => sum + outer, currentSize), tables, folds };
}

function matchAt(pattern: RegExp, source: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source) ?? undefined;
}

/** Returns the index after the next `text`, or the end if there is none. */
function indexAfter(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index < 0 ? source.length : index + text.length;
}

function indexAfterClass(source: string, start: number): number {
  let position = start + (source[start + 1] === '^' ? 2 : 1);
  // A `]` in the first position is a character of the class.
  if (source[position] === ']') position += 1;
  while (position < source.length && source[position] !== ']') {
    if (source[position] === '\\') position += 2;
    else if (source.startsWith('[:', position) && source.includes(':]', position))
      position = indexAfter(source, ':]', position + 2);
    else position += 1;
  }
  return Math.min(source.length, position + 1);
}

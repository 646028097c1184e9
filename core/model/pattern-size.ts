/** Cost of compiling a pattern, estimated from its text; rather too high than too low. */
export interface PatternSize {
  /** Instructions of the program, about. */
  readonly instructions: number;
  /** Unicode classes, whose tables the compiler walks through. */
  readonly tables: number;
  /** Ranges that may be long, in a pattern without case: each of their characters is looked up. */
  readonly folds: number;
}

/** Flags such as `(?i)`, which match nothing. A count after them repeats the part before them. */
const FLAGS = /\(\?[A-Za-z-]*\)/y;
/** The start of a group, and the prefix that makes it a non-capturing one. */
const GROUP = /\((?:\?(?:P?<\w*>|([A-Za-z-]*:)))?/y;
const COUNT = /\{(\d+)(?:,(\d*))?\}/y;
const LONG_RANGE = /[^\0-\x7f]|\\[xpP0-7]/;

/**
 * Reads a pattern once, without compiling it: `(a?){1000}` is short, and its program is long. The size of a text that
 * is no RE2 expression is arbitrary.
 */
export function patternSize(source: string): PatternSize {
  const isFolded = /\(\?[A-Za-z]*i/.test(source);
  let tables = 0;
  let folds = 0;
  /** The sizes read before each open group. */
  const before: number[] = [];
  /** The size read in this group, and that of its last part, which a count repeats. */
  let read = 2;
  let last = 0;
  const add = (size: number) => {
    read += size;
    last = size;
  };
  for (let at = 0; at < source.length; ) {
    const char = source[at];
    const next = source[at + 1];
    const [flags, group, count] = [FLAGS, GROUP, COUNT].map((token) => matched(token, source, at));
    if (flags !== undefined) at += flags[0].length;
    else if (count !== undefined) {
      const most = Math.max(Number(count[1]), Number(count[2] || 0)) + 1;
      read += (last + 1) * most - last;
      last = (last + 1) * most;
      at += count[0].length;
    } else if (char === '\\' && next === 'Q') {
      const end = endOf(source, '\\E', at + 2);
      const text = source.slice(at + 2, end).replace(/\\E$/, '');
      read += text.length;
      if (text !== '') last = 1;
      at = end;
    } else if (char === '[') {
      const end = endOfClass(source, at);
      const text = source.slice(at, end);
      tables += text.split(/\\[pP]/).length - 1;
      if (isFolded && LONG_RANGE.test(text)) folds += text.split('-').length - 1;
      add(1);
      at = end;
    } else if (char === '\\') {
      if (next === 'p' || next === 'P') tables += 1;
      add(1);
      at = source[at + 2] === '{' && /[pPx]/.test(next ?? '') ? endOf(source, '}', at + 3) : at + 2;
    } else if (group !== undefined) {
      before.push(read);
      [read, last] = [group[1] === undefined ? 3 : 1, 0];
      at += group[0].length;
    } else if (char === ')') {
      last = read;
      read += before.pop() ?? 0;
      at += 1;
    } else {
      // A branch may be empty, which is an instruction as well.
      if (char === '|') add(2);
      else if (char === '*' || char === '+' || char === '?') {
        read += 1;
        last += 1;
      } else add(1);
      at += 1;
    }
  }
  return { instructions: before.reduce((sum, size) => sum + size, read), tables, folds };
}

function matched(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

/** The offset after the next `text`, or the end if there is none. */
function endOf(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from);
  return at < 0 ? source.length : at + text.length;
}

function endOfClass(source: string, start: number): number {
  let at = start + (source[start + 1] === '^' ? 2 : 1);
  // A `]` in the first position is a character of the class.
  if (source[at] === ']') at += 1;
  while (at < source.length && source[at] !== ']') {
    if (source[at] === '\\') at += 2;
    else if (source.startsWith('[:', at) && source.includes(':]', at)) at = endOf(source, ':]', at + 2);
    else at += 1;
  }
  return Math.min(source.length, at + 1);
}

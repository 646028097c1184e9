import { COUNTED, type CommentPattern, REFUSED } from './comment-patterns.js';
import { commentsIn, TAG } from './comments-in.js';

/** A place in a comment that reads like a translation. */
export interface CommentFault {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** From 1, as editors count. */
  readonly column: number;
  readonly message: string;
}

/** The columns that the formatter gives code; it does not wrap comments. */
const WIDTH = 120;
/** Words in a sentence, as in the documentation. */
const MAX_WORDS = 25;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * @param file its name; the ending decides how it is parsed
 * @returns `refused`: faults that no comment has; `counted`: faults whose number may not grow
 */
export function lintComments(source: string, file: string) {
  const refused: CommentFault[] = [];
  const counted: CommentFault[] = [];
  for (const { prose, start, end } of commentsIn(source, file)) {
    const { text, offsets } = joined(prose);
    const fault = (index: number, name: string, message: string): CommentFault => ({
      ...placeOf(source, start + (offsets[index] ?? 0)),
      name,
      message,
    });
    const find = (patterns: readonly CommentPattern[]) =>
      patterns.flatMap(({ name, expression, advice }) =>
        [...text.matchAll(expression)].map((match) => fault(match.index, name, `“${match[0]}”: ${advice}`)),
      );
    refused.push(...find(REFUSED), ...wideLines(source, start, end));
    counted.push(...find(COUNTED));
    for (const { 0: part, index: at } of text.matchAll(new RegExp(`[^${TAG}]+`, 'g')))
      for (const { segment, index } of sentences.segment(part)) {
        const count = segment.split(' ').filter((word) => /[\p{L}\p{N}_]/u.test(word)).length;
        if (count > MAX_WORDS) counted.push(fault(at + index, 'long sentence', `${count} words: split the sentence.`));
      }
  }
  return { refused: refused.sort(byPlace), counted: counted.sort(byPlace) };
}

function byPlace(a: CommentFault, b: CommentFault): number {
  return a.line - b.line || a.column - b.column;
}

/** The words with one space between them, and the offset that each character has in `prose`. */
function joined(prose: string): { text: string; offsets: readonly number[] } {
  let text = '';
  const offsets: number[] = [];
  for (const { 0: word, index } of prose.matchAll(/\S+/g)) {
    if (text !== '') {
      text += ' ';
      offsets.push(index - 1);
    }
    text += word;
    for (let at = 0; at < word.length; at += 1) offsets.push(index + at);
  }
  return { text, offsets };
}

function wideLines(source: string, start: number, end: number): CommentFault[] {
  const from = source.lastIndexOf('\n', start) + 1;
  const { line } = placeOf(source, start);
  return source
    .slice(from, end)
    .split('\n')
    .flatMap((text, index) =>
      // An address or a path without a space cannot be wrapped.
      text.length > WIDTH && /\S\s+\S.*\s\S/.test(text.replace(/^\s*(\/\*\*?|\*|\/\/)\s*/, ''))
        ? [
            {
              name: 'width',
              line: line + index,
              column: WIDTH + 1,
              message: `The line is wider than ${WIDTH} columns.`,
            },
          ]
        : [],
    );
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

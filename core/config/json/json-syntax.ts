import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** jsonc-parser's options for plain JSON. */
export const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a text in double quotes, a number, true, false or null is expected',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: '":" is expected',
  CommaExpected: '"," is expected',
  CloseBraceExpected: '"}" is expected',
  CloseBracketExpected: '"]" is expected',
  EndOfFileExpected: 'something follows the end',
  InvalidCommentToken: 'it has no comments',
  UnexpectedEndOfComment: 'it has no comments',
  UnexpectedEndOfString: 'the closing double quote is missing',
  UnexpectedEndOfNumber: 'this is no number',
  InvalidUnicode: '"\\u" needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this "\\" escapes nothing: write "\\\\"',
  InvalidCharacter: 'a control character in a text is written as \\n, \\t or \\u00…',
};

/** Where a text that JSON.parse refuses stops being JSON, and why, for the person who wrote it. */
export function syntaxMistake(text: string): { offset: number; message: string } {
  if (text.trim() === '') return { offset: 0, message: 'not JSON: the file is empty' };
  const errors: ParseError[] = [];
  parseTree(text, errors, STRICT);
  const [first, second] = errors.sort((a, b) => a.offset - b.offset);
  if (first === undefined) return { offset: 0, message: 'not JSON' };
  return { offset: first.offset, message: `not JSON: ${explain(first, second, text)}` };
}

function explain({ error, offset }: ParseError, next: ParseError | undefined, text: string): string {
  const before = text.slice(0, offset).trimEnd();
  const character = text[offset];
  if (before.endsWith(',') && (character === '}' || character === ']')) return `there is a comma before "${character}"`;
  if (text.slice(offset).trim() === '') return 'the file ends too early';
  let code = printParseErrorCode(error);
  // A bare word is told first, then that a key was expected in its place: that says more.
  if (code === 'InvalidSymbol' && next !== undefined && printParseErrorCode(next.error) === 'PropertyNameExpected') {
    code = 'PropertyNameExpected';
  }
  return MESSAGES[code] ?? code;
}

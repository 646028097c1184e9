import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** jsonc-parser's options for plain JSON. */
export const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a string in double quotes, a number, true, false or null',
  InvalidNumberFormat: 'invalid number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'unexpected text after the end',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'the closing double quote is missing',
  UnexpectedEndOfNumber: 'invalid number',
  InvalidUnicode: '"\\u" requires four hexadecimal digits',
  InvalidEscapeCharacter: 'invalid escape: write "\\\\" for a backslash',
  InvalidCharacter: 'write control characters in strings as \\n, \\t or \\u00…',
};

/** Explains to the author of a text why JSON.parse rejects it, and where. */
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
  if (before.endsWith(',') && (character === '}' || character === ']')) return `remove the comma before "${character}"`;
  if (text.slice(offset).trim() === '') return 'unexpected end of the file';
  let code = printParseErrorCode(error);
  // For a word without quotes, the parser reports an invalid symbol first and then that it expected a key, which is
  // more helpful.
  if (code === 'InvalidSymbol' && next !== undefined && printParseErrorCode(next.error) === 'PropertyNameExpected') {
    code = 'PropertyNameExpected';
  }
  return MESSAGES[code] ?? code;
}

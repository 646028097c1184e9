import { isUtf8 } from 'node:buffer';
import { defined } from '../../model/defined.js';
import type { Problem } from '../problem.js';
import { findTooDeep, JSON_DEPTH_LIMIT } from './json-depth.js';
import { keyMistakes, removeForbiddenKeys } from './json-keys.js';
import { JsonPositions, type Position } from './json-positions.js';
import { syntaxMistake } from './json-syntax.js';
import { LONE_SURROGATE, loneSurrogates } from './lone-surrogates.js';

export type JsonPath = readonly (string | number)[];

/** A JSON file, or a value in one, with the positions of the values in it. */
export interface JsonDocument {
  readonly file: string;
  /** The path of `value` in the file. All other paths are relative to `value`. */
  readonly basePath: JsonPath;
  /** The parsed value. The last value of a repeated key counts. Keys such as `__proto__` are removed. */
  readonly value: unknown;
  /** Keys that are repeated or not allowed, such as `__proto__`, and strings with half of a surrogate pair. */
  readonly mistakes: readonly { readonly path: JsonPath; readonly problem: Problem }[];
  /** The position of a value, or of its nearest existing parent if the value is missing. */
  locate(path: JsonPath): Position;
  /** A problem at the position of a value. */
  problem(path: JsonPath, message: string, suggestion?: string): Problem;
}

/** `clients[2].redirectUris[0]` */
export function formatPath(path: JsonPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** `/clients/2/redirectUris/0` (RFC 6901) */
export function formatPointer(path: JsonPath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Reads JSON (RFC 8259: no comments; a byte order mark is skipped). JSON.parse reads the value, and jsonc-parser finds
 * positions and repeated keys.
 * @returns the document, or the reason why it cannot be read: bad UTF-8, bad syntax, or too deep nesting
 */
export function readJsonDocument(
  file: string,
  bytes: Uint8Array,
): { document: JsonDocument } | { problems: Problem[] } {
  const text = new TextDecoder().decode(bytes);
  const positions = new JsonPositions(text);
  const problemAt = (offset: number, path: JsonPath, message: string): Problem => ({
    file,
    ...positions.at(offset),
    path: formatPath(path),
    message,
  });
  const parsed = parseText(text, bytes);
  if ('message' in parsed) return { problems: [problemAt(parsed.offset, [], parsed.message)] };
  const { value } = parsed;
  const mistakes = keyMistakes(text, value);
  if (mistakes.length > 0) removeForbiddenKeys(value);
  const locate = (path: JsonPath) => positions.of(path);
  const surrogateMistakes = loneSurrogates(text, value).map((path) => {
    const problem = defined({ file, ...locate(path), path: formatPath(path), message: LONE_SURROGATE });
    return { path, problem };
  });
  return {
    document: {
      file,
      basePath: [],
      value,
      mistakes: [
        ...mistakes.map(({ path, offset, message }) => ({ path, problem: problemAt(offset, path, message) })),
        ...surrogateMistakes,
      ],
      locate,
      problem: (path, message, suggestion) => {
        const exact = withKeysAsText(value, path);
        return defined({ file, ...locate(exact), path: formatPath(exact), message, suggestion });
      },
    },
  };
}

/** An element of a document's list, as a document. Its problems have paths in the whole file. */
export function elementOf(document: JsonDocument, index: number): JsonDocument {
  return {
    file: document.file,
    basePath: [...document.basePath, index],
    value: (document.value as readonly unknown[])[index],
    mistakes: document.mistakes
      .filter(({ path }) => path[0] === index)
      .map(({ path, problem }) => ({ path: path.slice(1), problem })),
    locate: (path) => document.locate([index, ...path]),
    problem: (path, message, suggestion) => document.problem([index, ...path], message, suggestion),
  };
}

interface Mistake {
  readonly offset: number;
  readonly message: string;
}

/** The parsed value of the text, or the first reason why it cannot be read. */
function parseText(text: string, bytes: Uint8Array): { readonly value: unknown } | Mistake {
  if (!isUtf8(bytes)) return encodingMistake(bytes, text);
  const deepOffset = findTooDeep(text);
  if (deepOffset !== undefined) {
    return { offset: deepOffset, message: `objects and lists are nested deeper than ${JSON_DEPTH_LIMIT} levels` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return syntaxMistake(text);
  }
}

/**
 * Makes the keys of objects strings. A path from a JSON pointer has the number 1 both for the key "1" and for the index
 * 1.
 */
function withKeysAsText(value: unknown, path: JsonPath): JsonPath {
  let holder = value;
  return path.map((part) => {
    const exact = Array.isArray(holder) || typeof holder !== 'object' ? part : String(part);
    holder = (holder as Record<string, unknown> | null | undefined)?.[exact];
    return exact;
  });
}

function encodingMistake(bytes: Uint8Array, text: string): Mistake {
  const byteOrderMark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (byteOrderMark === 0xfffe || byteOrderMark === 0xfeff)
    return { offset: 0, message: 'the file is UTF-16: save it as UTF-8' };
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let offset = text.indexOf('\ufffd'); offset >= 0; offset = text.indexOf('\ufffd', offset + 1)) {
    const byte = start + Buffer.byteLength(text.slice(0, offset));
    const isWrittenOut = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd;
    if (!isWrittenOut) return { offset, message: `not UTF-8: the byte 0x${(bytes[byte] ?? 0).toString(16)}` };
  }
  return { offset: 0, message: 'not UTF-8' };
}

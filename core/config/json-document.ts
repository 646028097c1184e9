import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import type { Problem } from './problem.js';

export type JsonPath = readonly (string | number)[];

/** A JSON file that can say where each of its values stands. */
export interface JsonDocument {
  readonly file: string;
  readonly value: unknown;
  /** The place of a value; of its nearest existing parent when it is missing. */
  locate(path: JsonPath): { line: number; column: number };
  /** A problem at a value's place. */
  problem(path: JsonPath, message: string, suggestion?: string): Problem;
}

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** Beyond this size repeated keys are not looked for: it would be the slowest part of reading. */
const DUPLICATE_CHECK_LIMIT = 8 * 1024 * 1024;

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

/**
 * Reads JSON (RFC 8259, no comments). JSON.parse does the reading; jsonc-parser only finds places.
 * @returns the document, or every problem: bad UTF-8, bad syntax, repeated keys, keys that would reach a prototype
 */
export function readJsonDocument(
  file: string,
  bytes: Uint8Array,
): { document: JsonDocument } | { problems: Problem[] } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problems: [{ file, line: 0, column: 0, path: '', message: 'the file is not UTF-8' }] };
  }
  const lines = new LineIndex(text);
  const at = (offset: number, path: JsonPath, message: string): Problem => ({
    file,
    ...lines.at(offset),
    path: formatPath(path),
    message,
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    parseTree(text, errors, STRICT);
    const found = errors.map(({ offset, error }) =>
      at(offset, [], `not JSON: ${readable(printParseErrorCode(error))}`),
    );
    return { problems: found.length > 0 ? found.slice(0, 1) : [at(0, [], 'not JSON')] };
  }
  const problems = text.length <= DUPLICATE_CHECK_LIMIT ? keyProblems(text, at) : [];
  if (problems.length > 0) return { problems };
  let tree: Node | undefined;
  const locate = (path: JsonPath) => {
    tree ??= parseTree(text, [], STRICT);
    for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
      const node = findNodeAtLocation(tree, [...path.slice(0, length)]);
      if (node === undefined) continue;
      // A member is pointed at by its key: that is what has to be changed.
      const start = node.parent?.type === 'property' && length < path.length + 1 ? node.parent.offset : node.offset;
      return lines.at(length === path.length ? start : node.offset);
    }
    return { line: 1, column: 1 };
  };
  return {
    document: {
      file,
      value,
      locate,
      problem: (path, message, suggestion) => ({
        file,
        ...locate(path),
        path: formatPath(path),
        message,
        ...(suggestion === undefined ? {} : { suggestion }),
      }),
    },
  };
}

function keyProblems(text: string, at: (offset: number, path: JsonPath, message: string) => Problem): Problem[] {
  const problems: Problem[] = [];
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, offset, _length, _line, _column, pathOf) => {
      const seen = open.at(-1);
      if (FORBIDDEN_KEYS.has(name)) problems.push(at(offset, [...pathOf(), name], `the key "${name}" is not allowed`));
      else if (seen?.has(name)) problems.push(at(offset, [...pathOf(), name], `the key "${name}" stands here twice`));
      seen?.add(name);
    },
  });
  return problems;
}

function readable(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** Line and column of an offset, both from 1. */
class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

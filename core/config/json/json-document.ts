import { isUtf8 } from 'node:buffer';
import { type Node, parseTree, visit } from 'jsonc-parser';
import { defined } from '../../model/defined.js';
import type { Problem } from '../problem.js';
import { JSON_DEPTH_LIMIT, tooDeep } from './json-depth.js';
import { STRICT, syntaxMistake } from './json-syntax.js';

export type JsonPath = readonly (string | number)[];

/** A JSON file, or a value in it, that can say where each of its values stands. */
export interface JsonDocument {
  readonly file: string;
  /** Where the value stands in the file; other paths begin at the value. */
  readonly at: JsonPath;
  /** Of keys that stand twice the last one counts; without keys that would reach a prototype. */
  readonly value: unknown;
  /** Keys that stand twice, or would reach a prototype. */
  readonly mistakes: readonly { readonly path: JsonPath; readonly problem: Problem }[];
  /** The place of a value; of its nearest existing parent when it is missing. */
  locate(path: JsonPath): { line: number; column: number };
  /** A problem at a value's place. */
  problem(path: JsonPath, message: string, suggestion?: string): Problem;
}

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
 * Reads JSON (RFC 8259, no comments; a byte order mark is left out). JSON.parse does the reading; jsonc-parser only
 * finds places.
 * @returns the document, or why there is none: bad UTF-8, bad syntax
 */
export function readJsonDocument(
  file: string,
  bytes: Uint8Array,
): { document: JsonDocument } | { problems: Problem[] } {
  const text = new TextDecoder().decode(bytes);
  const lines = new LineIndex(text);
  const at = (offset: number, path: JsonPath, message: string): Problem => ({
    file,
    ...lines.at(offset),
    path: formatPath(path),
    message,
  });
  if (!isUtf8(bytes)) {
    const { offset, message } = encodingMistake(bytes, text);
    return { problems: [at(offset, [], message)] };
  }
  const deep = tooDeep(text);
  if (deep !== undefined) {
    return { problems: [at(deep, [], `more than ${JSON_DEPTH_LIMIT} objects and lists stand within each other`)] };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message } = syntaxMistake(text);
    return { problems: [at(offset, [], message)] };
  }
  const mistakes = keyMistakes(text, value, at);
  if (mistakes.length > 0) removeForbiddenKeys(value);
  let tree: Node | undefined;
  const locate = (path: JsonPath) => {
    tree ??= parseTree(text, [], STRICT);
    for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
      const node = nodeAt(tree, path.slice(0, length));
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
      at: [],
      value,
      mistakes,
      locate,
      problem: (path, message, suggestion) => {
        const exact = withKeysAsText(value, path);
        return {
          file,
          ...locate(exact),
          path: formatPath(exact),
          message,
          ...defined({ suggestion }),
        };
      },
    },
  };
}

/** An element of a document's list as a document of its own: its problems name their paths in the file. */
export function elementOf(document: JsonDocument, index: number): JsonDocument {
  return {
    file: document.file,
    at: [...document.at, index],
    value: (document.value as readonly unknown[])[index],
    mistakes: document.mistakes
      .filter(({ path }) => path[0] === index)
      .map(({ path, problem }) => ({ path: path.slice(1), problem })),
    locate: (path) => document.locate([index, ...path]),
    problem: (path, message, suggestion) => document.problem([index, ...path], message, suggestion),
  };
}

/** The node of a value. Of members with the same key the last one counts, as in JSON.parse. */
function nodeAt(root: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = root;
  for (const part of path) {
    const { type, children = [] }: Node = node;
    if (type === 'array') node = children[Number(part)];
    else node = children.findLast(({ children: [key] = [] }) => key?.value === String(part))?.children?.[1];
    if (node === undefined) return undefined;
  }
  return node;
}

/** A JSON pointer does not tell the key "1" from the index 1: the value does. */
function withKeysAsText(value: unknown, path: JsonPath): JsonPath {
  let holder = value;
  return path.map((part) => {
    const exact = Array.isArray(holder) || typeof holder !== 'object' ? part : String(part);
    holder = (holder as Record<string, unknown> | null | undefined)?.[exact];
    return exact;
  });
}

function encodingMistake(bytes: Uint8Array, text: string): { offset: number; message: string } {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe || mark === 0xfeff) return { offset: 0, message: 'the file is UTF-16: save it as UTF-8' };
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let offset = text.indexOf('\ufffd'); offset >= 0; offset = text.indexOf('\ufffd', offset + 1)) {
    const byte = start + Buffer.byteLength(text.slice(0, offset));
    const isWrittenOut = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd;
    if (!isWrittenOut) return { offset, message: `not UTF-8: the byte 0x${(bytes[byte] ?? 0).toString(16)}` };
  }
  return { offset: 0, message: 'not UTF-8' };
}

function keyMistakes(
  text: string,
  value: unknown,
  at: (offset: number, path: JsonPath, message: string) => Problem,
): JsonDocument['mistakes'] {
  if (text.length > DUPLICATE_CHECK_LIMIT && !hasForbiddenKey(value)) return [];
  const mistakes: { path: JsonPath; problem: Problem }[] = [];
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, offset, _length, _line, _column, pathOf) => {
      const seen = open.at(-1);
      const complain = (what: string) => {
        const path = [...pathOf(), name];
        mistakes.push({ path, problem: at(offset, path, `the key "${name}" ${what}`) });
      };
      if (FORBIDDEN_KEYS.has(name)) complain('is not allowed');
      else if (seen?.has(name)) complain('stands here twice');
      seen?.add(name);
    },
  });
  return mistakes;
}

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasForbiddenKey);
  return Object.entries(value).some(([key, item]) => FORBIDDEN_KEYS.has(key) || hasForbiddenKey(item));
}

function removeForbiddenKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of FORBIDDEN_KEYS) if (Object.hasOwn(value, key)) delete (value as Record<string, unknown>)[key];
  for (const item of Object.values(value)) removeForbiddenKeys(item);
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

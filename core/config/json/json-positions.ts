import { type Node, parseTree } from 'jsonc-parser';
import type { JsonPath } from './json-document.js';
import { STRICT } from './json-syntax.js';

/** A position in a text: line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Locates the values of a JSON text. The text is parsed for positions on first use. */
export class JsonPositions {
  readonly #text: string;
  readonly #lines: LineIndex;
  #tree: Node | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineIndex(text);
  }

  at(offset: number): Position {
    return this.#lines.at(offset);
  }

  /** The position of a value, or of its nearest existing parent if the value is missing. */
  of(path: JsonPath): Position {
    this.#tree ??= parseTree(this.#text, [], STRICT);
    for (let length = path.length; this.#tree !== undefined && length >= 0; length -= 1) {
      const node = nodeAt(this.#tree, path.slice(0, length));
      if (node === undefined) continue;
      // The position of a member is that of its key. The position of the parent of a missing value is the parent's
      // beginning.
      const isMember = length === path.length && node.parent?.type === 'property';
      return this.at(isMember ? (node.parent as Node).offset : node.offset);
    }
    return { line: 1, column: 1 };
  }
}

/** The node of a value. The last value of a repeated key counts, as in JSON.parse. */
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

/** Converts offsets in a text to lines and columns. */
class LineIndex {
  readonly #lineStarts: number[] = [0];

  constructor(text: string) {
    for (let lineEnd = text.indexOf('\n'); lineEnd >= 0; lineEnd = text.indexOf('\n', lineEnd + 1))
      this.#lineStarts.push(lineEnd + 1);
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

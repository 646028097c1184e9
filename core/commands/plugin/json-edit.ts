import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

type Path = (string | number)[];

/** The maximum length of a line before its list gets a line for each element. */
const LINE_WIDTH = 160;
/** The maximum length of an entry on one line. */
const ENTRY_WIDTH = 100;

/** Adds an element to the end of a list. The rest of the text stays as it is, unless the line becomes too long. */
export function insertElement(text: string, path: Path, element: unknown): string {
  const list = nodeAt(text, path);
  const items = list.children ?? [];
  const last = items.at(-1);
  const elementText = oneLine(element);
  if (last === undefined) return replaceRange(text, list.offset, end(list), `[${elementText}]`);
  const before = items.at(-2);
  const gap =
    before === undefined ? `,${text.slice(list.offset + 1, last.offset) || ' '}` : text.slice(end(before), last.offset);
  return splitIfLong(replaceRange(text, end(last), end(last), `${gap}${elementText}`), path);
}

/**
 * Adds an entry to the end of a list, which is created if missing. A long entry is split into several lines, as
 * formatters do.
 */
export function appendEntry(text: string, path: Path, entry: unknown): string {
  const withList = findNodeAtLocation(parseTree(text) as Node, path) === undefined ? setIn(text, path, []) : text;
  const list = nodeAt(withList, path);
  const lineStart = withList.lastIndexOf('\n', list.offset) + 1;
  const outerIndent = /^[ \t]*/.exec(withList.slice(lineStart))?.[0] ?? '';
  const items = (list.children ?? []).map((item) => withList.slice(item.offset, end(item)));
  const first = list.children?.[0];
  const before = first === undefined ? '' : withList.slice(list.offset + 1, first.offset);
  const indent = /\n([ \t]*)$/.exec(before)?.[1] ?? `${outerIndent}  `;
  const eol = withList.includes('\r\n') ? '\r\n' : '\n';
  const entryText = formatEntry(entry, indent).replaceAll('\n', eol);
  const last = list.children?.at(-1);
  if (last !== undefined && before.includes('\n')) {
    return replaceRange(withList, end(last), end(last), `,${eol}${indent}${entryText}`);
  }
  const elements = [...items, entryText].map((item) => `${indent}${item}`).join(`,${eol}`);
  return replaceRange(withList, list.offset, end(list), `[${eol}${elements}${eol}${outerIndent}]`);
}

/** Removes an element of a list. */
export function removeElement(text: string, path: Path, index: number): string {
  const list = nodeAt(text, path);
  const items = list.children ?? [];
  const before = items[index - 1];
  const item = items[index];
  const after = items[index + 1];
  if (item === undefined) throw new RangeError(`${path.join('.')} has no element ${index}`);
  if (before !== undefined) return replaceRange(text, end(before), end(item), '');
  if (after !== undefined) return replaceRange(text, item.offset, after.offset, '');
  return replaceRange(text, list.offset, end(list), '[]');
}

/** Sets a member of the object at an index of a list. */
export function setMember(text: string, list: Path, index: number, key: string, value: unknown): string {
  const holder = nodeAt(text, [...list, index]);
  const existingNode = findNodeAtLocation(holder, [key]);
  const valueText = oneLine(value);
  if (existingNode !== undefined)
    return splitIfLong(replaceRange(text, existingNode.offset, end(existingNode), valueText), list);
  const last = holder.children?.at(-1);
  if (last === undefined) return replaceRange(text, holder.offset, end(holder), `{ "${key}": ${valueText} }`);
  const gap = text.slice(holder.offset + 1, holder.children?.[0]?.offset) || ' ';
  return splitIfLong(replaceRange(text, end(last), end(last), `,${gap}"${key}": ${valueText}`), list);
}

/** Sets a value, and creates missing parents. @throws RangeError if a parent is not an object */
export function setIn(text: string, path: readonly (string | number)[], value: unknown): string {
  let depth = path.length;
  const holderAt = (length: number) => findNodeAtLocation(parseTree(text) as Node, path.slice(0, length));
  let holder = holderAt(depth);
  while (holder === undefined) holder = holderAt(--depth);
  if (depth === path.length) {
    const valueText = oneLine(value);
    return text.slice(holder.offset, end(holder)) === valueText
      ? text
      : replaceRange(text, holder.offset, end(holder), valueText);
  }
  if (holder.type !== 'object') throw new RangeError(`${path.slice(0, depth).join('.')} is no object`);
  const member = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const memberText = `${JSON.stringify(path[depth])}: ${oneLine(member)}`;
  const first = holder.children?.[0];
  const last = holder.children?.at(-1);
  if (first === undefined || last === undefined)
    return replaceRange(text, holder.offset, end(holder), `{ ${memberText} }`);
  return replaceRange(
    text,
    end(last),
    end(last),
    `,${text.slice(holder.offset + 1, first.offset) || ' '}${memberText}`,
  );
}

/** Gives each element of a list its own line if the list's line is too long. */
function splitIfLong(text: string, path: Path): string {
  const list = nodeAt(text, path);
  const lineStart = text.lastIndexOf('\n', list.offset) + 1;
  const lineEnd = text.indexOf('\n', lineStart);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  if (line.length <= LINE_WIDTH || text.slice(list.offset, end(list)).includes('\n')) return text;
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const items = (list.children ?? []).map((item) => `${indent}  ${text.slice(item.offset, end(item))}`);
  return replaceRange(text, list.offset, end(list), `[\n${items.join(',\n')}\n${indent}]`);
}

function nodeAt(text: string, path: Path): Node {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, path);
  if (node === undefined) throw new RangeError(`${path.join('.')} not found`);
  return node;
}

/** Formats a value as a person would write it: `{ "module": "x" }`. */
function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/**
 * Formats a value on one line if it is short, and otherwise each member on its own line.
 * @param indent the indentation of the first line
 */
export function formatEntry(value: unknown, indent = ''): string {
  const short = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= ENTRY_WIDTH) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${formatEntry(item, inner)}`).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${formatEntry(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

const end = (node: Node) => node.offset + node.length;
const replaceRange = (text: string, from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to);

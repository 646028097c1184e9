import { type Node, parseTree } from 'jsonc-parser';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskedFile } from './masked-file.js';

/** In a text that is not JSON, a line with one of these words may hold a secret. */
const SECRET_WORD = /secret|pass|private|key|token|credential|value/i;

/**
 * The text of a realm file with its secrets masked in place; everything else is unchanged. If the text is not JSON,
 * secrets cannot be located. Then the rest of each line that contains a word for a secret is masked.
 */
export function maskedText(text: string, registry: ProviderRegistry): string {
  const value = parsed(text);
  const root = value === undefined ? undefined : parseTree(text);
  if (root === undefined) return text.split('\n').map(maskedLine).join('\n');
  const found: Node[] = [];
  collect(root, maskedFile(value, registry), found);
  let masked = '';
  let at = 0;
  for (const { offset, length } of found) {
    masked += text.slice(at, offset) + JSON.stringify(MASK);
    at = offset + length;
  }
  return masked + text.slice(at);
}

/**
 * Collects the texts to mask, in order. With a duplicate key, the first value is masked wherever it differs from the
 * last one.
 */
function collect(node: Node, masked: unknown, found: Node[]): void {
  const { type, children = [], value } = node;
  if (type === 'array') {
    for (const [index, child] of children.entries())
      collect(child, Array.isArray(masked) ? masked[index] : MASK, found);
  } else if (type === 'object') {
    for (const { children: [key, member] = [] } of children) {
      if (member !== undefined) collect(member, memberOf(masked, String(key?.value)), found);
    }
  } else if (type === 'string' && value !== masked) found.push(node);
}

function maskedLine(line: string): string {
  const colon = line.search(/[:=]/);
  if (!SECRET_WORD.test(line)) return line;
  return colon < 0 ? JSON.stringify(MASK) : `${line.slice(0, colon + 1)} ${JSON.stringify(MASK)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // A file with syntax errors is shown too.
    return undefined;
  }
}

function memberOf(holder: unknown, key: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

import { type Node, parseTree } from 'jsonc-parser';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskFile } from './masked-file.js';

/** Words that mark a line as a possible secret, in a text that is not JSON. */
const SECRET_WORD = /secret|pass|private|key|token|credential|value/i;

/**
 * Masks the secrets in the text of a realm file, and leaves everything else unchanged. In a text that is not JSON,
 * secrets cannot be located. Then each line with a word for a secret is masked after its first colon.
 */
export function maskText(text: string, registry: ProviderRegistry): string {
  const value = parseOrUndefined(text);
  const root = value === undefined ? undefined : parseTree(text);
  if (root === undefined) return text.split('\n').map(maskLine).join('\n');
  const secrets: Node[] = [];
  collectSecrets(root, maskFile(value, registry), secrets);
  let maskedText = '';
  let position = 0;
  for (const { offset, length } of secrets) {
    maskedText += text.slice(position, offset) + JSON.stringify(MASK);
    position = offset + length;
  }
  return maskedText + text.slice(position);
}

/**
 * Collects the strings to mask, in order. With a duplicate key, the first value is masked if it differs from the last
 * one.
 */
function collectSecrets(node: Node, maskedValue: unknown, secrets: Node[]): void {
  const { type, children = [], value } = node;
  if (type === 'array') {
    for (const [index, child] of children.entries())
      collectSecrets(child, Array.isArray(maskedValue) ? maskedValue[index] : MASK, secrets);
  } else if (type === 'object') {
    for (const { children: [key, member] = [] } of children) {
      if (member !== undefined) collectSecrets(member, memberOf(maskedValue, String(key?.value)), secrets);
    }
  } else if (type === 'string' && value !== maskedValue) secrets.push(node);
}

function maskLine(line: string): string {
  const colon = line.search(/[:=]/);
  if (!SECRET_WORD.test(line)) return line;
  return colon < 0 ? JSON.stringify(MASK) : `${line.slice(0, colon + 1)} ${JSON.stringify(MASK)}`;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The text of a file with syntax errors is returned too.
    return undefined;
  }
}

function memberOf(holder: unknown, key: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

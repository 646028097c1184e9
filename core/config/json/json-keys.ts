import { visit } from 'jsonc-parser';
import type { JsonPath } from './json-document.js';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/**
 * The size, in characters, beyond which a text is not searched for repeated keys, since the search would be the slowest
 * part of reading.
 */
const DUPLICATE_CHECK_LIMIT = 8 * 1024 * 1024;

/** A key that is repeated or not allowed. */
export interface KeyMistake {
  readonly path: JsonPath;
  readonly offset: number;
  readonly message: string;
}

/** @param value the parsed value of the text */
export function keyMistakes(text: string, value: unknown): readonly KeyMistake[] {
  if (text.length > DUPLICATE_CHECK_LIMIT && !hasForbiddenKey(value)) return [];
  const mistakes: KeyMistake[] = [];
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, offset, _length, _line, _column, pathOf) => {
      const keys = open.at(-1);
      const complain = (message: string) =>
        void mistakes.push({ path: [...pathOf(), name], offset, message: `the key "${name}" ${message}` });
      if (FORBIDDEN_KEYS.has(name)) complain('is not allowed');
      else if (keys?.has(name)) complain('is used twice');
      keys?.add(name);
    },
  });
  return mistakes;
}

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasForbiddenKey);
  return Object.entries(value).some(([key, item]) => FORBIDDEN_KEYS.has(key) || hasForbiddenKey(item));
}

/** Removes keys that are not allowed, such as `__proto__`, since code that copies them could change a prototype. */
export function removeForbiddenKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of FORBIDDEN_KEYS) if (Object.hasOwn(value, key)) delete (value as Record<string, unknown>)[key];
  for (const item of Object.values(value)) removeForbiddenKeys(item);
}

import type { JsonPath } from './json-document.js';

/** What stands for no character: no encoding has it, and whoever writes it down writes U+FFFD, the same for all of them. */
export const LONE_SURROGATE = 'contains half of a surrogate pair, such as \\ud800, which is not a character';

/** JSON brings one along by an escape alone: in UTF-8 there is none. */
const ESCAPED = /\\u[dD][89a-fA-F]/;

/** Where a value has a text, or a member a name, that is no text of Unicode. @param json what the value was parsed of */
export function loneSurrogates(json: string, value: unknown): JsonPath[] {
  return ESCAPED.test(json) ? found(value, []) : [];
}

function found(value: unknown, path: JsonPath): JsonPath[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => found(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name.toWellFormed()];
    return name.isWellFormed() ? found(member, at) : [at];
  });
}

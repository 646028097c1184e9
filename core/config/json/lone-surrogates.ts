import type { JsonPath } from './json-document.js';

/**
 * A lone surrogate is half of a surrogate pair and no character. UTF-8 cannot represent it, so writers replace it by
 * U+FFFD.
 */
export const LONE_SURROGATE = 'contains half of a surrogate pair, such as \\ud800, which is not a character';

/** JSON in UTF-8 can contain a lone surrogate only as an escape. */
const ESCAPED = /\\u[dD][89a-fA-F]/;

/** Finds texts and member names that are not well-formed Unicode. @param json the text that `value` was parsed from */
export function loneSurrogates(json: string, value: unknown): JsonPath[] {
  return ESCAPED.test(json) ? surrogatePaths(value, []) : [];
}

function surrogatePaths(value: unknown, path: JsonPath): JsonPath[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => surrogatePaths(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = [...path, name.toWellFormed()];
    return name.isWellFormed() ? surrogatePaths(member, memberPath) : [memberPath];
  });
}

import { RE2JS } from 're2js';

/**
 * A regular expression of a realm's admin, matched against the whole value in linear time: expressions of JavaScript's own
 * engine can take for ever, and every realm would wait.
 * @returns undefined for what is no expression of RE2, such as one that looks ahead or refers back
 */
export function safePattern(pattern: string): { test(value: string): boolean } | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (value) => compiled.matches(value) };
  } catch {
    return undefined;
  }
}

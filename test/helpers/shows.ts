// biome-ignore lint/plugin: between two looks, within a guard of a minute
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';

/** Milliseconds: long enough for a machine that does much else. */
const LIMIT = 60_000;
const BETWEEN = 20;

/**
 * Looks at a page until it shows what is expected: a page draws when it can, after the action that changed it.
 * After a minute it asserts, so that the failure tells the difference.
 * @param read reads the page once
 * @param expected the value, or a pattern for a text
 */
export async function shows(
  t: ExecutionContext,
  read: () => Promise<unknown>,
  expected: unknown,
  message?: string,
): Promise<void> {
  const end = Date.now() + LIMIT;
  let seen = await read();
  while (!fits(seen, expected) && Date.now() < end) {
    await wait(BETWEEN);
    seen = await read();
  }
  if (expected instanceof RegExp) t.regex(String(seen), expected, message);
  else t.deepEqual(seen, expected, message);
}

function fits(seen: unknown, expected: unknown): boolean {
  return expected instanceof RegExp ? expected.test(String(seen)) : isDeepStrictEqual(seen, expected);
}

import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';
import { eventually, NotInTime } from './eventually.js';

/**
 * Reads a page until it shows the expected value, since it renders after the action that changed it. After a minute it
 * asserts, so that the failure shows the difference.
 * @param read reads the page once
 * @param expected the value, or a pattern for a text
 */
export async function shows(
  t: ExecutionContext,
  read: () => Promise<unknown>,
  expected: unknown,
  message?: string,
): Promise<void> {
  let seen: unknown;
  const fits = () => (expected instanceof RegExp ? expected.test(String(seen)) : isDeepStrictEqual(seen, expected));
  try {
    await eventually(async () => {
      seen = await read();
      return fits();
    });
  } catch (error) {
    if (!(error instanceof NotInTime)) throw error;
  }
  if (expected instanceof RegExp) t.regex(String(seen), expected, message);
  else t.deepEqual(seen, expected, message);
}

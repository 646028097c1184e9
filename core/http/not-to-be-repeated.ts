import { memberOf, withMember } from '../model/thrown.js';

/**
 * An error as it is told where the request has used up what it came with: nobody is asked to send it again (`Retry-After`). A code
 * that comes twice ends the tokens of its login.
 */
export function notToBeRepeated(thrown: unknown): unknown {
  const headers = memberOf(thrown, 'headers');
  if (typeof headers !== 'object' || headers === null) return thrown;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'retry-after');
  if (others.length === Object.keys(headers).length) return thrown;
  return withMember(thrown as object, 'headers', { value: Object.fromEntries(others), enumerable: true });
}

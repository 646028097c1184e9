import { memberOf, withMember } from '../model/thrown.js';

/**
 * Removes `Retry-After` once the request has consumed a one-time code: a retry would replay the code and revoke the
 * login's tokens.
 */
export function withoutRetryAfter(thrown: unknown): unknown {
  const headers = memberOf(thrown, 'headers');
  if (typeof headers !== 'object' || headers === null) return thrown;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'retry-after');
  if (others.length === Object.keys(headers).length) return thrown;
  return withMember(thrown as object, 'headers', { value: Object.fromEntries(others), enumerable: true });
}

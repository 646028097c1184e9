import { memberOf, withMember } from '../model/thrown.js';

/**
 * Removes `Retry-After` from an error after the request has consumed a one-time code. A retry would replay the code and
 * so revoke the login's tokens.
 */
export function withoutRetryAfter(thrown: unknown): unknown {
  const headers = memberOf(thrown, 'headers');
  if (typeof headers !== 'object' || headers === null) return thrown;
  const remaining = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'retry-after');
  if (remaining.length === Object.keys(headers).length) return thrown;
  return withMember(thrown as object, 'headers', { value: Object.fromEntries(remaining), enumerable: true });
}

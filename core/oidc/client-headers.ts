import type { Caller } from '../registry/sessions/caller.js';

/** Maximum length of a header for plugins, in characters. */
const MAX_HEADER_LENGTH = 8192;

/**
 * Reads the headers that a client authenticator declares. A repeated header is ambiguous, and a very long one cannot be
 * a credential.
 * @returns `problem`: a sentence for the client's developers, if one of the headers cannot be read
 */
export function readClientHeaders(
  headers: Caller['headers'],
  names: readonly string[],
): { readonly values: Readonly<Record<string, string>>; readonly problem?: string } {
  const values: Record<string, string> = Object.create(null);
  if (headers === undefined || names.length === 0) return { values };
  const headerLists = headers();
  for (const name of names) {
    const [value, ...furtherValues] = Object.hasOwn(headerLists, name) ? (headerLists[name] ?? []) : [];
    if (furtherValues.length > 0) return { values, problem: `The header ${name} came more than once` };
    if (value === undefined || value === '') continue;
    if (value.length > MAX_HEADER_LENGTH)
      return { values, problem: `The header ${name} has more than ${MAX_HEADER_LENGTH} characters` };
    values[name] = value;
  }
  return { values };
}

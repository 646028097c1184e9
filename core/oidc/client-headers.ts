import type { Caller } from '../registry/sessions/host-session.js';

/** Maximum length of a header for plugins, in characters. */
const LONGEST_HEADER = 8192;

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
  const all = headers();
  for (const name of names) {
    const [value, ...more] = Object.hasOwn(all, name) ? (all[name] ?? []) : [];
    if (more.length > 0) return { values, problem: `The header ${name} came more than once` };
    if (value === undefined || value === '') continue;
    if (value.length > LONGEST_HEADER)
      return { values, problem: `The header ${name} has more than ${LONGEST_HEADER} characters` };
    values[name] = value;
  }
  return { values };
}

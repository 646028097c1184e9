import { MASK } from './mask.ts';

/** The names of members that any part of a schema marks as secrets. */
export function secretNames(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [name, inner] of Object.entries(schema)) {
    if (isSecret(inner)) found.add(name);
    secretNames(inner, found);
  }
  return found;
}

/** A value as text, without the secrets in it, stored or just typed. */
export function redactedText(
  value: unknown,
  name: string,
  hidden: ReadonlySet<string>,
  words: { readonly absent: string; readonly secret: string },
): string {
  const hide = (member: string, inner: unknown) => (hidden.has(member) || inner === MASK ? words.secret : inner);
  if (value === undefined) return words.absent;
  const shown = hide(name, value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown, hide);
}

function isSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { writeOnly, format } = schema as { writeOnly?: unknown; format?: unknown };
  return writeOnly === true || format === 'password';
}

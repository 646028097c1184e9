import { recentEntries } from './recent-entries.js';

/** Bounded: tokens repeat a few names, but clients and plugins can send any number of others. */
const READ = recentEntries<string, readonly string[]>(5000);
/** A part of a claim name: characters that are neither a dot nor a backslash, or any after a backslash. */
const PART = /((?:\\.|[^\\.])+?)\./sy;
const ESCAPED = /\\(.)/gs;

/**
 * The path of a claim name such as `address.street`, outermost name first, as Keycloak reads it (JsonUtils). A
 * backslash escapes a dot, or any other character. A dot with nothing before it is part of a name.
 */
export function claimPath(name: string): readonly string[] {
  if (!name.includes('.') && !name.includes('\\')) return name === '' ? [] : [name];
  const known = READ.get(name);
  if (known !== undefined) return known;
  const path = Object.freeze(readPath(name));
  READ.set(name, path);
  return path;
}

function readPath(name: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    PART.lastIndex = at;
    const part = PART.exec(name)?.[1];
    if (part === undefined) break;
    parts.push(part);
    at += part.length + 1;
  }
  if (at < name.length) parts.push(name.slice(at));
  return parts.map((part) => part.replace(ESCAPED, '$1'));
}

import { recentEntries } from './recent-entries.js';

/**
 * Caches parsed names. It is bounded: tokens repeat a few names, but clients and plugins can send any number of others.
 */
const PARSED_PATHS = recentEntries<string, readonly string[]>(5000);
/** One name of a path, up to its dot: characters that are neither a dot nor a backslash, or any after a backslash. */
const SEGMENT = /((?:\\.|[^\\.])+?)\./sy;
const ESCAPED = /\\(.)/gs;

/**
 * The path of a claim name such as `address.street`, outermost name first, as Keycloak reads it (JsonUtils). A
 * backslash escapes a dot, or any other character. A dot with nothing before it is part of a name.
 */
export function claimPath(name: string): readonly string[] {
  if (!name.includes('.') && !name.includes('\\')) return name === '' ? [] : [name];
  const cached = PARSED_PATHS.get(name);
  if (cached !== undefined) return cached;
  const path = Object.freeze(parsePath(name));
  PARSED_PATHS.set(name, path);
  return path;
}

function parsePath(name: string): string[] {
  const parts: string[] = [];
  let position = 0;
  for (;;) {
    SEGMENT.lastIndex = position;
    const part = SEGMENT.exec(name)?.[1];
    if (part === undefined) break;
    parts.push(part);
    position += part.length + 1;
  }
  if (position < name.length) parts.push(name.slice(position));
  return parts.map((part) => part.replace(ESCAPED, '$1'));
}

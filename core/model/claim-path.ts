import { recentEntries } from './recent-entries.js';

/**
 * The paths of parsed names. The cache is limited: tokens repeat a few names, but clients and plugins can send any
 * number of names.
 */
const PARSED_PATHS = recentEntries<string, readonly string[]>(5000);
/**
 * A name in a path with the dot after it. It consists of characters except dots and backslashes, and of any characters
 * after a backslash.
 */
const SEGMENT = /((?:\\.|[^\\.])+?)\./sy;
const ESCAPED = /\\(.)/gs;

/**
 * Splits a claim name such as `address.street` into a path, the outermost name first, as Keycloak does (JsonUtils). A
 * backslash escapes a dot, or any other character. A dot at the beginning of a name belongs to the name.
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

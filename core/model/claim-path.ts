/**
 * Caches parsed names. It is cleared when it is full: tokens repeat a few names, but clients and plugins can send any
 * number of others.
 */
const PARSED_PATHS = new Map<string, readonly string[]>();
const MAX_PARSED_PATHS = 5000;
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
  if (isPlain(name)) return name === '' ? [] : [name];
  const cached = PARSED_PATHS.get(name);
  if (cached !== undefined) return cached;
  const path = Object.freeze(parsePath(name));
  if (PARSED_PATHS.size >= MAX_PARSED_PATHS) PARSED_PATHS.clear();
  PARSED_PATHS.set(name, path);
  return path;
}

/** Escapes a name, so that `claimPath` reads it as one segment. */
export function escapeClaimName(name: string): string {
  return isPlain(name) ? name : name.replaceAll(/[\\.]/g, '\\$&');
}

/** True if the name has no character with a meaning in a path. */
function isPlain(name: string): boolean {
  return !name.includes('.') && !name.includes('\\');
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

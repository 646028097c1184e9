import type { IgnoredMember } from '../config/ignored-members.js';
import type { JsonPath } from '../config/json/json-document.js';
import type { RealmRepresentation } from '../model/representation.js';

/**
 * Maps members of the realm that have no effect to their paths in the request body. The body may be only a part of the
 * realm, for example a client. Its paths then lack the beginning, such as `clients[3]`. So a member counts as sent if
 * the body has a value at the end of its path.
 * @param ignored members of the realm without effect, after the request
 */
export function pathsWithoutEffect(
  body: unknown,
  ignored: readonly IgnoredMember[],
  realm: RealmRepresentation,
): JsonPath[] {
  return ignored.flatMap(({ path, inner }) => {
    const pathInRequest = pathInBody(path, body, realm) ?? (inner && longestSuffixIn(inner, body));
    return pathInRequest === undefined ? [] : [pathInRequest];
  });
}

/** In a body that is a list, items have other indexes than in the realm, so they are matched by name. */
function pathInBody(path: JsonPath, body: unknown, realm: RealmRepresentation): JsonPath | undefined {
  if (!Array.isArray(body)) return longestSuffixIn(path, body);
  const names = namesOnPath(path, realm);
  for (const [index, item] of body.entries()) {
    const pathInItem = names.includes((item as { readonly name?: unknown } | null)?.name)
      ? longestSuffixIn(path, item)
      : undefined;
    if (pathInItem !== undefined) return [index, ...pathInItem];
  }
  return undefined;
}

function namesOnPath(path: JsonPath, realm: RealmRepresentation): unknown[] {
  let value: unknown = realm;
  return path.flatMap((part) => {
    value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[part];
    const { name } = (value ?? {}) as { readonly name?: unknown };
    return name === undefined ? [] : [name];
  });
}

/** The longest end of a path for which the body has a value. */
function longestSuffixIn(path: JsonPath, body: unknown): JsonPath | undefined {
  for (const start of path.keys()) {
    const suffix = path.slice(start);
    if (typeof suffix[0] === 'string' && hasValue(body, suffix)) return suffix;
  }
  return undefined;
}

function hasValue(body: unknown, path: JsonPath): boolean {
  let value = body;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value !== undefined && value !== null;
}

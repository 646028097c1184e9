import type { IgnoredMember } from '../config/ignored-members.js';
import type { JsonPath } from '../config/json/json-document.js';
import type { RealmRepresentation } from '../model/representation.js';

/**
 * Paths in the request's body of members without effect. The body may be a part of the realm. So a member is in the
 * body if the end of its path is: a client that is sent alone lacks the prefix `clients[3]`.
 * @param idle members of the realm without effect, after the request
 */
export function pathsWithoutEffect(
  body: unknown,
  idle: readonly IgnoredMember[],
  realm: RealmRepresentation,
): JsonPath[] {
  return idle.flatMap(({ path, inner }) => {
    const place = pathInBody(path, body, realm) ?? (inner && endOf(inner, body));
    return place === undefined ? [] : [place];
  });
}

/** Items of a list that is sent alone have other indexes in the realm, so each is found by its name. */
function pathInBody(path: JsonPath, body: unknown, realm: RealmRepresentation): JsonPath | undefined {
  if (!Array.isArray(body)) return endOf(path, body);
  const names = namesOn(path, realm);
  for (const [index, item] of body.entries()) {
    const place = names.includes((item as { readonly name?: unknown } | null)?.name) ? endOf(path, item) : undefined;
    if (place !== undefined) return [index, ...place];
  }
  return undefined;
}

function namesOn(path: JsonPath, realm: RealmRepresentation): unknown[] {
  let value: unknown = realm;
  return path.flatMap((part) => {
    value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[part];
    const { name } = (value ?? {}) as { readonly name?: unknown };
    return name === undefined ? [] : [name];
  });
}

/** The longest end of a path for which the body has a value. */
function endOf(path: JsonPath, body: unknown): JsonPath | undefined {
  for (const start of path.keys()) {
    const end = path.slice(start);
    if (typeof end[0] === 'string' && hasValue(body, end)) return end;
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

import type { IdleMember } from '../config/idle-members.js';
import type { JsonPath } from '../config/json/json-document.js';
import type { RealmRepresentation } from '../model/representation.js';

/**
 * Places in the body of a request at which it has members without effect. A member of the realm is in the body if the body has the
 * end of its path: a client that is sent alone has the path without `clients[3]`.
 * @param idle members of the realm, after the request
 */
export function idleInBody(body: unknown, idle: readonly IdleMember[], realm: RealmRepresentation): JsonPath[] {
  return idle.flatMap(({ path, inner }) => {
    const place = placeOf(path, body, realm) ?? (inner && endOf(inner, body));
    return place === undefined ? [] : [place];
  });
}

/** Items of a list that is sent alone have other indexes in the realm: each is found by its name. */
function placeOf(path: JsonPath, body: unknown, realm: RealmRepresentation): JsonPath | undefined {
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

/** Longest end of a path at which the body has a value. */
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

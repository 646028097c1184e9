import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '../config/json/json-document.js';
import { KEYCLOAK_SETTINGS } from '../config/settings/keycloak-settings.js';
import { isObject } from '../model/is-object.js';
import { listPieces, pathInList } from '../model/list-pieces.js';
import type { AdminOperation } from './operation.js';

/**
 * Maximum number of paths in the header, and of characters per path. Proxies reject responses whose headers exceed 8
 * KB.
 */
const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 150;

/**
 * Settings of a realm. Whether a setting has an effect depends on its value, so the changed realm is searched for
 * settings without effect.
 */
const REALM_SETTINGS = KEYCLOAK_SETTINGS.Realm ?? {};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
}

/** Values that make a member redundant, so that it is not reported. */
export interface RedundantValues {
  /** The response of a GET of the same resource. A value that is sent back unchanged is not meant as a change. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** The path's parameters. A member that repeats one is not meant as a change either. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Returns the paths of a body's members that have no effect, for a header. Keycloak ignores them silently. Keyhost
 * reports them, so that callers do not expect an effect.
 * @param ignoredNames members that this change ignored, in addition to those that its operation always ignores
 * @param realm whose request it is; others run while a long body is read
 */
export async function ignoredMembers(
  operation: Pick<AdminOperation, 'body' | 'ignoredMembers' | 'method' | 'bodyIsRealm'>,
  ignoredNames: readonly string[],
  body: unknown,
  readRedundant: () => Promise<RedundantValues>,
  realm = '',
): Promise<readonly JsonPath[]> {
  // A text, a form or a document has no members.
  if (operation.body === undefined || !isObject(body)) return [];
  const ignored = new Set([...(operation.ignoredMembers ?? []), ...ignoredNames]);
  const schema = operation.body as Schema;
  const candidates: { readonly name: string; readonly value: unknown; readonly paths: readonly JsonPath[] }[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (operation.bodyIsRealm && !ignored.has(name) && Object.hasOwn(REALM_SETTINGS, name)) continue;
    const paths = ignored.has(name) ? [[name]] : await unknownPathsInPieces(realm, schema, name, value);
    if (!isDefaultOfNew(value, operation.method) && paths.length > 0) candidates.push({ name, value, paths });
  }
  if (candidates.length === 0) return [];
  const { resource, params } = await readRedundant();
  const reported = candidates.filter(
    ({ name, value }) =>
      !isDeepStrictEqual(value, resource[name]) && !Object.values(params).some((param) => param === value),
  );
  return reported.flatMap(({ paths }) => paths);
}

/** Formats the header `Keyhost-Ignored`: the first paths, and the number of the remaining ones. */
export function ignoredHeader(paths: readonly string[]): string {
  const listedPaths = paths
    .slice(0, MAX_PATHS)
    .map((path) => path.slice(0, MAX_PATH_LENGTH).replace(/[^\x21-\x7e]/g, '?'));
  const omitted = paths.length - listedPaths.length;
  return [...listedPaths, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join(', ');
}

/** Like `unknownPaths` for a member of the body, and lets other requests run while it reads a long list. */
async function unknownPathsInPieces(realm: string, schema: Schema, name: string, value: unknown): Promise<JsonPath[]> {
  if (!Array.isArray(value) || value.length === 0) return unknownPaths(schema, name, value, []);
  const paths: JsonPath[] = [];
  for await (const { first, items } of listPieces(realm, value as unknown[])) {
    const found = unknownPaths(schema, name, items, []);
    // The member itself is unknown.
    if (found.length === 1 && found[0]?.length === 1) return found;
    paths.push(...found.map((path) => pathInList(path, name, first)));
  }
  return paths;
}

/** The paths of a member and its inner members that the schema does not contain. */
function unknownPaths(
  { properties, additionalProperties }: Schema,
  name: string,
  value: unknown,
  path: JsonPath,
): JsonPath[] {
  if (properties === undefined || additionalProperties !== undefined) return [];
  const memberPath = [...path, name];
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (schema === undefined) return [memberPath];
  const items = Array.isArray(value) ? value : [value];
  const itemSchema = Array.isArray(value) ? schema.items : schema;
  return items.flatMap((item, index) => {
    if (!isObject(item) || itemSchema === undefined) return [];
    const itemPath = Array.isArray(value) ? [...memberPath, index] : memberPath;
    return Object.entries(item).flatMap(([key, member]) =>
      member === null ? [] : unknownPaths(itemSchema, key, member, itemPath),
    );
  });
}

/** True for a value that means the same as an absent member. */
function isDefaultOfNew(value: unknown, method: AdminOperation['method']): boolean {
  if (value === null || value === undefined) return true;
  if (method !== 'POST') return false;
  return value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

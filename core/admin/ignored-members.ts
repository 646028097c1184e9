import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '../config/json/json-document.js';
import { KEYCLOAK_SETTINGS } from '../config/settings/keycloak-settings.js';
import { isObject } from '../model/is-object.js';
import type { AdminOperation } from './operation.js';

/**
 * Maximum number of paths in the header, and of characters in one path: proxies reject responses whose headers exceed 8
 * KB.
 */
const NAMED_PATHS = 20;
const PATH_LENGTH = 150;

/** Settings of a realm. Those without effect are found in the realm itself, if their value requests something. */
const OF_REALMS = KEYCLOAK_SETTINGS.Realm ?? {};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
}

/** Values that make a member redundant, so that it is not reported. */
export interface RedundantValues {
  /** The response of a GET of the same resource. A value that is sent back unchanged requests nothing. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The path's parameters. A member that repeats one requests nothing either. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Paths of the members of a body that have no effect, for a header. Keycloak ignores them silently, and Keyhost reports
 * them, so that callers do not wait for an effect.
 * @param unread members that this change ignored, in addition to those that its operation always ignores
 */
export async function ignoredMembers(
  operation: Pick<AdminOperation, 'body' | 'ignoredMembers' | 'method' | 'bodyIsRealm'>,
  unread: readonly string[],
  body: unknown,
  known: () => Promise<RedundantValues>,
): Promise<readonly JsonPath[]> {
  if (!isObject(body)) return [];
  const dead = new Set([...(operation.ignoredMembers ?? []), ...unread]);
  const schema = (operation.body ?? {}) as Schema;
  const found = Object.entries(body).flatMap(([name, value]) => {
    if (operation.bodyIsRealm && !dead.has(name) && Object.hasOwn(OF_REALMS, name)) return [];
    const paths = dead.has(name) ? [[name]] : unknownPaths(schema, name, value, []);
    return isDefaultOfNew(value, operation.method) || paths.length === 0 ? [] : [{ name, value, paths }];
  });
  if (found.length === 0) return [];
  const { shown, params } = await known();
  const asked = found.filter(
    ({ name, value }) => !isDeepStrictEqual(value, shown[name]) && !Object.values(params).some((one) => one === value),
  );
  return asked.flatMap(({ paths }) => paths);
}

/** The value of the header `Keyhost-Ignored`: the first paths, and the number of the others. */
export function ignoredHeader(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED_PATHS).map((path) => path.slice(0, PATH_LENGTH).replace(/[^\x21-\x7e]/g, '?'));
  const more = paths.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The paths within a member that are not in the schema. */
function unknownPaths(
  { properties, additionalProperties }: Schema,
  name: string,
  value: unknown,
  path: JsonPath,
): JsonPath[] {
  if (properties === undefined || additionalProperties !== undefined) return [];
  const here = [...path, name];
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (schema === undefined) return [here];
  const items = Array.isArray(value) ? value : [value];
  const inner = Array.isArray(value) ? schema.items : schema;
  return items.flatMap((item, index) => {
    if (!isObject(item) || inner === undefined) return [];
    const at = Array.isArray(value) ? [...here, index] : here;
    return Object.entries(item).flatMap(([key, one]) => (one === null ? [] : unknownPaths(inner, key, one, at)));
  });
}

/** True for a value that is the default of a new resource. */
function isDefaultOfNew(value: unknown, method: AdminOperation['method']): boolean {
  if (value === null || value === undefined) return true;
  if (method !== 'POST') return false;
  return value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

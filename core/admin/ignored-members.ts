import { formatPath, type JsonPath } from '../config/json/json-document.js';
import { KNOWN_KEYS } from '../config/realm-file/realm-schema.js';

/** Most names that are told. */
const TOLD = 10;
/** What Keycloak's representations have: what is shown may be sent back. */
const KEYCLOAKS: ReadonlySet<string> = new Set(Object.values(KNOWN_KEYS).flat());

/**
 * The members of a body that nobody looks at, as far as their names can stand in a header: Keycloak takes no notice of
 * them, and neither does Keyhost, but a misspelt member should not be looked for in vain.
 */
export function ignoredMembers(schema: object | undefined, body: unknown): string[] {
  const { properties, additionalProperties } = (schema ?? {}) as {
    properties?: object;
    additionalProperties?: unknown;
  };
  if (properties === undefined || additionalProperties !== undefined) return [];
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(properties, name) && !KEYCLOAKS.has(name) && /^[\w.$-]{1,64}$/.test(name))
    .slice(0, TOLD);
}

/** Paths as they can stand in a header. */
export function toldPaths(paths: readonly JsonPath[]): string[] {
  return paths.slice(0, TOLD).map((path) => formatPath(path).replace(/[^\x21-\x7e]/g, '?'));
}

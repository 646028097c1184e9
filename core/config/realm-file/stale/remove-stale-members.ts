import type { OmittedItems } from '../../json/jackson.js';
import type { JsonPath } from '../../json/json-document.js';
import { POLICY_RULES } from './old-client-policies.js';
import type { Stale, StaleRule } from './rule.js';
import { SETTING_RULES } from './stale-settings.js';
import { KEY_RULES } from './weak-keys.js';

/**
 * The rules for members that Keycloak imports and that Keyhost removes or replaces. Each rule reads the result of the
 * previous one.
 */
const RULES: readonly StaleRule[] = [...SETTING_RULES, ...POLICY_RULES, ...KEY_RULES];

interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly path: JsonPath;
}

/**
 * Removes or replaces members of a realm that Keycloak imports and Keyhost cannot use, so that one of them does not
 * invalidate the whole realm. A near miss of a known value is not among them: it is a typing mistake, and is rejected
 * with a hint.
 *
 * @param realm changed in place; its shape may be wrong
 * @param leftOut receives the indexes of removed items, by the path of their list
 */
export function removeStaleMembers(realm: unknown, leftOut: OmittedItems = new Map()): Stale[] {
  const staleMembers: Stale[] = [];
  const removedItems: RemovedItems = new Map();
  for (const rule of RULES) {
    for (const { holder, key, path } of placesOf(realm, rule.at, [], removedItems)) {
      const reading = rule.read(holder[key], key);
      if (reading === undefined) continue;
      const { to, ...stale } = reading;
      staleMembers.push({ path, ...stale });
      if (to !== undefined) holder[key] = to;
      else if (!Array.isArray(holder)) delete holder[key];
      else {
        const list = removedItems.get(holder) ?? { path: path.slice(0, -1), items: new Set() };
        removedItems.set(holder, list);
        list.items.add(Number(key));
      }
    }
  }
  for (const [list, { path, items }] of removedItems) {
    if (!Array.isArray(list)) continue;
    const remaining = list.filter((_, index) => !items.has(index));
    list.splice(0, list.length, ...remaining);
    leftOut.set(JSON.stringify(path), [...items]);
  }
  return staleMembers;
}

/** Removed items, by their list. They keep their indexes until all rules have read the realm. */
type RemovedItems = Map<unknown, { readonly path: JsonPath; readonly items: Set<number> }>;

function* placesOf(
  node: unknown,
  rulePath: readonly string[],
  path: JsonPath,
  removedItems: RemovedItems,
): Generator<Place> {
  const [name, ...inner] = rulePath;
  if (name === undefined || typeof node !== 'object' || node === null) return;
  const holder = node as Place['holder'];
  const keys = name === '*' ? Object.keys(holder) : Object.hasOwn(holder, name) ? [name] : [];
  for (const one of keys) {
    const key = Array.isArray(node) ? Number(one) : one;
    if (removedItems.get(node)?.items.has(Number(key))) continue;
    if (inner.length === 0) yield { holder, key, path: [...path, key] };
    else yield* placesOf(holder[key], inner, [...path, key], removedItems);
  }
}

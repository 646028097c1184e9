import type { OmittedItems } from '../../json/jackson.js';
import type { JsonPath } from '../../json/json-document.js';
import { POLICY_RULES } from './old-client-policies.js';
import type { StaleMember, StaleRule } from './rule.js';
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
 * Removes or replaces stale members, which Keycloak imports and Keyhost cannot use, so that they do not make the realm
 * invalid. A near miss of a known value stays: it is a typing mistake, and is rejected with a suggestion.
 *
 * @param realm changed in place; its shape may be wrong
 * @param omittedItems receives the indexes of removed items, by the path of their list
 */
export function removeStaleMembers(realm: unknown, omittedItems: OmittedItems = new Map()): StaleMember[] {
  const staleMembers: StaleMember[] = [];
  const removedItems: RemovedItems = new Map();
  for (const rule of RULES) {
    for (const { holder, key, path } of findPlaces(realm, rule.at, [], removedItems)) {
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
    omittedItems.set(JSON.stringify(path), [...items]);
  }
  return staleMembers;
}

/** The indexes of removed items, by their list. The items stay in the list until all rules have read the realm. */
type RemovedItems = Map<unknown, { readonly path: JsonPath; readonly items: Set<number> }>;

function* findPlaces(
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
    else yield* findPlaces(holder[key], inner, [...path, key], removedItems);
  }
}

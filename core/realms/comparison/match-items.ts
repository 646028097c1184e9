import { isObject, type JsonObject } from './json.js';
import type { Shape } from './shape.js';

type Items = Extract<Shape, { kind: 'items' }>;

/** Items of one list by the key by which they are matched. */
export type ItemsByKey = ReadonlyMap<string, JsonObject>;

/**
 * Keys the items of several versions of one list, so that the same object has the same key. If the ID of an item occurs
 * in the `anchor` list, its key is its name there, so a renamed object is still the same. Otherwise the key is its own
 * name.
 */
export function matchItems(shape: Items, anchor: unknown, ...others: readonly unknown[]): readonly ItemsByKey[] {
  const anchorItems = byName(shape, anchor);
  const keyById = new Map<unknown, string>();
  for (const [key, { id }] of anchorItems) if (id !== undefined) keyById.set(id, key);
  return [anchorItems, ...others.map((list) => byIdOrName(shape, list, keyById))];
}

function byIdOrName(shape: Items, list: unknown, keyById: ReadonlyMap<unknown, string>): ItemsByKey {
  const keyByItem = new Map<JsonObject, string>();
  for (const item of objectsIn(list)) {
    const key = item.id === undefined ? undefined : keyById.get(item.id);
    if (key !== undefined) keyByItem.set(item, key);
  }
  const takenKeys = new Set(keyByItem.values());
  const matchedItems = new Map<string, JsonObject>();
  for (const item of objectsIn(list)) {
    const key =
      keyByItem.get(item) ?? uniqueName(nameOf(shape, item), (name) => takenKeys.has(name) || matchedItems.has(name));
    matchedItems.set(key, item);
  }
  return matchedItems;
}

function byName(shape: Items, list: unknown): ItemsByKey {
  const matchedItems = new Map<string, JsonObject>();
  for (const item of objectsIn(list))
    matchedItems.set(
      uniqueName(nameOf(shape, item), (name) => matchedItems.has(name)),
      item,
    );
  return matchedItems;
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function nameOf(shape: Items, item: JsonObject): string {
  const name = shape.nameOf(item);
  return typeof name === 'string' ? name : JSON.stringify(item);
}

/** Keycloak's lists may contain a name twice: the second one gets a number. */
function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  let candidate = name;
  for (let number = 2; isTaken(candidate); number += 1) candidate = `${name} (${number})`;
  return candidate;
}

import { escapeReferences } from '../../config/realm-file/references.js';
import type { RealmDeclaration } from '../../store/store.js';
import { isObject, type JsonObject, ownMember } from './json.js';
import { matchItems } from './match-items.js';
import { REALM_SHAPE } from './realm-shape.js';
import { memberShape, type Shape } from './shape.js';

/**
 * Restores the references of the realm's file in the live realm, if the value is still the resolved one. Every other
 * text is a literal.
 */
export function withReferences(live: JsonObject, { representation, references }: RealmDeclaration): JsonObject {
  const originalRealm = escapeReferences(representation) as JsonObject;
  for (const [path, text] of references) setAtPath(originalRealm, path, text);
  return restore(REALM_SHAPE, live, representation, originalRealm) as JsonObject;
}

/**
 * @param resolvedValue the content of the file with resolved references
 * @param originalValue the content with its references, which has the same members and positions
 */
function restore(shape: Shape, live: unknown, resolvedValue: unknown, originalValue: unknown): unknown {
  if (typeof live === 'string') {
    return typeof originalValue === 'string' && live === resolvedValue ? originalValue : escapeReferences(live);
  }
  if (isObject(live) && isObject(resolvedValue) && isObject(originalValue)) {
    return Object.fromEntries(
      Object.entries(live).map(([key, value]) => [
        key,
        restore(memberShape(shape, key), value, ownMember(resolvedValue, key), ownMember(originalValue, key)),
      ]),
    );
  }
  if (!Array.isArray(live) || !Array.isArray(resolvedValue) || !Array.isArray(originalValue))
    return escapeReferences(live);
  if (shape.kind === 'items') return restoreItems(shape, live, resolvedValue, originalValue);
  // Match by text in a set, and by position in any other list.
  return live.map((value, index) => {
    const position = shape.kind === 'set' ? resolvedValue.indexOf(value) : index;
    return restore(memberShape(shape, ''), value, resolvedValue[position], originalValue[position]);
  });
}

function restoreItems(
  shape: Extract<Shape, { kind: 'items' }>,
  live: readonly unknown[],
  resolvedItems: readonly unknown[],
  originalItems: readonly unknown[],
): unknown[] {
  const [ours, theirs] = matchItems(shape, live, resolvedItems);
  return [...(ours ?? [])].map(([key, item]) => {
    const known = theirs?.get(key);
    return known === undefined
      ? escapeReferences(item)
      : restore(shape.of, item, known, originalItems[resolvedItems.indexOf(known)]);
  });
}

function setAtPath(target: unknown, path: readonly (string | number)[], text: string): void {
  let holder = target as Record<string | number, unknown> | undefined;
  for (const part of path.slice(0, -1)) holder = holder?.[part] as typeof holder;
  const key = path.at(-1);
  // Secrets of keys are not stored, so the path may lead to nothing.
  if (key !== undefined && typeof holder?.[key] === 'string') holder[key] = text;
}

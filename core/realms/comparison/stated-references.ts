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
  const stated = escapeReferences(representation) as JsonObject;
  for (const [path, text] of references) put(stated, path, text);
  return restored(REALM_SHAPE, live, representation, stated) as JsonObject;
}

/**
 * @param resolved the content of the file with resolved references, and `stated` the original: both have the same
 * members and positions
 */
function restored(shape: Shape, live: unknown, resolved: unknown, stated: unknown): unknown {
  if (typeof live === 'string') {
    return typeof stated === 'string' && live === resolved ? stated : escapeReferences(live);
  }
  if (isObject(live) && isObject(resolved) && isObject(stated)) {
    return Object.fromEntries(
      Object.entries(live).map(([key, value]) => [
        key,
        restored(memberShape(shape, key), value, ownMember(resolved, key), ownMember(stated, key)),
      ]),
    );
  }
  if (!Array.isArray(live) || !Array.isArray(resolved) || !Array.isArray(stated)) return escapeReferences(live);
  if (shape.kind === 'items') return restoredItems(shape, live, resolved, stated);
  // Match by text in a set, and by position in any other list.
  return live.map((value, index) => {
    const at = shape.kind === 'set' ? resolved.indexOf(value) : index;
    return restored(memberShape(shape, ''), value, resolved[at], stated[at]);
  });
}

function restoredItems(
  shape: Extract<Shape, { kind: 'items' }>,
  live: readonly unknown[],
  resolved: readonly unknown[],
  stated: readonly unknown[],
): unknown[] {
  const [ours, theirs] = matchItems(shape, live, resolved);
  return [...(ours ?? [])].map(([key, item]) => {
    const known = theirs?.get(key);
    return known === undefined
      ? escapeReferences(item)
      : restored(shape.of, item, known, stated[resolved.indexOf(known)]);
  });
}

function put(target: unknown, path: readonly (string | number)[], text: string): void {
  let holder = target as Record<string | number, unknown> | undefined;
  for (const part of path.slice(0, -1)) holder = holder?.[part] as typeof holder;
  const key = path.at(-1);
  // Secrets of keys are not stored, so they have no place.
  if (key !== undefined && typeof holder?.[key] === 'string') holder[key] = text;
}

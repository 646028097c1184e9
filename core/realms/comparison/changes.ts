import { isObject, isTexts, type JsonObject, keysOf, ownMember } from './json.js';
import { matchItems } from './match-items.js';
import { isSame } from './same.js';
import { memberShape, type Shape } from './shape.js';

/** One difference between two versions. */
export interface Change {
  /** Keys, and names of objects: `['clients', 'web-app', 'name']`. */
  readonly path: readonly string[];
  /** Undefined if it was absent. For a removed member of a set it is the member, and `after` is undefined. */
  readonly before: unknown;
  readonly after: unknown;
  /**
   * `thing`: a named object was added or removed. `member`: a member of a set was added or removed. Otherwise a value,
   * or a secret, has changed.
   */
  readonly of: 'thing' | 'member' | 'value' | 'secret';
}

/**
 * Returns every difference between two versions of a part, in the order of the first one. Objects in lists are matched
 * by name.
 */
export function findChanges(shape: Shape, before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isSame(shape, before, after)) return [];
  if (shape.kind === 'items') return itemChanges(shape, before, after, path);
  if (shape.kind === 'set' && isTexts(before) && isTexts(after)) {
    return [
      ...before.filter((text) => !after.includes(text)).map((text) => memberChange(path, text, undefined)),
      ...after.filter((text) => !before.includes(text)).map((text) => memberChange(path, undefined, text)),
    ];
  }
  const objects = [before, after].filter((value) => value !== undefined);
  if (objects.every(isObject)) {
    const [left, right] = [before, after] as [JsonObject | undefined, JsonObject | undefined];
    return keysOf(left, right).flatMap((key) =>
      findChanges(memberShape(shape, key), ownMember(left, key), ownMember(right, key), [...path, key]),
    );
  }
  return [{ path, before, after, of: shape.kind === 'secret' ? 'secret' : 'value' }];
}

function memberChange(path: readonly string[], before: unknown, after: unknown): Change {
  return { path, before, after, of: 'member' };
}

function itemChanges(
  shape: Extract<Shape, { kind: 'items' }>,
  before: unknown,
  after: unknown,
  path: readonly string[],
): Change[] {
  const [left, right] = matchItems(shape, before, after) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const itemBefore = left.get(name);
    const itemAfter = right.get(name);
    const itemPath = [...path, name];
    if (itemBefore !== undefined && itemAfter !== undefined)
      return findChanges(shape.of, itemBefore, itemAfter, itemPath);
    return [{ path: itemPath, before: itemBefore, after: itemAfter, of: 'thing' as const }];
  });
}

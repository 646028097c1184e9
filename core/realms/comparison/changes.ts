import { isObject, isTexts, type JsonObject, keysOf, own } from './json.js';
import { matchItems } from './match-items.js';
import { same } from './same.js';
import { memberShape, type Shape } from './shape.js';

/** One difference between two versions. */
export interface Change {
  /** Keys, and names of things: `['clients', 'web-app', 'name']`. */
  readonly path: readonly string[];
  /** undefined: it was absent. For a member of a set: the member, and `after` is undefined. */
  readonly before: unknown;
  readonly after: unknown;
  /**
   * `thing`: a named thing was added or removed. `member`: a member of a set was. Otherwise a value, or a secret, has
   * changed.
   */
  readonly of: 'thing' | 'member' | 'value' | 'secret';
}

/** Every difference between two versions of a part, in the order of the first one; things are followed by name. */
export function changes(shape: Shape, before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (same(shape, before, after)) return [];
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
      changes(memberShape(shape, key), own(left, key), own(right, key), [...path, key]),
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
    const old = left.get(name);
    const now = right.get(name);
    const at = [...path, name];
    if (old !== undefined && now !== undefined) return changes(shape.of, old, now, at);
    return [{ path: at, before: old, after: now, of: 'thing' as const }];
  });
}

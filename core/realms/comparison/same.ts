import { isObject, isTexts, type JsonObject, keysOf, ownMember } from './json.js';
import { matchItems } from './match-items.js';
import { memberShape, type Shape, VALUE } from './shape.js';

/**
 * True if two parts of a realm representation have the same meaning. An absent object or list counts as empty.
 * @param exactly if true, a declared value differs from an absent one with the same default
 */
export function isSame(shape: Shape, one: unknown, other: unknown, exactly = false): boolean {
  if (one === other) return true;
  switch (shape.kind) {
    case 'id':
      return shape.kept || one === undefined || other === undefined;
    case 'items':
      return areSameItems(shape, one, other, exactly);
    case 'set':
      return isTexts(one) && isTexts(other) ? isSameSet(one, other) : isSameValue(shape, one, other, exactly);
    default:
      return isSameValue(shape, one, other, exactly);
  }
}

function isSameValue(shape: Shape, one: unknown, other: unknown, exactly: boolean): boolean {
  const defaultValue = shape.kind === 'value' && !exactly ? shape.default : undefined;
  const left = one ?? defaultValue;
  const right = other ?? defaultValue;
  if (left === right) return true;
  if (isObjectOrAbsent(left) && isObjectOrAbsent(right)) {
    return keysOf(left, right).every((key) =>
      isSame(memberShape(shape, key), ownMember(left, key), ownMember(right, key), exactly),
    );
  }
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => isSame(VALUE, item, right[index], exactly));
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return members.size === new Set(other).size && other.every((text) => members.has(text));
}

function areSameItems(
  shape: Extract<Shape, { kind: 'items' }>,
  one: unknown,
  other: unknown,
  exactly: boolean,
): boolean {
  const [left, right] = matchItems(shape, one, other) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  return (
    left.size === right.size &&
    [...left].every(([key, item]) => right.has(key) && isSame(shape.of, item, right.get(key), exactly))
  );
}

function isObjectOrAbsent(value: unknown): value is JsonObject | undefined {
  return value === undefined || isObject(value);
}

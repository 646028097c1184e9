import { isObject, isTexts, type JsonObject, keysOf, own } from './json.js';
import { matchItems } from './match-items.js';
import { memberShape, type Shape, VALUE } from './shape.js';

/**
 * True when two parts of a realm representation come to the same. An absent object or list of things is an empty one.
 * @param exactly true: what is stated differs from what is left to its default
 */
export function same(shape: Shape, one: unknown, other: unknown, exactly = false): boolean {
  if (one === other) return true;
  switch (shape.kind) {
    case 'id':
      return shape.kept || one === undefined || other === undefined;
    case 'items':
      return sameItems(shape, one, other, exactly);
    case 'set':
      return isTexts(one) && isTexts(other) ? sameSet(one, other) : sameValue(shape, one, other, exactly);
    default:
      return sameValue(shape, one, other, exactly);
  }
}

function sameValue(shape: Shape, one: unknown, other: unknown, exactly: boolean): boolean {
  const standard = shape.kind === 'value' && !exactly ? shape.default : undefined;
  const left = one ?? standard;
  const right = other ?? standard;
  if (left === right) return true;
  if (isObjectOrAbsent(left) && isObjectOrAbsent(right)) {
    return keysOf(left, right).every((key) => same(memberShape(shape, key), own(left, key), own(right, key), exactly));
  }
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => same(VALUE, item, right[index], exactly));
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return members.size === new Set(other).size && other.every((text) => members.has(text));
}

function sameItems(shape: Extract<Shape, { kind: 'items' }>, one: unknown, other: unknown, exactly: boolean): boolean {
  const [left, right] = matchItems(shape, one, other) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  return (
    left.size === right.size &&
    [...left].every(([key, item]) => right.has(key) && same(shape.of, item, right.get(key), exactly))
  );
}

function isObjectOrAbsent(value: unknown): value is JsonObject | undefined {
  return value === undefined || isObject(value);
}

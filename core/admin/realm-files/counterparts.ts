import type { JsonPath } from '../../config/json/json-document.js';
import { isObject, ownMember } from '../../realms/comparison/json.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { byKey, memberShape, type Shape, VALUE } from '../../realms/comparison/shape.js';
import { changedAddress } from '../secrets-for-new-address.js';

/** The counterpart in a realm file of a text in a document. */
export interface Counterpart {
  readonly text: string | undefined;
  /** The address that the document changes in the same object. */
  readonly moved: string | undefined;
}

type Found = (path: JsonPath, counterpart: Counterpart) => void;

/** Objects that can hold a secret and the address that it is sent to, by the depth of their paths. */
const CONNECTED: Readonly<Record<string, number>> = {
  smtpServer: 1,
  identityProviders: 2,
  identityProviderMappers: 2,
  authenticatorConfig: 2,
  requiredActions: 2,
  components: 3,
  providers: 3,
};

const USERS = byKey('username', VALUE);

/**
 * Compares two texts of one realm by position. Items are matched by name only: the author of a document can choose IDs
 * freely.
 * @param found called for every text of the document
 */
export function forEachCounterpart(document: unknown, file: unknown, found: Found): void {
  walk(REALM_SHAPE, document, file, [], undefined, found);
}

function walk(
  shape: Shape,
  mine: unknown,
  theirs: unknown,
  path: JsonPath,
  moved: string | undefined,
  found: Found,
): void {
  const isThing = CONNECTED[String(path[0])] === path.length;
  const change = isThing ? changedAddress(theirs, mine) : moved;
  if (typeof mine === 'string') found(path, { text: typeof theirs === 'string' ? theirs : undefined, moved: change });
  if (Array.isArray(mine)) {
    for (const [index, item] of mine.entries())
      walk(itemShape(shape), item, counterpart(shape, item, index, mine, theirs), [...path, index], change, found);
  } else if (isObject(mine)) {
    for (const [key, member] of Object.entries(mine)) {
      const inner = path.length === 0 && key === 'users' ? USERS : memberShape(shape, key);
      walk(inner, member, isObject(theirs) ? ownMember(theirs, key) : undefined, [...path, key], change, found);
    }
  }
}

function itemShape(shape: Shape): Shape {
  return shape.kind === 'items' ? shape.of : memberShape(shape, '');
}

/** Finds the counterpart of an item by its name. Items with a duplicate name have none. */
function counterpart(shape: Shape, item: unknown, index: number, mine: readonly unknown[], theirs: unknown): unknown {
  if (!Array.isArray(theirs)) return undefined;
  if (shape.kind !== 'items') return theirs[index];
  if (!isObject(item)) return undefined;
  const name = shape.nameOf(item);
  const named = (list: readonly unknown[]) => list.filter((one) => isObject(one) && shape.nameOf(one) === name);
  const [one, another] = named(theirs);
  return typeof name === 'string' && another === undefined && named(mine).length === 1 ? one : undefined;
}

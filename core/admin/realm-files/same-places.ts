import type { JsonPath } from '../../config/json/json-document.js';
import { isObject, own } from '../../realms/comparison/json.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { byKey, memberShape, type Shape, VALUE } from '../../realms/comparison/shape.js';
import { movedAddress } from '../moved-secrets.js';

/** What stands in a realm file where a document has a text. */
export interface Counterpart {
  readonly text: string | undefined;
  /** The address that the document changes beside it. */
  readonly moved: string | undefined;
}

type Found = (path: JsonPath, counterpart: Counterpart) => void;

/** What may hold a secret beside the address that it is sent to, by the depth of the path to one of them. */
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
 * Compares two texts of one realm place by place: things are found by their names alone, never by ids, which the author of a
 * document chooses.
 * @param found called for every text of the document
 */
export function samePlaces(document: unknown, file: unknown, found: Found): void {
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
  const change = isThing ? movedAddress(theirs, mine) : moved;
  if (typeof mine === 'string') found(path, { text: typeof theirs === 'string' ? theirs : undefined, moved: change });
  if (Array.isArray(mine)) {
    for (const [index, item] of mine.entries())
      walk(itemShape(shape), item, counterpart(shape, item, index, mine, theirs), [...path, index], change, found);
  } else if (isObject(mine)) {
    for (const [key, member] of Object.entries(mine)) {
      const inner = path.length === 0 && key === 'users' ? USERS : memberShape(shape, key);
      walk(inner, member, isObject(theirs) ? own(theirs, key) : undefined, [...path, key], change, found);
    }
  }
}

function itemShape(shape: Shape): Shape {
  return shape.kind === 'items' ? shape.of : memberShape(shape, '');
}

/** Of things that share a name none has a counterpart: which is which is not known. */
function counterpart(shape: Shape, item: unknown, index: number, mine: readonly unknown[], theirs: unknown): unknown {
  if (!Array.isArray(theirs)) return undefined;
  if (shape.kind !== 'items') return theirs[index];
  if (!isObject(item)) return undefined;
  const name = shape.nameOf(item);
  const named = (list: readonly unknown[]) => list.filter((one) => isObject(one) && shape.nameOf(one) === name);
  const [one, another] = named(theirs);
  return typeof name === 'string' && another === undefined && named(mine).length === 1 ? one : undefined;
}

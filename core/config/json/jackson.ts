import type { JsonPath } from './json-document.js';

/** A value that was read as another one. */
export interface Coercion {
  readonly path: JsonPath;
  readonly from: unknown;
  /** Undefined: as if it were not there. */
  readonly to: unknown;
}

/** As much of a JSON Schema as says what a value is read as. */
interface Shape {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
}

/** Items of lists that were left out, by the list's path as it was written. */
export type LeftOut = Map<string, readonly number[]>;

const ABSENT = Symbol('absent');

/**
 * Reads plain values as Keycloak does, whose reader is Jackson, before the schema judges them: a member that is `null`
 * is absent; a number or a boolean is a text where a text is meant; `"300"` is a number, `300.9` an integer without its
 * fraction, `"true"`, `"True"` and `"TRUE"` booleans as 1 and 0 are; an empty text is no number and no boolean, but
 * absent; a word of a fixed set may have other letters. Beyond Keycloak, a plain value is a list of one where a list is
 * meant. What cannot be read stays as it is, for the schema to refuse, and so does an object that is null in a list. Where
 * the schema admits `null` it stays: an attribute is taken back by it.
 * @param value changed in place
 * @param shared schemas that `schema` refers to by `$id`
 * @param leftOut gets the items of lists that were left out: `writtenPath` finds the places of the others by it
 * @returns every value that was read as another one, but for members that were null
 */
export function readAsJackson(
  value: unknown,
  schema: object,
  shared: readonly object[] = [],
  leftOut: LeftOut = new Map(),
): Coercion[] {
  const schemas = new Map(shared.map((one) => [(one as Shape).$id, one as Shape]));
  const coercions: Coercion[] = [];
  const walk = (container: Record<string | number, unknown>, key: string | number, shape: Shape, up: Place) => {
    const from = container[key];
    // Nearly everything in a file of many users.
    if (typeof from === shape.type && typeof from !== 'object') return;
    const at = { up, key };
    const to = scalar(from, shape);
    if (to !== from) {
      coercions.push({ path: pathTo(at), from, to: to === ABSENT ? undefined : to });
      container[key] = to;
    }
    if (typeof to === 'object') below(to, shape, at);
  };
  const below = (node: unknown, given: Shape, at: Place | undefined): void => {
    const shape = given.$ref === undefined ? given : (schemas.get(given.$ref) ?? {});
    if (Array.isArray(node)) {
      if (shape.items === undefined) return;
      for (let index = 0; index < node.length; index += 1)
        // An array is walked by its indexes as an object by its keys.
        walk(node as unknown as Record<number, unknown>, index, shape.items, at);
      // A list of objects says how many there are: one that is null is a mistake, not nothing.
      const isOfObjects = shape.items.$ref !== undefined || typesOf(shape.items).includes('object');
      const isGone = (item: unknown) => (item === null && !isOfObjects) || item === ABSENT;
      if (!node.some(isGone)) return;
      const indices = [...node.keys()];
      leftOut.set(
        JSON.stringify(pathTo(at)),
        indices.filter((index) => isGone(node[index])),
      );
      const kept = node.filter((item) => !isGone(item));
      node.length = 0;
      for (const item of kept) node.push(item);
    } else if (typeof node === 'object' && node !== null) {
      const { properties, additionalProperties: others } = shape;
      if (properties === undefined && typeof others !== 'object') return;
      const members = node as Record<string, unknown>;
      for (const name of Object.keys(members)) {
        const member = members[name];
        const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
        const own = known ?? (typeof others === 'object' ? others : {});
        if (member === null && !typesOf(own).includes('null')) {
          delete members[name];
        } else {
          walk(members, name, own, at);
          if (members[name] === ABSENT) delete members[name];
        }
      }
    }
  };
  below(value, schema as Shape, undefined);
  return coercions;
}

/** Where the walk is; most of it has nothing to tell, so that paths are made when one is told. */
type Place = { readonly up: Place; readonly key: string | number } | undefined;

function pathTo(at: Place): JsonPath {
  const path: (string | number)[] = [];
  for (let place = at; place !== undefined; place = place.up) path.unshift(place.key);
  return path;
}

/** `the text is read as the number 300` */
export function coercionSentence({ from, to }: Pick<Coercion, 'from' | 'to'>): string {
  if (to === undefined) return 'an empty string is read as a missing value';
  if (Array.isArray(to)) return `a ${typeof from} is read as a list of one`;
  if (typeof from === typeof to) return `is read as ${JSON.stringify(to)}`;
  const kind = { string: 'text', number: 'number', boolean: 'boolean' }[typeof from as 'string'] ?? typeof from;
  return `the ${kind} is read as ${JSON.stringify(to)}`;
}

/** Where a value of what was read stands in what was written: items that were left out moved those behind them. */
export function writtenPath(path: JsonPath, leftOut: LeftOut): JsonPath {
  if (leftOut.size === 0) return path;
  const written: (string | number)[] = [];
  for (const part of path) {
    let index = part;
    for (const gone of (typeof part === 'number' && leftOut.get(JSON.stringify(written))) || []) {
      if (gone <= Number(index)) index = Number(index) + 1;
    }
    written.push(index);
  }
  return written;
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** What a plain value is read as; itself where it fits, or nothing can be made of it. */
function scalar(value: unknown, shape: Shape): unknown {
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return value;
  if (shape.enum !== undefined) return word(value, shape.enum);
  const types = typesOf(shape);
  if (types.includes('array')) {
    if (Array.isArray(value) || types.includes(typeof value) || value === '') return value;
    // A plain value is none of a list of objects.
    return shape.items?.$ref === undefined && !typesOf(shape.items ?? {}).includes('object') ? [value] : value;
  }
  const [type] = types.filter((name) => name !== 'null');
  if (Array.isArray(value) || type === undefined || types.includes(typeof value)) return value;
  switch (type) {
    case 'string':
      return typeof value === 'object' ? value : String(value);
    case 'integer':
    case 'number':
      return numberFrom(value, type);
    case 'boolean':
      return booleanFrom(value);
    default:
      return value;
  }
}

/** The one of these words or numbers that is meant: words in whatever letters, numbers also as text. */
function word(value: unknown, all: readonly unknown[]): unknown {
  if (all.includes(value) || Array.isArray(value)) return value;
  const text = String(value).toLowerCase();
  return all.find((one) => String(one).toLowerCase() === text) ?? value;
}

function numberFrom(value: unknown, type: 'integer' | 'number'): unknown {
  if (typeof value === 'number') return type === 'integer' && Number.isFinite(value) ? Math.trunc(value) : value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return ABSENT;
  const isNumber = type === 'integer' ? /^[+-]?\d{1,15}$/ : /^[+-]?\d{1,15}(\.\d+)?$/;
  return isNumber.test(text) ? Number(text) : value;
}

function booleanFrom(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value !== 0 : value;
  if (typeof value !== 'string') return value;
  switch (value.trim()) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    case '':
      return ABSENT;
    default:
      return value;
  }
}

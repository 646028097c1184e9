import type { JsonPath } from './json-document.js';

/** A value that was read as a different one. */
export interface Coercion {
  readonly path: JsonPath;
  readonly from: unknown;
  /** Undefined if the value is read as absent. */
  readonly to: unknown;
}

/** The part of a JSON Schema that decides how a value is read. */
interface Shape {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
}

/** Indexes of omitted items, by the path that the list has in the file. */
export type OmittedItems = Map<string, readonly number[]>;

const ABSENT = Symbol('absent');

/**
 * Reads plain values as Keycloak's reader, Jackson, does, before the schema is checked:
 * - A member that is `null` is absent.
 * - A number or a boolean is a text if a text is expected.
 * - `"300"` is a number, and `300.9` an integer without its fraction.
 * - `"true"`, `"True"` and `"TRUE"` are booleans, as are 1 and 0.
 * - An empty text is absent if a number or a boolean is expected.
 * - The words of an enum match in any letter case.
 *
 * Beyond Keycloak, a plain value is a list of one if a list is expected. A value that cannot be read stays for the
 * schema to reject, and so does a `null` in a list of objects. If the schema admits `null` it stays: it removes an
 * attribute.
 * @param value changed in place
 * @param shared schemas that `schema` refers to by `$id`
 * @param leftOut receives the indexes of omitted list items, for `pathInFile`
 * @returns every value that was read as a different one, except members that were null
 */
export function readAsJackson(
  value: unknown,
  schema: object,
  shared: readonly object[] = [],
  leftOut: OmittedItems = new Map(),
): Coercion[] {
  const schemas = new Map(shared.map((one) => [(one as Shape).$id, one as Shape]));
  const coercions: Coercion[] = [];
  const walk = (container: Record<string | number, unknown>, key: string | number, shape: Shape, up: Place) => {
    const from = container[key];
    // The fast path: nearly all values in a file of many users.
    if (typeof from === shape.type && typeof from !== 'object') return;
    const place = { up, key };
    const to = scalar(from, shape);
    if (to !== from) {
      coercions.push({ path: pathTo(place), from, to: to === ABSENT ? undefined : to });
      container[key] = to;
    }
    if (typeof to === 'object') convertBelow(to, shape, place);
  };
  const convertBelow = (node: unknown, declaredShape: Shape, at: Place | undefined): void => {
    const shape = declaredShape.$ref === undefined ? declaredShape : (schemas.get(declaredShape.$ref) ?? {});
    if (Array.isArray(node)) {
      if (shape.items === undefined) return;
      for (let index = 0; index < node.length; index += 1)
        // Walk an array by index like an object by key.
        walk(node as unknown as Record<number, unknown>, index, shape.items, at);
      // The length of a list of objects matters, so `null` in it is a mistake and not an absent item.
      const isOfObjects = shape.items.$ref !== undefined || typesOf(shape.items).includes('object');
      const isGone = (item: unknown) => (item === null && !isOfObjects) || item === ABSENT;
      if (!node.some(isGone)) return;
      const indices = [...node.keys()];
      leftOut.set(
        JSON.stringify(pathTo(at)),
        indices.filter((index) => isGone(node[index])),
      );
      const remaining = node.filter((item) => !isGone(item));
      node.length = 0;
      for (const item of remaining) node.push(item);
    } else if (typeof node === 'object' && node !== null) {
      const { properties, additionalProperties: additionalShape } = shape;
      if (properties === undefined && typeof additionalShape !== 'object') return;
      const members = node as Record<string, unknown>;
      for (const name of Object.keys(members)) {
        const member = members[name];
        const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
        const memberShape = declared ?? (typeof additionalShape === 'object' ? additionalShape : {});
        if (member === null && !typesOf(memberShape).includes('null')) {
          delete members[name];
        } else {
          walk(members, name, memberShape, at);
          if (members[name] === ABSENT) delete members[name];
        }
      }
    }
  };
  convertBelow(value, schema as Shape, undefined);
  return coercions;
}

/** The current position of the walk. Its path is computed only for a value that is reported, since most are not. */
type Place = { readonly up: Place; readonly key: string | number } | undefined;

function pathTo(innermost: Place): JsonPath {
  const path: (string | number)[] = [];
  for (let place = innermost; place !== undefined; place = place.up) path.unshift(place.key);
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

/** Converts the path of a value that was read to its path in the file: omitted items shifted the indexes after them. */
export function pathInFile(path: JsonPath, leftOut: OmittedItems): JsonPath {
  if (leftOut.size === 0) return path;
  const writtenPath: (string | number)[] = [];
  for (const part of path) {
    let index = part;
    for (const removedIndex of (typeof part === 'number' && leftOut.get(JSON.stringify(writtenPath))) || []) {
      if (removedIndex <= Number(index)) index = Number(index) + 1;
    }
    writtenPath.push(index);
  }
  return writtenPath;
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** The plain value that a plain value is read as; the value itself if it fits or cannot be converted. */
function scalar(value: unknown, shape: Shape): unknown {
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return value;
  if (shape.enum !== undefined) return enumValue(value, shape.enum);
  const types = typesOf(shape);
  if (types.includes('array')) {
    if (Array.isArray(value) || types.includes(typeof value) || value === '') return value;
    // A plain value cannot be an item of a list of objects.
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

/** Finds the allowed word or number: words in any letter case, numbers also as text. */
function enumValue(value: unknown, allowedValues: readonly unknown[]): unknown {
  if (allowedValues.includes(value) || Array.isArray(value)) return value;
  const text = String(value).toLowerCase();
  return allowedValues.find((one) => String(one).toLowerCase() === text) ?? value;
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

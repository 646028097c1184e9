import type { JsonPath } from './json-document.js';

/** A value that was read as another value. */
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

/** Indexes of omitted items, by the list's path in the file as JSON. */
export type OmittedItems = Map<string, readonly number[]>;

const ABSENT = Symbol('absent');

/**
 * Converts plain values (strings, numbers and booleans) as Keycloak's JSON reader, Jackson, does, before the schema is
 * checked:
 * - A member that is `null` is absent.
 * - A number or a boolean becomes a string if a string is expected.
 * - `"300"` becomes a number if one is expected, and `300.9` loses its fraction if an integer is expected.
 * - `"true"`, `"True"` and `"TRUE"` become true if a boolean is expected, and so does any integer but 0.
 * - An empty string is absent if a number or a boolean is expected.
 * - The words of an enum match in any letter case.
 *
 * Unlike in Keycloak, a plain value becomes a list of one item if a list of plain values is expected. A value that
 * cannot be converted stays for the schema to reject, and so does a `null` in a list of objects. A `null` that the
 * schema admits stays, since it removes an attribute.
 * @param value changed in place
 * @param shared schemas that `schema` refers to by `$id`
 * @param omittedItems receives the indexes of omitted list items, for `pathInFile`
 * @returns the values that were converted, without members and items that were `null`
 */
export function readAsJackson(
  value: unknown,
  schema: object,
  shared: readonly object[] = [],
  omittedItems: OmittedItems = new Map(),
): Coercion[] {
  const schemas = new Map(shared.map((one) => [(one as Shape).$id, one as Shape]));
  const coercions: Coercion[] = [];
  const walk = (container: Record<string | number, unknown>, key: string | number, shape: Shape, parent: Place) => {
    const from = container[key];
    // The fast path: nearly all values in a file of many users.
    if (typeof from === shape.type && typeof from !== 'object') return;
    const place = { parent, key };
    const to = readPlainValue(from, shape);
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
        // An array is walked by index as an object is by key.
        walk(node as unknown as Record<number, unknown>, index, shape.items, at);
      // The length of a list of objects matters, so `null` in it is a mistake and not an absent item.
      const isListOfObjects = shape.items.$ref !== undefined || typesOf(shape.items).includes('object');
      const isOmitted = (item: unknown) => (item === null && !isListOfObjects) || item === ABSENT;
      if (!node.some(isOmitted)) return;
      const indices = [...node.keys()];
      omittedItems.set(
        JSON.stringify(pathTo(at)),
        indices.filter((index) => isOmitted(node[index])),
      );
      const remaining = node.filter((item) => !isOmitted(item));
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

/** The position of a value while the tree is walked. Its path is only computed for a value that is reported. */
type Place = { readonly parent: Place; readonly key: string | number } | undefined;

function pathTo(innermost: Place): JsonPath {
  const path: (string | number)[] = [];
  for (let place = innermost; place !== undefined; place = place.parent) path.unshift(place.key);
  return path;
}

/** Such as `the text is read as 300`. */
export function coercionSentence({ from, to }: Pick<Coercion, 'from' | 'to'>): string {
  if (to === undefined) return 'an empty string is read as a missing value';
  if (Array.isArray(to)) return `a ${typeof from} is read as a list of one`;
  if (typeof from === typeof to) return `is read as ${JSON.stringify(to)}`;
  const kind = { string: 'text', number: 'number', boolean: 'boolean' }[typeof from as 'string'] ?? typeof from;
  return `the ${kind} is read as ${JSON.stringify(to)}`;
}

/**
 * Converts the path of a value as read to its path in the file. An omitted item makes the indexes after it higher
 * there.
 */
export function pathInFile(path: JsonPath, omittedItems: OmittedItems): JsonPath {
  if (omittedItems.size === 0) return path;
  const writtenPath: (string | number)[] = [];
  for (const part of path) {
    let index = part;
    for (const removedIndex of (typeof part === 'number' && omittedItems.get(JSON.stringify(writtenPath))) || []) {
      if (removedIndex <= Number(index)) index = Number(index) + 1;
    }
    writtenPath.push(index);
  }
  return writtenPath;
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/**
 * Converts a plain value to the type that the schema expects. A value that fits or cannot be converted is returned as
 * it is.
 */
function readPlainValue(value: unknown, shape: Shape): unknown {
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

/** Finds the allowed value that equals this one as text, in any letter case. */
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

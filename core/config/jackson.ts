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

const ABSENT = Symbol('absent');

/**
 * Reads plain values as Keycloak does, whose reader is Jackson, before the schema judges them: a member that is `null`
 * is absent; a number or a boolean is a text where a text is meant; `"300"` is a number, `300.9` an integer without its
 * fraction, `"true"`, `"True"` and `"TRUE"` booleans as 1 and 0 are; an empty text is no number and no boolean, but
 * absent; a word of a fixed set may have other letters. Beyond Keycloak, a plain value is a list of one where a list is
 * meant. What cannot be read stays as it is,
 * for the schema to refuse. Where the schema admits `null` it stays: an attribute is taken back by it.
 * @param value changed in place
 * @param shared schemas that `schema` refers to by `$id`
 * @returns every value that was read as another one, but for members that were null
 */
export function readAsJackson(value: unknown, schema: object, shared: readonly object[] = []): Coercion[] {
  const schemas = new Map(shared.map((one) => [(one as Shape).$id, one as Shape]));
  const coercions: Coercion[] = [];
  const walk = (container: Record<string | number, unknown>, key: string | number, shape: Shape, path: JsonPath) => {
    const from = container[key];
    const to = scalar(from, shape);
    if (to !== from) {
      coercions.push({ path, from, to: to === ABSENT ? undefined : to });
      container[key] = to;
    }
    below(to, shape, path);
  };
  const below = (node: unknown, given: Shape, path: JsonPath): void => {
    const shape = given.$ref === undefined ? given : (schemas.get(given.$ref) ?? {});
    if (Array.isArray(node)) {
      if (shape.items === undefined) return;
      for (const index of node.keys())
        walk(node as unknown as Record<number, unknown>, index, shape.items, [...path, index]);
      const kept = node.filter((item) => item !== null && item !== ABSENT);
      if (kept.length < node.length) node.splice(0, node.length, ...kept);
    } else if (typeof node === 'object' && node !== null) {
      const { properties, additionalProperties: others } = shape;
      if (properties === undefined && typeof others !== 'object') return;
      const members = node as Record<string, unknown>;
      for (const [name, member] of Object.entries(members)) {
        const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
        const own = known ?? (typeof others === 'object' ? others : {});
        if (member === null && !typesOf(own).includes('null')) {
          delete members[name];
        } else {
          walk(members, name, own, [...path, name]);
          if (members[name] === ABSENT) delete members[name];
        }
      }
    }
  };
  below(value, schema as Shape, []);
  return coercions;
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
    return [value];
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

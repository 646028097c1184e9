import type { JsonSchema } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';

/** Keywords that contain one schema, a list of schemas, and schemas by name. */
const ONE = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/**
 * Finds a default that its own schema rejects: a user who sets nothing would get an error for it.
 * @returns the first one with its position and the mistake, such as `properties.a.default must be a string`
 */
export function invalidDefault(schema: JsonSchema): string | undefined {
  const shared = Object.entries({ $defs: schema.$defs, definitions: schema.definitions });
  const definitions = Object.fromEntries(shared.filter(([, given]) => given !== undefined));
  for (const [path, { default: value, ...rest }] of subschemas(schema)) {
    if (path === '' || value === undefined) continue;
    const check = compileSchema({ ...definitions, ...rest }, { useDefaults: true });
    if (check(structuredClone(value))) continue;
    const [problem] = schemaProblems(check);
    const inside = problem === undefined || problem.path.length === 0 ? '' : `.${formatPath(problem.path)}`;
    return `${path}.default${inside} ${problem?.message}`;
  }
  return undefined;
}

/**
 * Yields a schema and all its subschemas, each with its path, such as `properties.a`; the path of the root is empty.
 */
export function* subschemas(
  schema: unknown,
  path = '',
): Iterable<readonly [string, Readonly<Record<string, unknown>>]> {
  if (typeof schema !== 'object' || schema === null) return;
  const keywords = schema as Readonly<Record<string, unknown>>;
  yield [path, keywords];
  for (const [place, part] of parts(keywords)) yield* subschemas(part, path === '' ? place : `${path}.${place}`);
}

function* parts(schema: Readonly<Record<string, unknown>>): Iterable<[string, unknown]> {
  for (const name of ONE) yield [name, schema[name]];
  for (const name of LISTS) {
    for (const [index, one] of [schema[name]].flat().entries()) yield [`${name}[${index}]`, one];
  }
  for (const name of NAMED) {
    for (const [key, one] of Object.entries((schema[name] ?? {}) as object)) yield [`${name}.${key}`, one];
  }
}

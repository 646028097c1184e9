import type { JsonSchema } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';

/** Keywords that contain one schema, a list of schemas, or a map of schemas by name. */
const SINGLE_KEYWORDS = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];
const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP_KEYWORDS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/**
 * Finds a default that its own schema rejects. Users would get an error for a setting that they did not make.
 * @returns the position of the first one and the problem, such as `properties.a.default must be a string`
 */
export function invalidDefault(schema: JsonSchema): string | undefined {
  const sharedSchemas = Object.entries({ $defs: schema.$defs, definitions: schema.definitions });
  const definitions = Object.fromEntries(
    sharedSchemas.filter(([, definitionsOfKeyword]) => definitionsOfKeyword !== undefined),
  );
  for (const [path, { default: value, ...rest }] of subschemas(schema)) {
    if (path === '' || value === undefined) continue;
    const check = compileSchema({ ...definitions, ...rest }, { useDefaults: true });
    if (check(structuredClone(value))) continue;
    const [problem] = schemaProblems(check);
    const memberPath = problem === undefined || problem.path.length === 0 ? '' : `.${formatPath(problem.path)}`;
    return `${path}.default${memberPath} ${problem?.message}`;
  }
  return undefined;
}

/**
 * Yields a schema and all its subschemas, each with its path, such as `properties.a`. The path of the root is empty.
 */
export function* subschemas(
  schema: unknown,
  path = '',
): Iterable<readonly [string, Readonly<Record<string, unknown>>]> {
  if (typeof schema !== 'object' || schema === null) return;
  const keywords = schema as Readonly<Record<string, unknown>>;
  yield [path, keywords];
  for (const [relativePath, subschema] of directSubschemas(keywords))
    yield* subschemas(subschema, path === '' ? relativePath : `${path}.${relativePath}`);
}

function* directSubschemas(schema: Readonly<Record<string, unknown>>): Iterable<[string, unknown]> {
  for (const name of SINGLE_KEYWORDS) yield [name, schema[name]];
  for (const name of LIST_KEYWORDS) {
    for (const [index, item] of [schema[name]].flat().entries()) yield [`${name}[${index}]`, item];
  }
  for (const name of MAP_KEYWORDS) {
    for (const [key, item] of Object.entries((schema[name] ?? {}) as object)) yield [`${name}.${key}`, item];
  }
}

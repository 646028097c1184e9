import type { JsonSchema } from '@keyhost/spi';
import { formatPath } from '../config/json-document.js';
import { compileSchema, schemaProblems } from '../config/schema-check.js';

/** Keywords that hold one schema, many in a list, and many by name. */
const ONE = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/**
 * A default that the schema beside it refuses: whoever gives nothing would be refused for it.
 * @returns the first one with its place and what is wrong, such as `properties.a.default must be a string`
 */
export function illDefault(schema: JsonSchema): string | undefined {
  return inside(schema, '', { $defs: schema.$defs, definitions: schema.definitions });
}

function inside(schema: unknown, path: string, shared: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const keywords = schema as Record<string, unknown>;
  if (path !== '' && Object.hasOwn(keywords, 'default')) {
    const { default: value, ...rest } = keywords;
    const definitions = Object.entries(shared).filter(([, given]) => given !== undefined);
    const check = compileSchema({ ...Object.fromEntries(definitions), ...rest }, { useDefaults: true });
    if (!check(structuredClone(value))) {
      const [problem] = schemaProblems(check);
      return `${path}.default${problem?.path.length ? `.${formatPath(problem.path)}` : ''} ${problem?.message}`;
    }
  }
  for (const [place, part] of parts(keywords)) {
    const found = inside(part, path === '' ? place : `${path}.${place}`, shared);
    if (found !== undefined) return found;
  }
  return undefined;
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

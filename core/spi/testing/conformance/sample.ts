import type { Json, JsonSchema } from '../../json-schema.js';

const FORMATS: Readonly<Record<string, string>> = {
  email: 'someone@example.test',
  uri: 'http://localhost/',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
};

/** A value that the schema accepts, as far as its simple keywords go: a `pattern` is not understood. */
export function sample(schema: JsonSchema): Json {
  const { const: fixed, enum: choices, default: standard, examples } = schema;
  if (fixed !== undefined) return fixed;
  if (standard !== undefined) return standard as Json;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (choices?.[0] !== undefined) return choices[0];
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
    }
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => sample(schema.items ?? {}));
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return FORMATS[String(schema.format)] ?? 'x'.padEnd(Number(schema.minLength ?? 1), 'x');
  }
}

import type { JsonSchema } from '../json-schema.js';

/** An object with these members, and no others. */
export const object = (
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
) =>
  ({
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  }) satisfies JsonSchema;

/** A union of objects, discriminated by the value of `member`. */
export const discriminatedBy = (member: string, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: [member],
  properties: { [member]: { enum: Object.keys(schemas) } },
  allOf: Object.entries(schemas).map(([value, schema]) => ({
    if: { required: [member], properties: { [member]: { const: value } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
    then: schema,
  })),
});

/** A schema for a value that may be `undefined`, to which the schema does not apply. */
export const optional = (schema: JsonSchema): JsonSchema => ({
  if: { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
  then: schema,
});

import type { Json, JsonObject, JsonSchema } from '@keyhost/spi';

/** An object with placeholders for the members that a schema requires and that have no default. */
export function placeholders({ required = [], properties = {} }: JsonSchema = {}): JsonObject {
  const missing = required.filter((name) => properties[name]?.default === undefined);
  return Object.fromEntries(missing.map((name) => [name, placeholder(properties[name])]));
}

function placeholder(schema: JsonSchema = {}): Json {
  if (schema.type === 'array') return [placeholder(schema.items)];
  return schema.type === 'object' ? placeholders(schema) : '…';
}

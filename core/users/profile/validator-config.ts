import type { Json, JsonSchema } from '@keyhost/spi';

export type ValidatorConfig = Readonly<Record<string, Json>>;

/**
 * What a user profile gives to one use of a validator, with the defaults of its settings. Consoles write numbers and booleans as
 * texts, and nothing as an empty text.
 */
export function validatorConfig(settings: JsonSchema | undefined, given: object | null): ValidatorConfig {
  const properties = settings?.properties ?? {};
  const config: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.default !== undefined) config[name] = schema.default as Json;
  }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null || value === '') continue;
    config[name] = Object.hasOwn(properties, name) ? typed(properties[name], value) : value;
  }
  return config;
}

function typed(schema: JsonSchema | undefined, value: Json): Json {
  if (typeof value !== 'string') return value;
  switch (schema?.type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
}

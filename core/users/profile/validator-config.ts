import type { Json, JsonSchema } from '@keyhost/spi';

export type ValidatorConfig = Readonly<Record<string, Json>>;

/**
 * The settings for one use of a validator in a user profile, with defaults. Consoles send numbers and booleans as
 * strings, and missing values as empty strings.
 */
export function validatorConfig(settings: JsonSchema | undefined, configured: object | null): ValidatorConfig {
  const properties = settings?.properties ?? {};
  const config: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.default !== undefined) config[name] = schema.default as Json;
  }
  for (const [name, value] of Object.entries(configured ?? {})) {
    if (value === null || value === '') continue;
    config[name] = Object.hasOwn(properties, name) ? convertValue(properties[name], value) : value;
  }
  return config;
}

function convertValue(schema: JsonSchema | undefined, value: Json): Json {
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

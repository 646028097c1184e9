import type { JsonSchema } from '@keyhost/spi';

/**
 * A configuration property of an executor or a condition: a field of the form in Keycloak's console, and a rule for the
 * checks.
 */
export interface PolicyProperty {
  readonly name: string;
  readonly label: string;
  readonly helpText: string;
  /** Keycloak's type; `Map` is a text that holds a JSON array of `{"key", "value"}`. */
  readonly type:
    | 'boolean'
    | 'Integer'
    | 'String'
    | 'List'
    | 'MultivaluedList'
    | 'MultivaluedString'
    | 'IdentityProviderMultiList'
    | 'Map';
  readonly defaultValue?: unknown;
  /** For a list: the allowed values. */
  readonly options?: readonly string[];
  /** Set if the value is a number of seconds, although the type is a text. */
  readonly isSeconds?: true;
}

/** The configuration of an executor or a condition: complete, in the types of its properties. */
export type PolicyConfig = Readonly<Record<string, unknown>>;

const LISTS: readonly PolicyProperty['type'][] = ['MultivaluedList', 'MultivaluedString', 'IdentityProviderMultiList'];

/** The largest number of seconds. Keycloak allows 64-bit numbers, but not all of them can be added to a date. */
const MAX_SECONDS = 2_147_483_647;

function schemaOfProperty({ type, options, isSeconds }: PolicyProperty): JsonSchema {
  if (isSeconds === true || type === 'Integer') return { type: 'integer', minimum: 0, maximum: MAX_SECONDS };
  if (type === 'boolean') return { type: 'boolean' };
  const text: JsonSchema = { type: 'string', ...(options === undefined ? {} : { enum: options }) };
  return LISTS.includes(type) ? { type: 'array', items: text } : text;
}

/**
 * Returns the JSON Schema of a configuration, with the labels of its form. An unknown key is a mistake, since it would
 * have no effect.
 */
export function configSchema(properties: readonly PolicyProperty[]): JsonSchema {
  const described = ({ name, label, helpText }: PolicyProperty, schema: JsonSchema) =>
    [name, { ...schema, title: label, description: helpText }] as const;
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map((property) => described(property, schemaOfProperty(property)))),
    additionalProperties: false,
  };
}

/**
 * Adds defaults. A missing switch or time has the value that its form shows; a missing text has none, as in Keycloak.
 */
export function withDefaults(properties: readonly PolicyProperty[], config: PolicyConfig): PolicyConfig {
  const defaults = properties.filter(({ type, isSeconds }) => type === 'boolean' || isSeconds === true);
  return { ...Object.fromEntries(defaults.map(({ name, defaultValue }) => [name, defaultValue])), ...config };
}

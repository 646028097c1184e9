import type { JsonSchema } from '../json-schema.js';

/** What admins see of a provider, such as in Keycloak's console. */
export interface Description {
  readonly displayName: string;
  /** One sentence: what it does. */
  readonly helpText?: string;
}

/** What kinds declare whose providers the console describes. */
export interface Described<T extends Description = Description> {
  /** Without it admins see the provider by its id. */
  readonly describe?: T;
  /**
   * JSON Schema of the settings that realms give to each use of the provider: the console's form. `title` is the label of a
   * field and `description` its help. Keycloak keeps settings as texts, and so they come along as `config`: numbers and
   * booleans in their JSON form, lists with `##` between their items. `format` may be `role`, `client` or `user-attribute`,
   * which are chosen from a list, and `password`, which is never shown again. The `items` of a list may have the `format`
   * `client-scope`, `protocol-mapper` or `credential-type`. Policies of client registration have lists of texts in their place.
   */
  readonly settings?: JsonSchema;
}

/** The members of a `Description`. */
export const DESCRIBES = ['displayName', 'helpText'] as const satisfies readonly (keyof Description)[];

const TYPES = ['string', 'integer', 'number', 'boolean'];

/** @throws Error when `describe` or `settings` have the wrong shape */
export function checkDescribed({ describe, settings }: Readonly<Record<string, unknown>>): void {
  if (describe !== undefined) checkDescription(describe);
  if (settings !== undefined) checkSettings(settings);
}

function checkDescription(describe: unknown): void {
  const { displayName, helpText = '' } = (describe ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof displayName !== 'string' || displayName === '')
    throw new Error('describe.displayName is required, and must be a text');
  if (typeof helpText !== 'string') throw new Error('describe.helpText must be a text');
}

function checkSettings(settings: unknown): void {
  const { type, properties = {} } = (settings ?? {}) as JsonSchema;
  if (type !== 'object') throw new Error('settings must be a JSON Schema of type object');
  for (const [name, schema] of Object.entries(properties)) {
    const { type: of, enum: choices } = (schema.type === 'array' ? schema.items : schema) ?? {};
    if ((of === undefined && choices !== undefined) || TYPES.includes(String(of))) continue;
    throw new Error(`settings.properties.${name} must be a text, a number, a boolean, or a list of these`);
  }
}

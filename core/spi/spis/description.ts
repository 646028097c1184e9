import type { JsonSchema } from '../json-schema.js';

/** The texts about a provider in an admin console. */
export interface Description {
  readonly displayName: string;
  /** One sentence about its effect. */
  readonly helpText?: string;
}

/** The members that SPIs share whose providers the admin console describes. */
export interface Described<T extends Description = Description> {
  /** Default: admins see the provider's ID. */
  readonly describe?: T;
  /**
   * JSON Schema of the settings that realms set for each use of the provider, shown as a form in the admin console.
   * `title` is the label of a field and `description` its help. Keycloak stores settings as texts, so `config` has
   * texts: numbers and booleans in their JSON form, lists with `##` between their items. For policies of client
   * registration each setting is a list of texts.
   *
   * A `format` of `role`, `client` or `user-attribute` is chosen from a list; a `password` is never shown again. The
   * `items` of a list may have the `format` `client-scope`, `protocol-mapper` or `credential-type`.
   */
  readonly settings?: JsonSchema;
}

/** The members of a `Description`. */
export const DESCRIBES = ['displayName', 'helpText'] as const satisfies readonly (keyof Description)[];

const SETTING_TYPES = ['string', 'integer', 'number', 'boolean'];

/** @throws Error if `describe` or `settings` have the wrong shape */
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
    const { type: settingType, enum: choices } = (schema.type === 'array' ? schema.items : schema) ?? {};
    if ((settingType === undefined && choices !== undefined) || SETTING_TYPES.includes(String(settingType))) continue;
    throw new Error(`settings.properties.${name} must be a text, a number, a boolean, or a list of these`);
  }
}

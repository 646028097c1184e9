import type { JsonSchema } from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import { PLUGINS_SCHEMA } from '../../plugins-file.js';
import type { ProviderSchema } from '../provider-checks.js';
import { DESCRIPTIONS } from './realm-descriptions.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from './realm-schema.js';

/** The JSON Schema draft that most editors support. */
const DIALECT = 'http://json-schema.org/draft-07/schema#';

type Schema = { [keyword: string]: unknown };

/**
 * The JSON Schema of realm files for editors: `providers.<spi>.<id>.config` has each provider's own schema, and known
 * keys have descriptions. It is laxer than the host's checks, which also compare parts of the file.
 */
export function realmEditorSchema(providers: readonly ProviderSchema[]): object {
  // The members of older Keycloaks are omitted: new files do not use them.
  const text = JSON.stringify(REALM_SCHEMA);
  const usedSchemas = SHARED_SCHEMAS.filter(({ $id }) => text.includes($id));
  const shared = Object.fromEntries(usedSchemas.map((schema) => [schema.$id.replace('keyhost:', ''), schema]));
  const $defs = Object.fromEntries(
    Object.entries(shared).map(([name, { $id: _, ...schema }]) => [
      name,
      withDescriptions(toEditorSchema(schema), name),
    ]),
  );
  const realm = withDescriptions(toEditorSchema(REALM_SCHEMA), 'realm');
  const properties = realm.properties as Record<string, Schema>;
  properties.providers = { ...properties.providers, ...providersSchema(providers), additionalProperties: false };
  const examples = (spi: string) => providers.filter((one) => one.spi === spi).map(({ id }) => id);
  properties.eventsListeners = {
    ...properties.eventsListeners,
    items: { type: 'string', examples: examples('events-listener') },
  };
  return { $schema: DIALECT, title: 'A Keyhost realm', ...realm, $defs };
}

/** The JSON Schema of plugins.json for editors: each plugin's `config` has the plugin's own schemas. */
export function pluginsEditorSchema(
  plugins: readonly { readonly module: string; readonly config: ReadonlyMap<string, JsonSchema> }[],
): object {
  const { $id: _, ...schema } = withDescriptions(toEditorSchema(PLUGINS_SCHEMA), 'pluginsFile');
  const list = (schema.properties as Record<string, Schema>).plugins as Schema;
  const entry = withDescriptions(list.items as Schema, 'plugin');
  const module = (entry.properties as Record<string, Schema>).module as Schema;
  module.examples = plugins.map((plugin) => plugin.module);
  entry.allOf = plugins.map((plugin, index) => ({
    if: { properties: { module: { const: plugin.module } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
    then: {
      properties: {
        config: {
          type: 'object',
          properties: Object.fromEntries(
            [...plugin.config].map(([name, config]) => [
              name,
              rebaseReferences(
                config,
                `#/properties/plugins/items/allOf/${index}/then/properties/config/properties/${pointerPart(name)}`,
              ),
            ]),
          ),
          additionalProperties: false,
        },
      },
    },
  }));
  list.items = entry;
  return { $schema: DIALECT, title: 'Keyhost plugins', ...schema };
}

const NO_CONFIG = { type: 'object', additionalProperties: false };

function providersSchema(providers: readonly ProviderSchema[]): Schema {
  const schemasBySpi: Record<string, Schema> = {};
  for (const { spi, id, enabledBy, realmConfig } of providers) {
    // Other keys of the realm enable this provider, and it has no configuration.
    if (enabledBy !== 'providers' && realmConfig === undefined) continue;
    schemasBySpi[spi] ??= { type: 'object', properties: {}, additionalProperties: false };
    const pointerToConfig = `#/properties/providers/properties/${pointerPart(spi)}/properties/${pointerPart(id)}/properties/config`;
    const enabled = { type: 'boolean', description: 'True: enabled in this realm.' };
    (schemasBySpi[spi].properties as Schema)[id] = {
      type: 'object',
      properties: {
        ...(enabledBy === 'providers' ? { enabled } : {}),
        config: realmConfig === undefined ? NO_CONFIG : rebaseReferences(realmConfig, pointerToConfig),
      },
      additionalProperties: false,
    };
  }
  return { properties: schemasBySpi };
}

/** Changes the references within a schema (`#/…`) for its location in a larger schema. */
function rebaseReferences(schema: JsonSchema, location: string): Schema {
  const isInternalReference = (key: string, value: unknown): value is string =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#');
  return deepMap(schema, (key, value) => [
    key,
    isInternalReference(key, value) ? location + value.slice(1) : value,
  ]) as Schema;
}

function pointerPart(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/**
 * Makes references to shared schemas point to `$defs`, and renames `mustBe` to the keyword with which editors explain a
 * pattern.
 */
function toEditorSchema(schema: object): Schema {
  return deepMap(schema, (key, value) => {
    if (typeof value !== 'string') return [key, value];
    if (key === 'mustBe') return ['patternErrorMessage', `must be ${value}`];
    return [key, key === '$ref' ? value.replace('keyhost:', '#/$defs/') : value];
  }) as Schema;
}

function deepMap(value: unknown, change: (key: string, value: unknown) => readonly [string, unknown]): unknown {
  if (Array.isArray(value)) return value.map((item) => deepMap(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Editors do not need the rights that guard a setting.
      .filter(([key, inner]) => key !== 'guarded' || typeof inner !== 'boolean')
      .map(([key, inner]) => {
        const [name, changedMember] = change(key, inner);
        return [name, deepMap(changedMember, change)];
      }),
  );
}

/** The kind of the objects under each key, as a key of `DESCRIPTIONS`. */
const OBJECT_OF_KEY: Readonly<Record<string, keyof typeof DESCRIPTIONS>> = {
  clients: 'client',
  clientScopes: 'clientScope',
  users: 'user',
  protocolMappers: 'protocolMapper',
  credentials: 'credential',
  impersonation: 'impersonation',
  defaultRole: 'role',
  realm: 'role',
  client: 'role',
};

/** Adds descriptions to the known keys of this kind of object and of the objects in it. */
function withDescriptions(schema: Schema, kind: string): Schema {
  const descriptions: Readonly<Record<string, string>> = Object.hasOwn(DESCRIPTIONS, kind)
    ? DESCRIPTIONS[kind as keyof typeof DESCRIPTIONS]
    : {};
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([key, member]) => {
    const description = Object.hasOwn(descriptions, key) ? descriptions[key] : undefined;
    return [key, { ...withInnerDescriptions(key, member), ...defined({ description }) }];
  });
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) };
}

function withInnerDescriptions(key: string, member: Schema): Schema {
  const kind = OBJECT_OF_KEY[key] ?? (key === 'roles' ? 'roles' : undefined);
  if (kind === undefined) return member;
  if (member.properties !== undefined) return withDescriptions(member, kind);
  const { items, additionalProperties } = member as { items?: Schema; additionalProperties?: Schema };
  if (items !== undefined) return { ...member, items: withDescriptions(items, kind) };
  if (typeof additionalProperties !== 'object') return member;
  return { ...member, additionalProperties: withInnerDescriptions(key, additionalProperties) };
}

import {
  ActionTokenHandler,
  Authenticator,
  EventListener,
  GrantType,
  GrpcService,
  type JsonSchema,
  ProtocolMapper,
  type ProviderDefinition,
  RealmResourceProvider,
  RequiredAction,
  SPI_API,
  type Spi,
  Theme,
} from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { compileSchema } from '../../config/json/schema-check.js';
import { messageOf } from '../../model/thrown.js';
import { illDefault } from './schema-defaults.js';
import { schemaFault } from './schema-fault.js';

/** The kinds of extension this host knows. A plugin's own copy of the SPI package names them; these judge. */
export const KINDS: ReadonlyMap<string, Spi> = new Map(
  [
    RealmResourceProvider,
    ActionTokenHandler,
    GrantType,
    GrpcService,
    EventListener,
    ProtocolMapper,
    Theme,
    Authenticator,
    RequiredAction,
  ].map((kind) => [kind.id, kind as Spi]),
);

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Path segments and token types that are Keyhost's, now or later; compared without case. */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  'realm-restapi-extension': [
    ...['protocol', 'login-actions', 'clients-registrations', 'clients-managements', 'clients', 'account', 'broker'],
    ...['.well-known', 'authz', 'admin', 'resources', 'js', 'health', 'metrics', 'device'],
  ],
  'action-token-handler': [
    ...[
      'reset-credentials',
      'verify-email',
      'execute-actions',
      'idp-verify-account-via-email',
      'update-email',
      'ORGIVT',
    ],
    ...[
      'Bearer',
      'Refresh',
      'Offline',
      'ID',
      'Logout',
      'Logout-Confirmation',
      'Serialized-ID',
      'DPoP',
      'JWT',
      'at+jwt',
    ],
    ...['InitialAccessToken', 'RegistrationAccessToken'],
  ].map((id) => id.toLowerCase()),
};

/** What `provide` takes for every kind. */
const OF_ALL_KINDS = ['id', 'version', 'config', 'realmConfig', 'open'];

/** The schema of a provider's host-wide configuration: its own, and what its kind gives to all. */
export function hostConfigSchema(definition: ProviderDefinition): JsonSchema {
  const { config = NO_CONFIG } = definition;
  const ofKind = spiOf(definition).config;
  return { ...config, properties: { ...ofKind, ...(config.properties as object | undefined) } } as JsonSchema;
}

/** Without a schema a provider takes no configuration. */
export const NO_CONFIG: JsonSchema = { type: 'object', additionalProperties: false };

/** The host's own constant of a provider's kind. */
export function spiOf({ spi }: ProviderDefinition): Spi {
  return KINDS.get(spi.id) ?? spi;
}

/** @throws BootError `plugin_shape` or `plugin_api` */
export function checkPlugin(value: unknown, module: string): asserts value is import('@keyhost/spi').Plugin {
  const wrong = (message: string, hint?: string) =>
    new BootError('plugin_shape', `${module}: ${message}`, { plugin: module, ...(hint === undefined ? {} : { hint }) });
  const example = 'export default { name, api: 1, providers: [provide(…)] } satisfies Plugin';
  if (typeof value !== 'object' || value === null) throw wrong('it has no default export that is a plugin', example);
  const { name, api, providers } = value as { name?: unknown; api?: unknown; providers?: unknown };
  if (typeof name !== 'string' || name === '') throw wrong('the plugin has no name', example);
  if (api === undefined) throw wrong(`it does not say for which SPI it was written: api: ${SPI_API}`, example);
  if (api !== SPI_API) {
    throw new BootError('plugin_api', `${module} was written for SPI ${String(api)}, this host offers ${SPI_API}`, {
      plugin: module,
      hint: 'install a version of the plugin, or of Keyhost, that fits the other',
    });
  }
  if (!Array.isArray(providers)) throw wrong('providers must be a list of what provide() returns', example);
  for (const definition of providers as Partial<ProviderDefinition>[]) {
    const kind = definition?.spi?.id;
    if (typeof kind !== 'string' || typeof definition.open !== 'function') {
      throw wrong('every provider must come from provide(), with an open function', example);
    }
    if (!KINDS.has(kind)) {
      const near = didYouMean(kind, [...KINDS.keys()]);
      throw wrong(`there is no SPI "${kind}"`, near && `did you mean ${near}?`);
    }
  }
}

/** @throws BootError `plugin_shape` or `plugin_reserved_id` */
export function checkDefinition(definition: ProviderDefinition, plugin: { name: string; builtin: boolean }): void {
  const { id, config, realmConfig, declaration } = definition;
  const spi = spiOf(definition);
  const what = `${spi.id}/${id}`;
  const wrong = (message: string, cause?: unknown, hint?: string) =>
    new BootError('plugin_shape', `${plugin.name}: ${what}: ${message}`, {
      ...{ plugin: plugin.name, cause },
      ...(hint === undefined ? {} : { hint }),
    });
  if (typeof id !== 'string' || !ID.test(id))
    throw wrong('the id must be letters, digits and . _ : -, at most 128 of them');
  if (!plugin.builtin && (RESERVED[spi.id] ?? []).includes(id.toLowerCase())) {
    throw new BootError('plugin_reserved_id', `${plugin.name}: the id ${what} belongs to Keyhost`, {
      plugin: plugin.name,
      hint: 'choose another id for the provider',
    });
  }
  for (const member of Object.keys(declaration)) {
    if (spi.declares.includes(member) || member === 'version') continue;
    const near = didYouMean(member, [...spi.declares, ...OF_ALL_KINDS]);
    const known = [...spi.declares, ...OF_ALL_KINDS].join(', ');
    throw wrong(`provide() does not know "${member}"`, undefined, near ? `did you mean ${near}?` : `it knows ${known}`);
  }
  try {
    spi.check(declaration);
  } catch (cause) {
    throw wrong(messageOf(cause), cause);
  }
  const own = Object.keys((config?.properties ?? {}) as object).find((name) => Object.hasOwn(spi.config, name));
  if (own !== undefined) throw wrong(`config.${own} is Keyhost's own for every ${spi.name}`);
  const schemas = { config, realmConfig, ...bodies(declaration) };
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema === undefined) continue;
    try {
      compileSchema(schema as object, { useDefaults: true });
    } catch (cause) {
      throw wrong(`${name} is no JSON Schema: ${schemaFault(schema as JsonSchema, cause)}`, cause);
    }
    const ill = illDefault(schema as JsonSchema);
    if (ill !== undefined) throw wrong(`${name}: ${ill}`, undefined, 'make the default one that its own schema allows');
  }
}

function bodies(declaration: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const routes = Object.entries((declaration.routes ?? {}) as Record<string, { body?: unknown }>);
  const ofRoutes = routes.map(([name, { body }]) => [`routes.${name}.body`, body] as const);
  return { claims: declaration.claims, settings: declaration.settings, ...Object.fromEntries(ofRoutes) };
}

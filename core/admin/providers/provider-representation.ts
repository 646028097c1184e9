import type { JsonSchema } from '@keyhost/spi';
import { BOOT_ERRORS } from '../../config/boot-error.js';
import type { Realm } from '../../model/realm.js';
import type { RegisteredProvider } from '../../registry/opened-plugin.js';
import type { LeftOutPlugin, ProviderRegistry } from '../../registry/registry.js';
import { maskConfig } from './config-secrets.js';
import { namedProviders } from './named-providers.js';

/** A provider as one realm has it. */
export interface ProviderRepresentation {
  readonly spi: string;
  readonly id: string;
  /** Absent for a provider that no loaded plugin has. */
  readonly plugin?: { readonly name: string; readonly version: string; readonly builtIn: boolean };
  readonly enabled: boolean;
  /** Where it is switched: here (`providers`), or by that other key of the realm. */
  readonly enabledBy: string;
  /** JSON Schema of `config`, with the defaults. Absent where it takes none. */
  readonly configSchema?: JsonSchema;
  /** What the realm says, secrets masked; what it does not say has the schema's default. */
  readonly config: unknown;
  readonly health: { readonly status: 'up' } | { readonly status: 'failed'; readonly reason: string };
}

/** Every provider of the host as the realm has it, and those that the realm names but the host has not. */
export function providersOf(
  realm: Realm,
  registry: ProviderRegistry,
  leftOut: readonly LeftOutPlugin[],
): ProviderRepresentation[] {
  const registered = registry.list();
  const known = new Set(registered.map(({ spi, id }) => `${spi.id}/${id}`));
  const missing = new Set([...leftOut.flatMap(({ provides }) => provides), ...namesOf(realm)]);
  return [
    ...registered.map((provider) => describeProvider(realm, provider)),
    ...[...missing].filter((name) => !known.has(name)).map((name) => describeMissing(realm, name, leftOut)),
  ].sort((a, b) => a.spi.localeCompare(b.spi) || a.id.localeCompare(b.id));
}

function describeProvider(realm: Realm, provider: RegisteredProvider): ProviderRepresentation {
  const { spi, id, plugin, realmConfig } = provider;
  const setting = realm.provider(spi.id, id);
  const enabled = isEnabled(realm, provider);
  return {
    spi: spi.id,
    id,
    plugin: { name: plugin.name, version: plugin.version, builtIn: plugin.builtin },
    enabled,
    enabledBy: spi.realmKey ?? spi.enabledBy,
    ...(realmConfig === undefined ? {} : { configSchema: realmConfig }),
    config: maskConfig(setting?.config ?? {}, realmConfig),
    health: enabled || setting?.config !== undefined ? healthOf(provider, setting?.config) : { status: 'up' },
  };
}

/** What is wrong with a configuration, by its members; empty when it fits. */
export function configProblems(provider: RegisteredProvider, config: unknown): string[] {
  const checked = provider.checkRealmConfig(config ?? {});
  if ('value' in checked) return [];
  return checked.problems.map(({ path, message, suggestion }) => {
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
    return `config${path === '' ? '' : `.${path}`}: ${message}${hint}`;
  });
}

function isEnabled(realm: Realm, { spi, id, plugin }: RegisteredProvider): boolean {
  if (spi.enabledBy === 'realm-key') return namedProviders(realm, spi.id)?.has(id) ?? true;
  return realm.provider(spi.id, id)?.enabled ?? plugin.builtin;
}

function healthOf(provider: RegisteredProvider, config: unknown): ProviderRepresentation['health'] {
  const problems = configProblems(provider, config);
  return problems.length === 0 ? { status: 'up' } : { status: 'failed', reason: problems.join('; ') };
}

function describeMissing(realm: Realm, name: string, leftOut: readonly LeftOutPlugin[]): ProviderRepresentation {
  const slash = name.indexOf('/');
  const [spi, id] = [name.slice(0, slash), name.slice(slash + 1)];
  const setting = realm.provider(spi, id);
  const plugin = leftOut.find(({ provides }) => provides.includes(name));
  // Why it failed is the operator's to read, in the log: it may tell of files and addresses.
  const reason =
    plugin === undefined
      ? `no plugin that is loaded provides it${leftOut.length === 0 ? '' : `; left out at start: ${told(leftOut)}`}`
      : `its plugin was left out at start: ${told([plugin])}`;
  return {
    spi,
    id,
    enabled: setting?.enabled ?? false,
    enabledBy: 'providers',
    config: withoutSchema(setting?.config),
    health: { status: 'failed', reason },
  };
}

/** Without a schema nobody knows which members are secrets: only their names are shown. */
function withoutSchema(config: object | undefined): unknown {
  return maskConfig(config ?? {}, { additionalProperties: { writeOnly: true } });
}

function told(plugins: readonly LeftOutPlugin[]): string {
  return plugins.map(({ module, error }) => `${module} (${BOOT_ERRORS[error.code]})`).join(', ');
}

function namesOf({ representation: { providers = {} } }: Realm): string[] {
  return Object.entries(providers).flatMap(([spi, ids]) => Object.keys(ids).map((id) => `${spi}/${id}`));
}

import { compileSchema, type SchemaProblem } from '../config/json/schema-check.js';
import type { HostOptions } from '../config/options/options.js';
import { configPlace } from '../config/realm-file/config-place.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { KnownProvider } from '../registry/loading/known-providers.js';

/**
 * Lists providers of the realm that serve without authentication. One of their routes declares `authentication:
 * 'none'`, or the configuration is `"authentication": "none"`. The configuration is the realm's, or that of
 * plugins.json if the realm cannot set it.
 */
export function openProviders(realm: RealmRepresentation, providers: readonly KnownProvider[]): string[] {
  const openIds: string[] = [];
  for (const provider of providers) {
    const { spi, id, config: pluginConfig, hasPublicOperation } = provider;
    if (realm.providers?.[spi]?.[id]?.enabled !== true) continue;
    const { schema, ...place } = configPlace(provider);
    const realmConfig = realm.providers[place.spi]?.[place.id]?.config;
    const config = structuredClone(realmConfig ?? {}) as { authentication?: unknown };
    if (schema !== undefined) compileSchema(schema, { useDefaults: true })(config);
    const authentication =
      config.authentication ?? (pluginConfig as { authentication?: unknown } | undefined)?.authentication;
    if (hasPublicOperation || authentication === 'none') openIds.push(`${spi}/${id}`);
  }
  return openIds;
}

/** Providers that a realm file leaves open without the operator's permission, with their place in it. */
export function openProviderProblems(
  realm: RealmRepresentation,
  providers: readonly KnownProvider[],
  allowOpenProviders: readonly string[],
): SchemaProblem[] {
  return disallowedProviders(realm.realm, openProviders(realm, providers), allowOpenProviders).map((provider) => ({
    path: ['providers', ...provider.split('/'), 'config', 'authentication'],
    message: `${provider} answers without authentication in realm ${realm.realm}`,
  }));
}

/** Providers that a change over HTTP would leave open in production without the operator's permission. */
export function productionProblems(
  realm: RealmRepresentation,
  providers: readonly KnownProvider[],
  { mode, allowOpenProviders }: Pick<HostOptions, 'mode' | 'allowOpenProviders'>,
): SchemaProblem[] {
  if (mode !== 'start') return [];
  return disallowedProviders(realm.realm, openProviders(realm, providers), allowOpenProviders).map((provider) => ({
    path: ['providers', ...provider.split('/')],
    message: 'would answer without authentication: allow it in --allow-open-providers',
  }));
}

function disallowedProviders(realm: string, open: readonly string[], allowed: readonly string[]): string[] {
  return open.filter((provider) => ![provider, `${realm}/${provider}`].some((name) => allowed.includes(name)));
}

import type { JsonSchema, SharedConfig } from '@keyhost/spi';

/**
 * Finds the provider that holds a provider's configuration in a realm, and the schema: the provider itself, or the one
 * whose configuration it shares.
 */
export function configPlace(provider: {
  readonly spi: string | { readonly id: string };
  readonly id: string;
  readonly realmConfig?: JsonSchema | undefined;
  readonly sharesConfig?: SharedConfig | undefined;
}): { readonly spi: string; readonly id: string; readonly schema: JsonSchema | undefined } {
  const { spi, id, realmConfig, sharesConfig } = provider;
  if (sharesConfig === undefined) return { spi: typeof spi === 'string' ? spi : spi.id, id, schema: realmConfig };
  // No ID has a slash.
  const [ownerSpi = '', ownerId = ''] = sharesConfig.provider.split('/');
  return { spi: ownerSpi, id: ownerId, schema: sharesConfig.realmConfig };
}

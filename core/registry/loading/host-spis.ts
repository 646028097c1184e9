import { SPIS as ALL_SPIS, type ProviderDefinition, type ProviderMethods, type Spi } from '@keyhost/spi';

/** The SPIs of this host. A plugin's own copy of the SPI package only names them; the host uses these. */
export const HOST_SPIS: ReadonlyMap<string, Spi> = new Map(ALL_SPIS.map((spi) => [spi.id, spi]));

/** The pattern for IDs of providers and of SPIs. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Returns the host's own constant of a provider's SPI; for an SPI of plugins, the provider's own. */
export function spiOf({ spi }: Pick<ProviderDefinition, 'spi'>): Spi {
  return HOST_SPIS.get(spi.id) ?? spi;
}

/** The method for a provider's background work. */
export const BACKGROUND = 'background';

/** The method for a provider's scheduled work. */
export const SCHEDULED = 'scheduled';

/** Returns the methods of a provider with this declaration. */
export function methodsOf(
  { methods }: Spi,
  {
    declaration,
    background = false,
    schedule,
  }: Partial<Pick<ProviderDefinition, 'background' | 'schedule'>> & Pick<ProviderDefinition, 'declaration'>,
): ProviderMethods {
  const own = typeof methods === 'function' ? methods(declaration) : methods;
  const { optional = [], required = [] } = own;
  const more = background ? [BACKGROUND] : [];
  if (schedule !== undefined) return { ...own, required: [...required, SCHEDULED], optional: [...optional, ...more] };
  return background ? { ...own, optional: [...optional, ...more] } : own;
}

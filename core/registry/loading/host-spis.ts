import { SPIS as ALL_SPIS, type ProviderDefinition, type ProviderMethods, type Spi } from '@keyhost/spi';

/**
 * The SPIs of this host, by ID. A plugin's copy of the SPI package is only used for the IDs; the definitions are these.
 */
export const HOST_SPIS: ReadonlyMap<string, Spi> = new Map(ALL_SPIS.map((spi) => [spi.id, spi]));

/** The pattern for IDs of providers and of SPIs. */
export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/**
 * Returns the host's definition of a provider's SPI. For an SPI that plugins declare, it returns the provider's own.
 */
export function spiOf({ spi }: Pick<ProviderDefinition, 'spi'>): Spi {
  return HOST_SPIS.get(spi.id) ?? spi;
}

/** The name of the method for a provider's background work. */
export const BACKGROUND_METHOD = 'background';

/** The name of the method for a provider's scheduled work. */
export const SCHEDULED_METHOD = 'scheduled';

/** Returns the methods that a provider with this declaration must or may have. */
export function methodsOf(
  { methods }: Spi,
  {
    declaration,
    background = false,
    schedule,
  }: Partial<Pick<ProviderDefinition, 'background' | 'schedule'>> & Pick<ProviderDefinition, 'declaration'>,
): ProviderMethods {
  const spiMethods = typeof methods === 'function' ? methods(declaration) : methods;
  const { optional = [], required = [] } = spiMethods;
  const backgroundMethods = background ? [BACKGROUND_METHOD] : [];
  if (schedule !== undefined)
    return { ...spiMethods, required: [...required, SCHEDULED_METHOD], optional: [...optional, ...backgroundMethods] };
  return background ? { ...spiMethods, optional: [...optional, ...backgroundMethods] } : spiMethods;
}

import { KINDS as ALL_KINDS, type ProviderDefinition, type ProviderMethods, type Spi } from '@keyhost/spi';

/** The kinds of extension this host knows. A plugin's own copy of the SPI package names them; these judge. */
export const KINDS: ReadonlyMap<string, Spi> = new Map(ALL_KINDS.map((kind) => [kind.id, kind]));

/** What ids of providers and of SPIs look like. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The host's own constant of a provider's kind; for an SPI of plugins the one that it has. */
export function spiOf({ spi }: Pick<ProviderDefinition, 'spi'>): Spi {
  return KINDS.get(spi.id) ?? spi;
}

/** The method in which a provider works beside requests. */
export const BACKGROUND = 'background';

/** The method in which a provider works at the times that it declares. */
export const SCHEDULED = 'scheduled';

/** The methods of a provider of the kind that declares this. */
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

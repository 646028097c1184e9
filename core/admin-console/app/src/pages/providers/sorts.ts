import { countsOf, type Provider } from '../../api/providers.ts';

/** The filters of the list of providers. That of plugins is the first, since Keyhost has many of its own. */
export const SORTS = ['plugins', 'on', 'trouble', 'all'] as const;
export type Sort = (typeof SORTS)[number];

export function isInTrouble({ health, calls }: Provider): boolean {
  return health.status !== 'up' || (calls !== undefined && countsOf(calls).failed > 0);
}

export function isShown(provider: Provider, sort: Sort, search: string): boolean {
  const { spi, id, displayName = '', plugin } = provider;
  const text = `${spi} ${id} ${displayName} ${plugin?.name ?? ''}`.toLowerCase();
  return isOfSort(provider, sort) && text.includes(search.trim().toLowerCase());
}

function isOfSort(provider: Provider, sort: Sort): boolean {
  if (sort === 'plugins') return provider.plugin?.builtIn !== true;
  if (sort === 'on') return provider.enabled;
  return sort === 'all' || isInTrouble(provider);
}

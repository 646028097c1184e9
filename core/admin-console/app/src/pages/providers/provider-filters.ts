import { countsOf, type Provider } from '../../api/providers.ts';

/**
 * The filters of the list of providers. Only providers of plugins are shown at first, since Keyhost itself has many.
 */
export const PROVIDER_FILTERS = ['plugins', 'on', 'trouble', 'all'] as const;
export type ProviderFilter = (typeof PROVIDER_FILTERS)[number];

export function isInTrouble({ health, calls }: Provider): boolean {
  return health.status !== 'up' || (calls !== undefined && countsOf(calls).failed > 0);
}

export function isShown(provider: Provider, filter: ProviderFilter, search: string): boolean {
  const { spi, id, displayName = '', plugin } = provider;
  const text = `${spi} ${id} ${displayName} ${plugin?.name ?? ''}`.toLowerCase();
  return matchesFilter(provider, filter) && text.includes(search.trim().toLowerCase());
}

function matchesFilter(provider: Provider, filter: ProviderFilter): boolean {
  if (filter === 'plugins') return provider.plugin?.builtIn !== true;
  if (filter === 'on') return provider.enabled;
  return filter === 'all' || isInTrouble(provider);
}

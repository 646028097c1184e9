import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { providersOf } from '../../api/providers.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { isShown, PROVIDER_FILTERS, type ProviderFilter } from './provider-filters.ts';
import { ProviderTable } from './provider-table.tsx';

export default function ProvidersPage({ realm }: { realm: string }) {
  const { providers } = useMessages();
  const query = useQuery(providersOf(realm));
  const { get, set } = useListState();
  const search = get('search');
  const filter = PROVIDER_FILTERS.find((one) => one === get('show')) ?? 'plugins';
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  return (
    <Page title={providers.title(realm)} lead={providers.lead}>
      <section>
        <div className="section-head">
          <FilterField filter={filter} onFilter={(show) => set({ show })} />
          <SearchField label={providers.find} value={search} onSearch={onSearch} />
        </div>
        <QueryResult query={query}>
          {(all) => {
            const rows = all.filter((provider) => isShown(provider, filter, search));
            return rows.length === 0 ? (
              <EmptyList search={search} onClear={() => set({ search: '' })}>
                {providers.empty}
              </EmptyList>
            ) : (
              <ProviderTable realm={realm} rows={rows} />
            );
          }}
        </QueryResult>
      </section>
    </Page>
  );
}

function FilterField({ filter, onFilter }: { filter: ProviderFilter; onFilter: (filter: ProviderFilter) => void }) {
  const { providers } = useMessages();
  return (
    <fieldset className="choices">
      <legend className="unseen">{providers.show}</legend>
      {PROVIDER_FILTERS.map((one) => (
        <label key={one}>
          <input type="radio" name="show" className="unseen" checked={one === filter} onChange={() => onFilter(one)} />
          {providers.shown[one]}
        </label>
      ))}
    </fieldset>
  );
}

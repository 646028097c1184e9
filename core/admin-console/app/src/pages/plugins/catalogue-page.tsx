import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { type CataloguePlugin, pluginCatalogue } from '../../api/plugin-catalogue.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { CatalogueEntry } from './catalogue-entry.tsx';
import { texts as catalogueTexts } from './catalogue-texts.ts';

/** The shipped plugins. There is no paging, since the list changes only with the version of the host. */
export default function CataloguePage() {
  const texts = useTexts(catalogueTexts);
  const query = useQuery(pluginCatalogue());
  const { get, set } = useListState();
  const search = get('search');
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  return (
    <Page
      title={texts.title}
      lead={
        <>
          {texts.lead} <Link href="/plugins">{texts.back}</Link>
        </>
      }
    >
      <section>
        <div className="section-head">
          <SearchField label={texts.find} value={search} onSearch={onSearch} />
        </div>
        <QueryResult query={query}>
          {(plugins) => {
            const shown = plugins.filter((plugin) => matches(plugin, search));
            return shown.length === 0 ? (
              <EmptyList search={search} onClear={() => set({ search: '' })}>
                {texts.others}
              </EmptyList>
            ) : (
              <ul className="catalogue">
                {shown.map((plugin) => (
                  <li key={plugin.module} className="card">
                    <CatalogueEntry plugin={plugin} />
                  </li>
                ))}
              </ul>
            );
          }}
        </QueryResult>
        <p className="help list-help">{texts.others}</p>
      </section>
    </Page>
  );
}

function matches({ title, purpose, module }: CataloguePlugin, search: string): boolean {
  return `${title}\n${purpose}\n${module}`.toLowerCase().includes(search.trim().toLowerCase());
}

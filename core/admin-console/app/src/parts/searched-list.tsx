import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { Column } from './data-table.tsx';
import { EmptyList } from './empty-list.tsx';
import { useListState } from './list-state.ts';
import { PagedTable } from './paged-table.tsx';
import { SearchField } from './search-field.tsx';

const MAX = 20;

/** The search and the page of a list, stored in the address. */
export interface ListSearch {
  readonly search: string;
  /** The query for the host. `max` is one more than is shown, to find out whether there is another page. */
  readonly request: { readonly search: string; readonly first: number; readonly max: number };
  readonly set: (changes: Readonly<Record<string, string | number>>) => void;
}

export function useListSearch(): ListSearch {
  const { get, first, set } = useListState();
  const search = get('search');
  return { search, request: { search, first, max: MAX + 1 }, set };
}

/**
 * A list with a search above it, and with a button that creates an object.
 * @param props.create the dialog, if the user may create one
 * @param props.empty shown if the list is empty without a search
 * @param props.searchHelp shown below search results
 */
export function SearchedList<T extends { readonly id: string }>(props: {
  listSearch: ListSearch;
  query: UseQueryResult<readonly T[]>;
  texts: { readonly find: string; readonly caption: string };
  columns: readonly Column<T>[];
  empty: ReactNode;
  searchHelp?: string;
  create?: { readonly label: string; readonly dialog: (onClose: () => void) => ReactNode } | false;
}) {
  const { listSearch, query, texts, columns, empty, searchHelp, create } = props;
  const { search, request, set } = listSearch;
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const [isCreating, setCreating] = useState(false);
  return (
    <section>
      <div className="section-head">
        <SearchField label={texts.find} value={search} onSearch={onSearch} />
        {create && (
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            {create.label}
          </button>
        )}
      </div>
      <PagedTable
        query={query}
        caption={texts.caption}
        columns={columns}
        keyOf={({ id }) => id}
        first={request.first}
        max={MAX}
        onFirst={(to) => set({ first: to })}
        empty={
          <EmptyList search={search} onClear={() => set({ search: '' })}>
            {empty}
          </EmptyList>
        }
      />
      {search !== '' && searchHelp !== undefined && <p className="help list-help">{searchHelp}</p>}
      {create && isCreating && create.dialog(() => setCreating(false))}
    </section>
  );
}

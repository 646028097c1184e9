import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type RealmName, realmNames } from '../../api/realms.ts';
import { who } from '../../api/who.ts';
import { useMessages } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';

const MAX = 20;
/** Loaded on demand. */
const CreateRealm = lazy(() => import('../create-realm/create-realm.tsx'));

/** The realms that the user may see. One more than shown is requested, to find out whether there is another page. */
export function RealmList() {
  const { overview } = useMessages();
  const { get, first, set } = useListState();
  const search = get('search');
  const query = useQuery(realmNames(search, first, MAX + 1));
  const { data: me } = useQuery(who());
  const [isCreating, setCreating] = useState(false);
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const columns: readonly Column<RealmName>[] = [
    { title: overview.name, show: ({ name }) => <Link href={`/realms/${encodeSegment(name)}/providers`}>{name}</Link> },
    { title: overview.displayName, show: ({ displayName }) => displayName ?? '' },
  ];
  return (
    <section>
      <div className="section-head">
        <h2>{overview.realms}</h2>
        <SearchField label={overview.findRealm} value={search} onSearch={onSearch} />
        {me?.createRealm === true && (
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            {overview.createRealm}
          </button>
        )}
      </div>
      {isCreating && (
        <Suspense>
          <CreateRealm onClose={() => setCreating(false)} />
        </Suspense>
      )}
      <QueryResult query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyList search={search} onClear={() => set({ search: '' })}>
              {overview.noRealms}
            </EmptyList>
          ) : (
            <>
              <DataTable
                caption={overview.realms}
                columns={columns}
                rows={rows.slice(0, MAX)}
                keyOf={({ name }) => name}
              />
              <Pager
                first={first}
                max={MAX}
                count={Math.min(rows.length, MAX)}
                hasMore={rows.length > MAX}
                onFirst={(to) => set({ first: to })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

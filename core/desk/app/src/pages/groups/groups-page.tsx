import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { groupsOf } from '../../api/groups.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { CreateGroup } from './create-group.tsx';
import { useGroupColumns } from './group-columns.tsx';
import { texts as groupsTexts } from './texts.ts';

const MAX = 20;

export default function GroupsPage({ realm }: { realm: string }) {
  const texts = useTexts(groupsTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const query = useQuery(groupsOf(realm, { search, first, max: MAX + 1 }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const can = useRights(realm);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <section>
        <div className="section-head">
          <SearchField label={texts.find} value={search} onSearch={onSearch} />
          {can('manage-users') && (
            <button type="button" className="primary" onClick={() => setCreating(true)}>
              {texts.create}
            </button>
          )}
        </div>
        <PagedTable
          query={query}
          caption={texts.caption}
          columns={useGroupColumns(realm)}
          keyOf={({ id }) => id}
          first={first}
          max={MAX}
          onFirst={(to) => set({ first: to })}
          empty={
            <Nothing search={search} onClear={() => set({ search: '' })}>
              {texts.empty}
            </Nothing>
          }
        />
      </section>
      {isCreating && <CreateGroup realm={realm} onClose={() => setCreating(false)} />}
    </Page>
  );
}

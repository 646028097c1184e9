import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { type ListedRole, rolesOf } from '../../api/roles.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { CreateRole } from './create-role.tsx';
import { texts as rolesTexts } from './texts.ts';

const MAX = 20;

export default function RolesPage({ realm }: { realm: string }) {
  const texts = useTexts(rolesTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const query = useQuery(rolesOf(realm, { search, first, max: MAX + 1 }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const can = useRights(realm);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <section>
        <div className="section-head">
          <SearchField label={texts.find} value={search} onSearch={onSearch} />
          {can('manage-realm') && (
            <button type="button" className="primary" onClick={() => setCreating(true)}>
              {texts.create}
            </button>
          )}
        </div>
        <PagedTable
          query={query}
          caption={texts.caption}
          columns={useColumns(realm)}
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
      {isCreating && <CreateRole realm={realm} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(realm: string): readonly Column<ListedRole>[] {
  const texts = useTexts(rolesTexts);
  const { none } = useMessages();
  return [
    {
      title: texts.name,
      show: ({ id, name }) => <Link href={`/realms/${segment(realm)}/roles/${segment(id)}`}>{name}</Link>,
    },
    {
      title: texts.description,
      isMinor: true,
      // A text in `${}` names a message of Keycloak's own pages.
      show: ({ description = '' }) => (description.startsWith('${') ? none : description || none),
    },
    {
      title: texts.contains,
      show: ({ composite }) => (composite ? <Badge tone="neutral">{texts.composite}</Badge> : none),
    },
  ];
}

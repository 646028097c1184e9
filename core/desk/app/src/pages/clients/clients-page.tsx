import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { type Client, clientsOf } from '../../api/clients.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { kindOf } from './client-kind.ts';
import { texts as clientsTexts } from './texts.ts';

const MAX = 20;

export default function ClientsPage({ realm }: { realm: string }) {
  const clients = useTexts(clientsTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const query = useQuery(clientsOf(realm, { search, first, max: MAX + 1 }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  return (
    <Page title={clients.title(realm)} lead={clients.lead}>
      <section>
        <div className="section-head">
          <SearchField label={clients.find} value={search} onSearch={onSearch} />
        </div>
        <PagedTable
          query={query}
          caption={clients.caption}
          columns={useColumns(realm)}
          keyOf={({ id }) => id}
          first={first}
          max={MAX}
          onFirst={(to) => set({ first: to })}
          empty={
            <Nothing search={search} onClear={() => set({ search: '' })}>
              {clients.empty}
            </Nothing>
          }
        />
      </section>
    </Page>
  );
}

/** Who may only ask for clients is told no more than their names. */
function useColumns(realm: string): readonly Column<Client>[] {
  const clients = useTexts(clientsTexts);
  const { none } = useMessages();
  return [
    {
      title: clients.clientId,
      show: ({ id, clientId }) => <Link href={`/realms/${segment(realm)}/clients/${segment(id)}`}>{clientId}</Link>,
    },
    // A text in `${}` names a message of Keycloak's own pages.
    { title: clients.name, isMinor: true, show: ({ name = '' }) => (name.startsWith('${') ? none : name || none) },
    {
      title: clients.kind,
      show: (client) => (client.enabled === undefined ? none : clients.kinds[kindOf(client)]),
    },
    {
      title: clients.state,
      show: ({ enabled }) =>
        enabled === undefined ? (
          none
        ) : enabled ? (
          <Badge tone="good">{clients.enabled}</Badge>
        ) : (
          <Badge tone="neutral">{clients.disabled}</Badge>
        ),
    },
  ];
}

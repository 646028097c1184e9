import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type Client, clientsOf } from '../../api/clients.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { kindOf } from './client-kind.ts';
import { texts as clientsTexts } from './texts.ts';

export default function ClientsPage({ realm }: { realm: string }) {
  const texts = useTexts(clientsTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      {(can('create-client') || can('manage-clients')) && (
        <p className="actions">
          <Link className="button" href={`/realms/${encodeSegment(realm)}/connect`}>
            {texts.connect}
          </Link>
        </p>
      )}
      <SearchedList
        listSearch={listSearch}
        query={useQuery(clientsOf(realm, listSearch.request))}
        texts={texts}
        columns={useColumns(realm)}
        empty={texts.empty}
      />
    </Page>
  );
}

/** Users who may only query clients see just their names. */
function useColumns(realm: string): readonly Column<Client>[] {
  const clients = useTexts(clientsTexts);
  const { none } = useMessages();
  return [
    {
      title: clients.clientId,
      show: ({ id, clientId }) => (
        <Link href={`/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}`}>{clientId}</Link>
      ),
    },
    // A text such as `${name}` is a key of Keycloak's own messages.
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

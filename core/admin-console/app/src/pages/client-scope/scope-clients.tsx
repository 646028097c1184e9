import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { clientsWithScope, type ScopeClient } from '../../api/client-scopes.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import type { ScopeSectionProps } from './scope-frame.tsx';
import { texts as scopeTexts } from './texts.ts';

/** The clients that have the client scope, each with a link to the page that assigns it. */
export function ScopeClients({ realm, scope }: ScopeSectionProps) {
  const texts = useTexts(scopeTexts);
  const { none } = useMessages();
  const listSearch = useListSearch();
  const columns: readonly Column<ScopeClient>[] = [
    {
      title: texts.clientId,
      show: ({ id, clientId }) => (
        <Link href={`/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}/client-scopes`}>{clientId}</Link>
      ),
    },
    { title: texts.clientName, isMinor: true, show: ({ name = none }) => (name.startsWith('${') ? none : name) },
    { title: texts.assigned, show: ({ assigned }) => texts.kinds[assigned] },
  ];
  return (
    <section>
      <h2>{texts.clients}</h2>
      <p className="help section-lead">{texts.clientsHelp}</p>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(clientsWithScope(realm, scope.id, listSearch.request))}
        texts={{ find: texts.findClient, caption: texts.clients }}
        columns={columns}
        empty={texts.noClients}
      />
    </section>
  );
}

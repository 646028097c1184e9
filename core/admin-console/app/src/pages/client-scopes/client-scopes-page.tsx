import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type ClientScope, scopesOf, scopesOfNewClients } from '../../api/client-scopes.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { CreateScope } from './create-scope.tsx';
import { scopeHref } from './scope-href.ts';
import { texts as scopesTexts } from './texts.ts';

export default function ClientScopesPage({ realm }: { realm: string }) {
  const texts = useTexts(scopesTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateScope realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(scopesOf(realm, listSearch.request))}
        texts={texts}
        columns={useColumns(realm)}
        empty={texts.empty}
        create={can('manage-clients') && create}
      />
    </Page>
  );
}

function useColumns(realm: string): readonly Column<ClientScope>[] {
  const texts = useTexts(scopesTexts);
  const { none } = useMessages();
  const { data: kinds } = useQuery(scopesOfNewClients(realm));
  const protocols: Readonly<Record<string, string>> = texts.protocols;
  return [
    { title: texts.name, show: ({ id, name }) => <Link href={scopeHref(realm, id)}>{name}</Link> },
    {
      title: texts.newClients,
      show: ({ id }) => {
        const kind = kinds?.get(id);
        return kind === undefined ? none : texts.kinds[kind];
      },
    },
    { title: texts.protocol, isMinor: true, show: ({ protocol }) => protocols[protocol] ?? protocol },
    { title: texts.description, isMinor: true, show: ({ description }) => description || none },
  ];
}

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type IdentityProvider, identityProvidersOf } from '../../api/identity-providers.ts';
import { useRights } from '../../api/rights.ts';
import { serverInfo } from '../../api/server-info.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { CreateProvider } from './create-provider.tsx';
import { ProviderState } from './provider-state.tsx';
import { texts as listTexts } from './texts.ts';

export default function IdentityProvidersPage({ realm }: { realm: string }) {
  const texts = useTexts(listTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateProvider realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(identityProvidersOf(realm, listSearch.request))}
        texts={texts}
        columns={useColumns(realm)}
        empty={texts.empty}
        create={can('manage-identity-providers') && create}
      />
    </Page>
  );
}

function useColumns(realm: string): readonly Column<IdentityProvider & { readonly id: string }>[] {
  const texts = useTexts(listTexts);
  const { none } = useMessages();
  const { data } = useQuery(serverInfo());
  const nameOf = (id: string) => data?.identityProviders.find((kind) => kind.id === id)?.name ?? id;
  return [
    {
      title: texts.alias,
      show: ({ alias }) => (
        <Link href={`/realms/${encodeSegment(realm)}/identity-providers/${encodeSegment(alias)}`}>{alias}</Link>
      ),
    },
    { title: texts.displayName, isMinor: true, show: ({ displayName }) => displayName || none },
    { title: texts.kind, show: ({ providerId }) => nameOf(providerId) },
    { title: texts.order, isMinor: true, isNumber: true, show: ({ config }) => config.guiOrder || none },
    { title: texts.state, show: (provider) => <ProviderState provider={provider} /> },
  ];
}

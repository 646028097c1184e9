import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { type ListedRole, rolesOf } from '../../api/roles.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useSearchedPlace } from '../../parts/searched-list.tsx';
import { CreateRole } from './create-role.tsx';
import { texts as rolesTexts } from './texts.ts';

export default function RolesPage({ realm }: { realm: string }) {
  const texts = useTexts(rolesTexts);
  const place = useSearchedPlace();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateRole realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        place={place}
        query={useQuery(rolesOf(realm, place.asked))}
        texts={texts}
        columns={useColumns(realm)}
        empty={texts.empty}
        create={can('manage-realm') && create}
      />
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

import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/rights.ts';
import { rolesOf } from '../../api/roles.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { CreateRole } from './create-role.tsx';
import { useRoleColumns } from './role-columns.tsx';
import { texts as rolesTexts } from './texts.ts';

export default function RolesPage({ realm }: { realm: string }) {
  const texts = useTexts(rolesTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateRole realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(rolesOf(realm, listSearch.request))}
        texts={texts}
        columns={useRoleColumns(realm)}
        empty={texts.empty}
        create={can('manage-realm') && create}
      />
    </Page>
  );
}

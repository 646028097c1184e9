import { useQuery } from '@tanstack/react-query';
import { groupsOf } from '../../api/groups.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { CreateGroup } from './create-group.tsx';
import { useGroupColumns } from './group-columns.tsx';
import { texts as groupsTexts } from './texts.ts';

export default function GroupsPage({ realm }: { realm: string }) {
  const texts = useTexts(groupsTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateGroup realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(groupsOf(realm, listSearch.request))}
        texts={texts}
        columns={useGroupColumns(realm)}
        empty={texts.empty}
        create={can('manage-users') && create}
      />
    </Page>
  );
}

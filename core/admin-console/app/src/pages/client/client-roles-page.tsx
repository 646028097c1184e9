import { useQuery } from '@tanstack/react-query';
import { rolesOf } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { CreateRole } from '../roles/create-role.tsx';
import { useRoleColumns } from '../roles/role-columns.tsx';
import { texts as rolesTexts } from '../roles/texts.ts';
import { ClientFrame, type ClientSectionProps } from './client-frame.tsx';

/** The roles of a client. */
export default function ClientRolesPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="roles">
      {(props) => <Roles {...props} />}
    </ClientFrame>
  );
}

function Roles({ realm, client }: ClientSectionProps) {
  const texts = useTexts(rolesTexts);
  const listSearch = useListSearch();
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateRole realm={realm} client={client.id} onClose={onClose} />,
  };
  return (
    <SearchedList
      listSearch={listSearch}
      query={useQuery(rolesOf(realm, listSearch.request, client.id))}
      texts={{ find: texts.find, caption: texts.ofClient }}
      columns={useRoleColumns(realm, client.id)}
      empty={texts.emptyOfClient}
      create={client.access.manage && create}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { type EffectiveRole, effectiveRoles } from '../../api/user-roles.ts';
import { useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { RoleHeader } from './role-name.tsx';
import { RoleSources } from './role-sources.tsx';
import { texts as roleTexts } from './role-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** All roles of the user, of the realm and of clients, and why the user has them. */
export function EffectiveRoles({ realm, user }: UserSectionProps) {
  const texts = useTexts(roleTexts);
  const listSearch = useListSearch();
  const query = useQuery(effectiveRoles(realm, user.id, listSearch.request));
  const columns: readonly Column<EffectiveRole>[] = [
    { title: texts.role, show: (role) => <RoleHeader realm={realm} role={role} /> },
    { title: texts.why, show: (role) => <RoleSources realm={realm} role={role} /> },
  ];
  return (
    <section>
      <h2>{texts.effective}</h2>
      <p className="help section-lead">{texts.effectiveHelp}</p>
      <SearchedList
        listSearch={listSearch}
        query={query}
        texts={texts}
        columns={columns}
        empty={<p>{texts.noEffective}</p>}
      />
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  assignableRoles,
  assignedRoles,
  assignRole,
  effectiveRoles,
  type Role,
  unassignRole,
} from '../../api/user-roles.ts';
import { userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { RoleChips } from '../../parts/role-chips.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as userTexts } from './texts.ts';
import type { UserSectionProps } from './user-page.tsx';

const MAX = 10;

/** The realm roles that were assigned to the user, and all realm roles that the user has, directly or not. */
export function UserRoles({ realm, user }: UserSectionProps) {
  const texts = useTexts(userTexts);
  const assigned = useQuery(assignedRoles(realm, user.id));
  const { run, isBusy, done, failure } = useChange(userKey(realm, user.id));
  return (
    <section>
      <h2>{texts.roles}</h2>
      <div className="card fields">
        <h3>{texts.assigned}</h3>
        <RoleChips
          query={assigned}
          others={assignableRoles(realm, user.id)}
          canManage={user.access.mapRoles}
          isBusy={isBusy}
          texts={{ ...texts, noRoles: texts.noAssigned }}
          onAdd={(role) => run(() => assignRole(realm, user.id, role), texts.given(role.name))}
          onTake={(role) => run(() => unassignRole(realm, user.id, role), texts.taken(role.name))}
        />
        <Outcome done={done} failure={failure} />
      </div>
      <EffectiveRoles realm={realm} userId={user.id} />
    </section>
  );
}

function EffectiveRoles({ realm, userId }: { realm: string; userId: string }) {
  const texts = useTexts(userTexts);
  const [{ search, first }, setPlace] = useState({ search: '', first: 0 });
  const [onSearch] = useState(() => (value: string) => setPlace({ search: value, first: 0 }));
  const query = useQuery(effectiveRoles(realm, userId, { search, first, max: MAX + 1 }));
  const columns: readonly Column<Role>[] = [
    { title: texts.role, show: ({ name }) => name },
    // A text such as `${name}` is a key of Keycloak's own messages.
    { title: texts.roleDescription, show: ({ description = '' }) => (description.startsWith('${') ? '' : description) },
  ];
  return (
    <div className="below">
      <div className="section-head">
        <div>
          <h3>{texts.effective}</h3>
          <p className="help">{texts.effectiveHelp}</p>
        </div>
        <SearchField label={texts.findRole} value={search} onSearch={onSearch} />
      </div>
      <PagedTable
        query={query}
        caption={texts.effective}
        columns={columns}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={(to) => setPlace({ search, first: to })}
        empty={
          <EmptyList search={search} onClear={() => onSearch('')}>
            {texts.noEffective}
          </EmptyList>
        }
      />
    </div>
  );
}

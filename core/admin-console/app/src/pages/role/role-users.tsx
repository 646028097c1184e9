import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { usersWithRole } from '../../api/roles.ts';
import type { ListedUser } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { RoleSectionProps } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

const MAX = 10;

/** The users to whom the role was assigned directly, if the signed-in user may see users. */
export function RoleUsers(props: RoleSectionProps) {
  const texts = useTexts(roleTexts);
  const can = useRights(props.realm);
  return (
    <section>
      <h2>{texts.users}</h2>
      <p className="help section-lead">{can('view-users') ? texts.usersHelp : texts.usersHidden}</p>
      {can('view-users') && <UserList {...props} />}
    </section>
  );
}

function UserList({ realm, role, client }: RoleSectionProps) {
  const texts = useTexts(roleTexts);
  const { none } = useMessages();
  const [first, setFirst] = useState(0);
  const query = useQuery(usersWithRole(realm, role, { first, max: MAX + 1, client }));
  const columns: readonly Column<ListedUser>[] = [
    {
      title: texts.username,
      show: ({ id, username }) => (
        <Link href={`/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`}>{username}</Link>
      ),
    },
    { title: texts.email, show: ({ email }) => email ?? none },
  ];
  return (
    <PagedTable
      query={query}
      caption={texts.users}
      columns={columns}
      keyOf={({ id }) => id}
      first={first}
      max={MAX}
      onFirst={setFirst}
      empty={
        <div className="nothing">
          <p>{texts.noUsers}</p>
          <Link href={`/realms/${encodeSegment(realm)}/users`}>{texts.toUsers}</Link>
        </div>
      }
    />
  );
}

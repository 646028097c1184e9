import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { type ListedUser, usersOf } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Nothing } from '../../parts/nothing.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateUser } from './create-user.tsx';
import { texts as usersTexts } from './texts.ts';

const MAX = 20;

export default function UsersPage({ realm }: { realm: string }) {
  const users = useTexts(usersTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const query = useQuery(usersOf(realm, { search, first, max: MAX + 1 }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const can = useRights(realm);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title={users.title(realm)} lead={users.lead}>
      <section>
        <div className="section-head">
          <SearchField label={users.find} value={search} onSearch={onSearch} />
          {can('manage-users') && (
            <button type="button" className="primary" onClick={() => setCreating(true)}>
              {users.create}
            </button>
          )}
        </div>
        <PagedTable
          query={query}
          caption={users.caption}
          columns={useColumns(realm)}
          keyOf={({ id }) => id}
          first={first}
          max={MAX}
          onFirst={(to) => set({ first: to })}
          empty={
            <Nothing search={search} onClear={() => set({ search: '' })}>
              {can('query-users') && !can('view-users') ? users.hidden : users.empty}
            </Nothing>
          }
        />
        {search !== '' && <p className="help list-help">{users.findHelp}</p>}
      </section>
      {isCreating && <CreateUser realm={realm} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(realm: string): readonly Column<ListedUser>[] {
  const users = useTexts(usersTexts);
  const { none } = useMessages();
  return [
    {
      title: users.username,
      show: ({ id, username, email }) => (
        <>
          <Link href={`/realms/${segment(realm)}/users/${segment(id)}`}>{username}</Link>
          {email !== undefined && <small className="narrow">{email}</small>}
        </>
      ),
    },
    {
      title: users.name,
      isMinor: true,
      show: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') || none,
    },
    {
      title: users.email,
      isMinor: true,
      show: ({ email, emailVerified }) =>
        email === undefined ? (
          none
        ) : (
          <>
            {email} {!emailVerified && <small>{users.unverified}</small>}
          </>
        ),
    },
    {
      title: users.state,
      show: ({ enabled }) =>
        enabled ? <Badge tone="good">{users.enabled}</Badge> : <Badge tone="neutral">{users.disabled}</Badge>,
    },
    {
      title: users.created,
      isMinor: true,
      show: ({ createdTimestamp }) => (createdTimestamp === undefined ? none : <Time at={createdTimestamp} />),
    },
  ];
}

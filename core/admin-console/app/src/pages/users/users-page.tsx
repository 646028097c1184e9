import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { type ListedUser, usersOf } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateUser } from './create-user.tsx';
import { texts as usersTexts } from './texts.ts';

export default function UsersPage({ realm }: { realm: string }) {
  const texts = useTexts(usersTexts);
  const listSearch = useListSearch();
  const can = useRights(realm);
  const create = {
    label: texts.create,
    dialog: (onClose: () => void) => <CreateUser realm={realm} onClose={onClose} />,
  };
  return (
    <Page title={texts.title(realm)} lead={texts.lead}>
      <SearchedList
        listSearch={listSearch}
        query={useQuery(usersOf(realm, listSearch.request))}
        texts={texts}
        columns={useColumns(realm)}
        empty={can('query-users') && !can('view-users') ? texts.hidden : texts.empty}
        searchHelp={texts.findHelp}
        create={can('manage-users') && create}
      />
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
          <Link href={`/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`}>{username}</Link>
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

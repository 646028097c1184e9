import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { groupKey, joinGroup, leaveGroup, membersOf } from '../../api/groups.ts';
import { useRights } from '../../api/rights.ts';
import type { ListedUser } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useChange } from '../../parts/use-change.ts';
import { UserPicker } from '../../parts/user-picker.tsx';
import type { GroupSectionProps } from './group-page.tsx';
import { texts as groupTexts } from './texts.ts';

const MAX = 10;

/** The members, if the user may see users. */
export function GroupMembers(props: GroupSectionProps) {
  const texts = useTexts(groupTexts);
  const can = useRights(props.realm);
  return (
    <section>
      <h2>{texts.members}</h2>
      {can('view-users') ? <Members {...props} /> : <p className="help">{texts.hidden}</p>}
    </section>
  );
}

function Members({ realm, group }: GroupSectionProps) {
  const texts = useTexts(groupTexts);
  const { none } = useMessages();
  const [first, setFirst] = useState(0);
  const query = useQuery(membersOf(realm, group.id, { first, max: MAX + 1 }));
  const { run, isBusy, done, failure } = useChange(groupKey(realm, group.id));
  const { manageMembership } = group.access;
  const leaving: Column<ListedUser> = {
    title: texts.action,
    show: ({ id, username }) => (
      <button
        type="button"
        aria-label={texts.leaveOf(username)}
        disabled={isBusy}
        onClick={() => run(() => leaveGroup(realm, group.id, id), texts.left(username))}
      >
        {texts.leave}
      </button>
    ),
  };
  const columns: readonly Column<ListedUser>[] = [
    {
      title: texts.username,
      show: ({ id, username }) => (
        <Link href={`/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`}>{username}</Link>
      ),
    },
    { title: texts.email, isMinor: true, show: ({ email }) => email ?? none },
    ...(manageMembership ? [leaving] : []),
  ];
  return (
    <>
      <PagedTable
        query={query}
        caption={texts.members}
        columns={columns}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noMembers}</p>}
      />
      {manageMembership && (
        <div className="below">
          <UserPicker
            realm={realm}
            label={texts.addMember}
            nothing={texts.noUser}
            onPick={({ id, username }) => run(() => joinGroup(realm, group.id, id), texts.joined(username))}
          />
        </div>
      )}
      <Outcome done={done} failure={failure} />
    </>
  );
}

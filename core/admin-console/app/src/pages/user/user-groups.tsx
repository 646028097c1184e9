import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { groupsOf, joinGroup, type ListedGroup, leaveGroup } from '../../api/groups.ts';
import { groupsOfUser } from '../../api/user-groups.ts';
import { userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { MAX_CHOICES, Picker } from '../../parts/picker.tsx';
import { SearchedList, useListSearch } from '../../parts/searched-list.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as groupTexts } from './group-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The groups with the user as a member. */
export function UserGroups({ realm, user }: UserSectionProps) {
  const texts = useTexts(groupTexts);
  const listSearch = useListSearch();
  const query = useQuery(groupsOfUser(realm, user.id, listSearch.request));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [toLeave, setToLeave] = useState<ListedGroup>();
  const leave: Column<ListedGroup> = {
    title: texts.leave,
    isAction: true,
    show: (group) => (
      <button type="button" aria-label={texts.leaveOne(group.path)} onClick={() => setToLeave(group)}>
        {texts.leave}
      </button>
    ),
  };
  const columns: readonly Column<ListedGroup>[] = [
    {
      title: texts.name,
      show: ({ id, name }) => <Link href={`/realms/${encodeSegment(realm)}/groups/${encodeSegment(id)}`}>{name}</Link>,
    },
    { title: texts.path, show: ({ path }) => path },
    ...(user.access.manage ? [leave] : []),
  ];
  return (
    <>
      <SearchedList
        listSearch={listSearch}
        query={query}
        texts={texts}
        columns={columns}
        empty={<p>{texts.empty}</p>}
      />
      {user.access.manage && (
        <GroupPicker
          realm={realm}
          onPick={({ id, path }) => run(() => joinGroup(realm, id, user.id), texts.joined(path))}
        />
      )}
      <Outcome done={done} failure={toLeave === undefined ? failure : null} />
      {toLeave !== undefined && (
        <Confirm
          title={texts.leaveOf(toLeave.path, user.username)}
          action={texts.leave}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => leaveGroup(realm, toLeave.id, user.id),
              texts.left(toLeave.path),
              () => setToLeave(undefined),
            )
          }
          onClose={() => {
            setToLeave(undefined);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.leaveLead}</p>
        </Confirm>
      )}
    </>
  );
}

/** Finds a group of the realm at any depth. */
function GroupPicker({ realm, onPick }: { realm: string; onPick: (group: ListedGroup) => void }) {
  const texts = useTexts(groupTexts);
  const [search, setSearch] = useState('');
  const { data, isPlaceholderData } = useQuery(groupsOf(realm, { search, first: 0, max: MAX_CHOICES }));
  return (
    <Picker
      label={texts.join}
      choices={isPlaceholderData ? undefined : data?.map((group) => ({ ...group, detail: group.path }))}
      nothing={texts.noGroup}
      onSearch={setSearch}
      onPick={onPick}
    />
  );
}

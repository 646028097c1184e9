import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { type ListedUser, usersOf } from '../api/users.ts';
import { useLanguage } from '../messages/language.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { formatRoles } from './format-roles.ts';
import { MAX_CHOICES, Picker } from './picker.tsx';

/** Finds one user of a realm, as the list of users does. */
export function UserPicker(props: {
  realm: string;
  label: string;
  nothing: string;
  chosen?: string;
  onPick: (user: ListedUser) => void;
}) {
  const { realm, label, nothing, chosen, onPick } = props;
  const { language, messages } = useLanguage();
  const [search, setSearch] = useState('');
  const { data, error, isPlaceholderData } = useQuery(usersOf(realm, { search, first: 0, max: MAX_CHOICES }));
  // Not a failure of the page: the user's roles may well suffice for its other parts.
  if (error instanceof ApiFailure && error.kind === 'forbidden') {
    return <p className="help">{`${label}: ${messages.failure.forbiddenLead(formatRoles(error.roles, language))}`}</p>;
  }
  if (error !== null) return <FailureNotice failure={error} />;
  const choices = data?.map((user) => ({ ...user, name: user.username, detail: user.email }));
  return (
    <Picker
      label={label}
      choices={isPlaceholderData ? undefined : choices}
      nothing={nothing}
      {...(chosen === undefined ? {} : { chosen })}
      onSearch={setSearch}
      onPick={onPick}
    />
  );
}

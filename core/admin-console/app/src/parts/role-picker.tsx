import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FoundRole } from '../api/roles.ts';
import { MAX_CHOICES, Picker } from './picker.tsx';

export interface RolePickerTexts {
  readonly addRole: string;
  readonly noRole: string;
}

/** Searches roles that can be added. */
export interface RoleSearch<R extends FoundRole> {
  readonly key: QueryKey;
  readonly find: (query: { search: string; max: number }, signal: AbortSignal) => Promise<readonly R[]>;
}

/** Finds a role to add. @param props.without IDs of roles that cannot be added */
export function RolePicker<R extends FoundRole>(props: {
  others: RoleSearch<R>;
  without?: readonly string[];
  texts: RolePickerTexts;
  onPick: (role: R) => void;
}) {
  const { others, without = [], texts, onPick } = props;
  const [search, setSearch] = useState('');
  // Request more, since some may be left out.
  const max = MAX_CHOICES + without.length;
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...others.key, search, max],
    queryFn: ({ signal }) => others.find({ search, max }, signal),
    placeholderData: keepPreviousData,
  });
  const choices = data?.filter(({ id }) => !without.includes(id)).slice(0, MAX_CHOICES);
  return (
    <Picker
      label={texts.addRole}
      choices={isPlaceholderData ? undefined : choices}
      nothing={texts.noRole}
      onSearch={setSearch}
      onPick={onPick}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { availableRoles, type Role } from '../../api/user-roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { MOST_CHOICES, Picker } from '../../parts/picker.tsx';
import { texts as userTexts } from './texts.ts';

/** Assigns one of the realm roles that the user lacks, and that the admin may give. */
export function RolePicker(props: { realm: string; userId: string; onPick: (role: Role) => void }) {
  const { realm, userId, onPick } = props;
  const texts = useTexts(userTexts);
  const [search, setSearch] = useState('');
  const { data, isPlaceholderData } = useQuery(availableRoles(realm, userId, { search, first: 0, max: MOST_CHOICES }));
  return (
    <Picker
      label={texts.addRole}
      choices={isPlaceholderData ? undefined : data}
      nothing={texts.noRole}
      onSearch={setSearch}
      onPick={onPick}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { TokenFilter, TokenType } from '../../api/action-tokens.ts';
import { oneUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { texts } from './texts.ts';

/** The filters of the list, whose parameters in the address are `type`, `user` and `client`. */
export function TokenFilters(props: {
  realm: string;
  types: readonly TokenType[];
  filter: Omit<TokenFilter, 'after'>;
  onFilter: (changes: Readonly<Record<string, string>>) => void;
}) {
  const strings = useTexts(texts);
  const { realm, types, filter, onFilter } = props;
  const { data: user } = useQuery({ ...oneUser(realm, filter.userId), enabled: filter.userId !== '' });
  const onClient = useCallback((client: string) => onFilter({ client }), [onFilter]);
  return (
    <div className="filters">
      <label>
        {strings.type}
        <select value={filter.type} onChange={({ target }) => onFilter({ type: target.value })}>
          <option value="">{strings.anyType}</option>
          {types
            .filter(({ isListed, id }) => isListed || id === filter.type)
            .map(({ id, displayName }) => (
              <option key={id} value={id}>
                {displayName ?? id}
              </option>
            ))}
        </select>
      </label>
      <UserPicker
        realm={realm}
        label={strings.findUser}
        nothing={strings.noUser}
        chosen={filter.userId === '' ? '' : (user?.body.username ?? filter.userId)}
        onPick={({ id }) => onFilter({ user: id })}
      />
      {filter.userId !== '' && (
        <button type="button" onClick={() => onFilter({ user: '' })}>
          {strings.anyUser}
        </button>
      )}
      <SearchField label={strings.ofClient} value={filter.clientId} onSearch={onClient} />
    </div>
  );
}

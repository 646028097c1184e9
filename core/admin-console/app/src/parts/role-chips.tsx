import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FoundRole } from '../api/roles.ts';
import type { Role } from '../api/user-roles.ts';
import { MAX_CHOICES, Picker } from './picker.tsx';
import { QueryResult } from './query-result.tsx';

export interface RoleChipsTexts {
  readonly noRoles: string;
  readonly addRole: string;
  readonly noRole: string;
  readonly takeRole: (name: string) => string;
}

/** Searches roles that can be added. */
export interface RoleSearch {
  readonly key: QueryKey;
  readonly find: (query: { search: string; max: number }, signal: AbortSignal) => Promise<readonly FoundRole[]>;
}

/**
 * The roles of an object, each with a button to remove it, and a search to add one.
 * @param props.ownerOf returns the client's name for a role of a client
 * @param props.without IDs of further roles that cannot be added
 */
export function RoleChips<R extends Role>(props: {
  query: UseQueryResult<readonly R[]>;
  others: RoleSearch;
  without?: readonly string[];
  ownerOf?: (role: R) => string | undefined;
  canManage: boolean;
  isBusy: boolean;
  texts: RoleChipsTexts;
  onAdd: (role: Role) => void;
  onTake: (role: R) => void;
}) {
  const { query, others, without = [], ownerOf, canManage, isBusy, texts, onAdd, onTake } = props;
  return (
    <QueryResult query={query}>
      {(roles) => (
        <>
          {roles.length === 0 ? (
            <p className="help">{texts.noRoles}</p>
          ) : (
            <ul className="chips">
              {roles.map((role) => (
                <li key={role.id} className="chip">
                  {ownerOf?.(role) !== undefined && <small>{ownerOf(role)}</small>}
                  {role.name}
                  {canManage && (
                    <button
                      type="button"
                      aria-label={texts.takeRole([ownerOf?.(role), role.name].filter(Boolean).join(' '))}
                      disabled={isBusy}
                      onClick={() => onTake(role)}
                    >
                      ×
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          {canManage && (
            <OtherRoles
              others={others}
              without={[...without, ...roles.map(({ id }) => id)]}
              texts={texts}
              onPick={onAdd}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}

function OtherRoles(props: {
  others: RoleSearch;
  without: readonly string[];
  texts: RoleChipsTexts;
  onPick: (role: Role) => void;
}) {
  const { others, without, texts, onPick } = props;
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

import type { UseQueryResult } from '@tanstack/react-query';
import type { FoundRole } from '../api/roles.ts';
import type { Role } from '../api/user-roles.ts';
import { QueryResult } from './query-result.tsx';
import { RolePicker, type RolePickerTexts, type RoleSearch } from './role-picker.tsx';

export interface RoleChipsTexts extends RolePickerTexts {
  readonly noRoles: string;
  readonly takeRole: (name: string) => string;
}

/**
 * The roles of an object, each with a button to remove it, and a search to add one.
 * @param props.ownerOf returns the client's name for a role of a client
 * @param props.without IDs of further roles that cannot be added
 */
export function RoleChips<R extends Role, F extends FoundRole>(props: {
  query: UseQueryResult<readonly R[]>;
  others: RoleSearch<F>;
  without?: readonly string[];
  ownerOf?: (role: R) => string | undefined;
  canManage: boolean;
  isBusy: boolean;
  texts: RoleChipsTexts;
  onAdd: (role: F) => void;
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
            <RolePicker
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

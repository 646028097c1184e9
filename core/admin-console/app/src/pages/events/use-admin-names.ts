import { useQuery } from '@tanstack/react-query';
import { userIdOf } from '../../api/events.ts';
import { useUserNames } from '../../api/names.ts';
import { session } from '../../session/session.ts';

/** Names of admins by ID: users of the realm, or of the realm that the user is signed in to, such as master. */
export function useAdminNames(realm: string, ids: readonly string[]) {
  const own = useUserNames(realm, ids);
  const others = useUserNames(session.realm, session.realm === realm ? [] : ids);
  return (id: string): { readonly name: string; readonly realm: string } | undefined => {
    const name = own.get(id);
    const other = others.get(id);
    if (name !== undefined) return { name, realm };
    return other === undefined ? undefined : { name: other, realm: session.realm };
  };
}

/**
 * The ID of an admin by username or ID: of the realm, else of the realm that the user is signed in to.
 * @returns `id` undefined while it is being found, null if neither realm has this user
 */
export function useAdminId(
  realm: string,
  typed: string,
): { readonly id: string | null | undefined; readonly error: Error | null } {
  const own = useQuery(userIdOf(realm, typed));
  const isForeign = own.data === null && session.realm !== realm;
  const foreign = useQuery({ ...userIdOf(session.realm, typed), enabled: isForeign });
  return { id: isForeign ? foreign.data : own.data, error: own.error ?? (isForeign ? foreign.error : null) };
}

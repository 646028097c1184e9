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

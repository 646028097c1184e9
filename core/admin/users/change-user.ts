import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { User } from '../../model/user.js';
import type { Taken, Users } from '../../users/users.js';
import { type Admin, conflict, forbidden, notFound } from '../admin.js';
import type { AdminCall } from '../operation.js';

/** The user of the path. @throws AdminError 404 */
export async function userOf(users: Users, { realm, params }: AdminCall): Promise<User> {
  const user = await users.byId(realm, params.userId ?? '');
  if (user === undefined) throw notFound('User not found');
  return user;
}

/**
 * Whoever could set the password of an admin, or link an account of their own to one, would be that admin. So nobody
 * changes a user who holds rights of administration that they do not hold, or makes one. Stricter than Keycloak, where
 * `manage-users` is enough.
 * @throws HostError 403
 */
export function requireCovered(admin: Admin, realm: Realm, user: User): void {
  if (!admin.covers(realm, user.effectiveRoles(realm))) throw forbidden();
}

/**
 * Changes the user of the path.
 * @param change works on a copy, and may be called again; what it throws is thrown on
 * @throws AdminError 404; 403 beyond the caller's own rights; 409 when a name or address is taken
 */
export async function changeUser(
  users: Users,
  { realm, admin, params }: AdminCall,
  change: (draft: UserRepresentation, user: User) => void | Promise<void>,
): Promise<User> {
  const changed = await users.change(realm, params.userId ?? '', async (draft, user) => {
    requireCovered(admin, realm, user);
    await change(draft, user);
    requireCovered(admin, realm, new User({ id: user.id, version: user.version, representation: draft }));
  });
  if (changed === undefined) throw notFound('User not found');
  if ('exists' in changed) throw userExists(changed.exists);
  return changed;
}

/** 409, for what another user has. */
export function userExists(taken: Taken): Error {
  const what = taken === 'federatedIdentity' ? 'federated identity' : taken;
  return conflict(`User exists with same ${what}`);
}

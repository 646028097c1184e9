import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { User } from '../../model/user.js';
import type { TakenField, Users } from '../../users/users.js';
import { type Admin, conflictError, forbiddenError, notFoundError } from '../admin.js';
import type { AdminCall } from '../operation.js';

/** Finds the user of the path. @throws AdminError 404 */
export async function requireUser(users: Users, { realm, params }: AdminCall): Promise<User> {
  const user = await users.byId(realm, params.userId ?? '');
  if (user === undefined) throw notFoundError('User not found');
  return user;
}

/**
 * Requires that the caller has the user's administration rights. A caller who could set an admin's password, or link an
 * account to the admin, could act as that admin. Stricter than Keycloak, where `manage-users` suffices.
 * @throws HostError 403
 */
export function requireRightsOfUser(admin: Admin, realm: Realm, user: User): void {
  if (!admin.covers(realm, user.effectiveRoles(realm))) throw forbiddenError();
}

/**
 * Changes the user of the path.
 * @param change gets a copy, and may be called again; its errors are passed on
 * @throws AdminError 404; 403 for rights that the caller lacks; 409 if a username or email address is in use
 */
export async function changeUser(
  users: Users,
  { realm, admin, params }: AdminCall,
  change: (draft: UserRepresentation, user: User) => void | Promise<void>,
): Promise<User> {
  const changedUser = await users.change(realm, params.userId ?? '', async (draft, user) => {
    requireRightsOfUser(admin, realm, user);
    await change(draft, user);
    requireRightsOfUser(admin, realm, new User({ id: user.id, version: user.version, representation: draft }));
  });
  if (changedUser === undefined) throw notFoundError('User not found');
  if ('exists' in changedUser) throw userExistsError(changedUser.exists);
  return changedUser;
}

/** Creates the 409 error for a value that another user has. */
export function userExistsError(taken: TakenField): Error {
  const member = taken === 'federatedIdentity' ? 'federated identity' : taken;
  return conflictError(`User exists with same ${member}`);
}

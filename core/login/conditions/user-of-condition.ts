import type { ConditionContext } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';

/**
 * The user that a condition is about: the login's user, else the user of the browser's session if that is sufficient
 * for the login. Undefined if neither is known.
 */
export async function userOfCondition(
  users: Users,
  realm: Realm,
  { user, browserUserId }: ConditionContext,
): Promise<User | undefined> {
  const id = user?.id ?? browserUserId;
  return id === undefined ? undefined : users.byId(realm, id);
}

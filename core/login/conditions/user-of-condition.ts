import type { ConditionContext } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';

/** Whom a condition is about: the login's user, or the browser's where that login is good enough. Undefined: nobody yet. */
export async function userOf(
  users: Users,
  realm: Realm,
  { user, browserUserId }: ConditionContext,
): Promise<User | undefined> {
  const id = user?.id ?? browserUserId;
  return id === undefined ? undefined : users.byId(realm, id);
}

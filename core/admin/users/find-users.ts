import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import type { RoughCount } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { AdminCall } from '../operation.js';
import { searchedIds, userFilter } from './user-query.js';

/**
 * The users of the page that a request asks for; none for who may ask but not see (`query-users` alone).
 * @throws AdminError 400
 */
export async function foundUsers(users: Users, { realm, admin, query }: AdminCall): Promise<User[]> {
  const ids = searchedIds(query);
  const filter = { ...userFilter(query), ...query.page(), ...defined({ after: query.string('after')?.toLowerCase() }) };
  if (!admin.can(realm.name, 'view-users')) return [];
  if (ids === undefined) return users.find(realm, filter);
  return (await Promise.all(ids.map((id) => users.byId(realm, id)))).filter((user) => user !== undefined);
}

/**
 * How many users there are without paging.
 * @throws AdminError 400
 */
export async function countUsers(users: Users, call: AdminCall): Promise<RoughCount> {
  const { realm, admin, query } = call;
  if (searchedIds(query) !== undefined) return { count: (await foundUsers(users, call)).length, isEstimate: false };
  const filter = userFilter(query);
  return admin.can(realm.name, 'view-users') ? users.countRoughly(realm, filter) : { count: 0, isEstimate: false };
}

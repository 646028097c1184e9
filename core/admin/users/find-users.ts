import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { RoughCount, UserFilter } from '../../store/store.js';
import { isHiddenFromAdmins } from '../../users/profile/admin-view.js';
import type { Users } from '../../users/users.js';
import type { Admin } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { searchedIds, userFilter } from './user-query.js';

/**
 * The users on the requested page. None for callers who may query but not view users (`query-users` only).
 * @throws AdminError 400
 */
export async function foundUsers(users: Users, { realm, admin, query }: AdminCall): Promise<User[]> {
  const ids = searchedIds(query);
  if (asksForHidden(realm, admin, userFilter(query))) return [];
  const filter = { ...userFilter(query), ...query.page(), ...defined({ after: query.string('after')?.toLowerCase() }) };
  if (!admin.can(realm.name, 'view-users')) return [];
  if (ids === undefined) return users.find(realm, filter);
  return (await Promise.all(ids.map((id) => users.byId(realm, id)))).filter((user) => user !== undefined);
}

/**
 * The number of users without paging.
 * @throws AdminError 400
 */
export async function countUsers(users: Users, call: AdminCall): Promise<RoughCount> {
  const { realm, admin, query } = call;
  if (searchedIds(query) !== undefined) return { count: (await foundUsers(users, call)).length, isEstimate: false };
  const filter = userFilter(query);
  if (asksForHidden(realm, admin, filter)) return { count: 0, isEstimate: false };
  return admin.can(realm.name, 'view-users') ? users.countRoughly(realm, filter) : { count: 0, isEstimate: false };
}

/**
 * True for a search by an attribute that is hidden from admins, because its hits would reveal the value. Unlike
 * Keycloak.
 */
function asksForHidden(realm: Realm, { keepsUndeclaredAttributes }: Admin, filter: UserFilter): boolean {
  if (keepsUndeclaredAttributes) return false;
  const names = [...Object.keys(filter.attributes ?? {}), ...NAMES.filter((name) => filter[name] !== undefined)];
  return names.some((name) => isHiddenFromAdmins(realm, name));
}

const NAMES = ['email', 'firstName', 'lastName'] as const;

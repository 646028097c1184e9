import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { RoughCount, UserFilter } from '../../store/store.js';
import { isHiddenFromAdmins } from '../../users/profile/admin-view.js';
import type { Users } from '../../users/users.js';
import type { Admin } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { parseSearchedIds, parseUserFilter } from './user-query.js';

/**
 * Finds the users on the requested page. Callers with only `query-users` get none.
 * @throws AdminError 400
 */
export async function searchUsers(users: Users, { realm, admin, query }: AdminCall): Promise<User[]> {
  const ids = parseSearchedIds(query);
  if (searchesHiddenAttribute(realm, admin, parseUserFilter(query))) return [];
  const filter = {
    ...parseUserFilter(query),
    ...query.page(),
    ...defined({ after: query.string('after')?.toLowerCase() }),
  };
  if (!admin.can(realm.name, 'view-users')) return [];
  if (ids === undefined) return users.find(realm, filter);
  return (await Promise.all(ids.map((id) => users.byId(realm, id)))).filter((user) => user !== undefined);
}

/**
 * Counts the users of a search, regardless of paging.
 * @throws AdminError 400
 */
export async function countUsers(users: Users, call: AdminCall): Promise<RoughCount> {
  const { realm, admin, query } = call;
  if (parseSearchedIds(query) !== undefined)
    return { count: (await searchUsers(users, call)).length, isEstimate: false };
  const filter = parseUserFilter(query);
  if (searchesHiddenAttribute(realm, admin, filter)) return { count: 0, isEstimate: false };
  return admin.can(realm.name, 'view-users') ? users.countRoughly(realm, filter) : { count: 0, isEstimate: false };
}

/**
 * True if a search contains an attribute that is hidden from admins, because its results would reveal the value.
 * Keycloak allows that.
 */
function searchesHiddenAttribute(realm: Realm, { keepsUndeclaredAttributes }: Admin, filter: UserFilter): boolean {
  if (keepsUndeclaredAttributes) return false;
  const names = [
    ...Object.keys(filter.attributes ?? {}),
    ...FILTERED_MEMBERS.filter((name) => filter[name] !== undefined),
  ];
  return names.some((name) => isHiddenFromAdmins(realm, name));
}

const FILTERED_MEMBERS = ['email', 'firstName', 'lastName'] as const;

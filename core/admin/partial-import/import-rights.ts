import { Realm } from '../../model/realm.js';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import type { Role } from '../../model/roles.js';
import { User } from '../../model/user.js';
import type { UserRecord } from '../../store/store.js';
import { type Admin, forbiddenError } from '../admin.js';
import type { ImportedRole } from './import-roles.js';

/** The resources that an import changed. */
export interface ImportedResources {
  readonly roles: readonly ImportedRole[];
  /** Stored paths of groups. */
  readonly groups: readonly string[];
  readonly newUsers: readonly UserRepresentation[];
  readonly removedUsers: readonly UserRecord[];
}

/**
 * Compiles the realm with its current roles and groups. Later changes of the representation do not affect the result.
 */
export function compileRealm(representation: RealmRepresentation): Realm {
  return new Realm({ id: representation.id ?? '', name: representation.realm, version: 0, representation }, '');
}

/**
 * Requires that the caller has the administration rights of all imported roles, groups and users, and of those that
 * they replace. Stricter than Keycloak, which requires only `manage-realm`.
 * @throws HostError 403
 */
export function requireRightsOfImported(
  admin: Admin,
  before: Realm,
  after: Realm,
  importedResources: ImportedResources,
): void {
  const affectedRoles = (realm: Realm): Role[] => [
    ...importedResources.roles.flatMap(({ clientId, name }) =>
      clientId === undefined ? realm.roles.find([name]) : realm.roles.find([], { [clientId]: [name] }),
    ),
    ...importedResources.groups.flatMap((path) => [...(realm.groups.get(path)?.roles ?? [])]),
  ];
  const rolesOfUsers = (
    realm: Realm,
    list: readonly { id: string; version: number; representation: UserRepresentation }[],
  ) => list.flatMap((user) => [...new User(user).effectiveRoles(realm)]);
  const newUsers = importedResources.newUsers.map((representation) => ({
    id: representation.id ?? '',
    version: 0,
    representation,
  }));
  const roles = [
    affectedRoles(before),
    affectedRoles(after),
    rolesOfUsers(before, importedResources.removedUsers),
    rolesOfUsers(after, newUsers),
  ].flat();
  if (!admin.covers(before, roles)) throw forbiddenError();
}

import { listPieces } from '../../model/list-pieces.js';
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
export async function requireRightsOfImported(
  admin: Admin,
  before: Realm,
  after: Realm,
  importedResources: ImportedResources,
): Promise<void> {
  const affectedRoles = (realm: Realm): Role[] => [
    ...importedResources.roles.flatMap(({ clientId, name }) =>
      clientId === undefined ? realm.roles.find([name]) : realm.roles.find([], { [clientId]: [name] }),
    ),
    ...importedResources.groups.flatMap((path) => [...(realm.groups.get(path)?.roles ?? [])]),
  ];
  const roles = new Set([...affectedRoles(before), ...affectedRoles(after)]);
  const addRolesOfUsers = async (
    realm: Realm,
    list: readonly { id?: string; version?: number; representation: UserRepresentation }[],
  ) => {
    for await (const { items } of listPieces(realm.name, list)) {
      for (const { id = '', version = 0, representation } of items)
        for (const role of new User({ id, version, representation }).effectiveRoles(realm)) roles.add(role);
    }
  };
  await addRolesOfUsers(before, importedResources.removedUsers);
  await addRolesOfUsers(
    after,
    importedResources.newUsers.map((representation) => ({ representation })),
  );
  if (!admin.covers(before, roles)) throw forbiddenError();
}

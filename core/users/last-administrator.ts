import { HostError } from '@keyhost/spi';
import { groupPath } from '../model/group-path.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { GroupRepresentation, RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { LastAdminGuard, Membership } from '../store/store.js';

/** The realm role of `master` that includes every right. */
const ADMIN_ROLE = 'admin';

/*
 * Protects the last administrator of `master`. This is an enabled user, no service account, who holds the role `admin`
 * there directly or through a group or a composite role. Without one, no one can administer the host. The outcome of a
 * change is checked inside its transaction, instead of each way to cause it. The caller passes the roles and groups
 * that grant `admin`, and the store checks that a user holds one of them.
 */

/**
 * The guard that the store must check when a realm changes. Undefined if no user can lose `admin`: for a new realm, for
 * realms other than `master`, and if everything that granted the role still does.
 * @param mayChangeUsers whether the change may also take roles or groups from users
 */
export function guardForRealmChange(
  previous: RealmRepresentation | undefined,
  next: RealmRepresentation,
  mayChangeUsers: boolean,
): LastAdminGuard | undefined {
  if (next.realm !== MASTER_REALM || previous === undefined) return undefined;
  const granting = membershipsGrantingAdmin(previous);
  const stillGranting = membershipsGrantingAdmin(next);
  const remaining = new Set(stillGranting.map(membershipKey));
  return mayChangeUsers || granting.some((membership) => !remaining.has(membershipKey(membership)))
    ? { before: granting, after: stillGranting }
    : undefined;
}

/**
 * The guard that the store must check when a user changes, or is removed if `next` is undefined. Undefined if the user
 * loses nothing, and for realms other than `master`.
 */
export function guardForUserChange(
  realm: Realm,
  previous: UserRepresentation,
  next: UserRepresentation | undefined,
): LastAdminGuard | undefined {
  if (realm.name !== MASTER_REALM || (next !== undefined && !losesMembership(previous, next))) return undefined;
  const granting = membershipsGrantingAdmin(realm.representation);
  return { before: granting, after: granting, realmVersion: realm.version };
}

/** True if the user has every right on the host. */
export function isAdministrator(realm: Realm, user: User): boolean {
  const role = realm.name === MASTER_REALM ? realm.roles.realm.get(ADMIN_ROLE) : undefined;
  return role !== undefined && user.effectiveRoles(realm).has(role);
}

export const LAST_ADMINISTRATOR = 'last_administrator';

export function lastAdministratorError(): HostError {
  const message = 'The realm master must keep an enabled user with the role admin: this is the last one';
  return new HostError(LAST_ADMINISTRATOR, message, { status: 400, expose: true });
}

function losesMembership(previous: UserRepresentation, next: UserRepresentation): boolean {
  if (previous.enabled !== true) return false;
  if (next.enabled !== true) return true;
  const remaining = new Set(membershipKeys(next));
  return membershipKeys(previous).some((key) => !remaining.has(key));
}

function membershipKeys({ realmRoles = [], clientRoles = {}, groups = [] }: UserRepresentation): string[] {
  const clientMemberships = Object.entries(clientRoles).flatMap(([container, names]) =>
    names.map((name) => ({ kind: 'role' as const, container, name })),
  );
  return [
    ...realmRoles.map((name) => ({ kind: 'role' as const, container: '', name })),
    ...clientMemberships,
    ...groups.map((name) => ({ kind: 'group' as const, container: '', name })),
  ].map(membershipKey);
}

function membershipKey({ kind, container, name }: Membership): string {
  return JSON.stringify([kind, container, name]);
}

/** The role `admin`, the roles that contain it, and the groups that give it to their members. */
function membershipsGrantingAdmin({ roles, groups = [] }: RealmRepresentation): Membership[] {
  const grantingRoles = rolesGrantingAdmin(roles);
  const memberships: Membership[] = [...grantingRoles.values()].flat();
  const walk = (siblings: readonly GroupRepresentation[], parent: string, isGrantedByParent: boolean) => {
    for (const { name, realmRoles, clientRoles, subGroups = [] } of siblings) {
      const path = groupPath(parent, name);
      const grants =
        isGrantedByParent || containsGrantingRole(grantingRoles, { realm: realmRoles, client: clientRoles });
      if (grants) memberships.push({ kind: 'group', container: '', name: path });
      walk(subGroups, path, grants);
    }
  };
  walk(groups, '', false);
  return memberships;
}

/**
 * The roles that are or contain `admin`, by client ID; '' for realm roles. It does not build a graph of all roles,
 * because `master` has about twenty roles for each realm.
 */
function rolesGrantingAdmin(roles: RealmRepresentation['roles']): Map<string, Membership[]> {
  const grantingRoles = new Map<string, Membership[]>();
  const add = (container: string, name: string) =>
    grantingRoles.set(container, [...(grantingRoles.get(container) ?? []), { kind: 'role', container, name }]);
  if (roles?.realm?.some(({ name }) => name === ADMIN_ROLE)) add('', ADMIN_ROLE);
  let undecided = [['', roles?.realm ?? []] as const, ...Object.entries(roles?.client ?? {})].flatMap(
    ([container, roleList]) =>
      roleList.flatMap(({ name, composites }) => (composites === undefined ? [] : [{ container, name, composites }])),
  );
  for (let previousCount = -1; previousCount !== undecided.length; ) {
    previousCount = undecided.length;
    undecided = undecided.filter(({ container, name, composites }) => {
      if (!containsGrantingRole(grantingRoles, composites)) return true;
      const isAdmin = container === '' && name === ADMIN_ROLE;
      if (!isAdmin) add(container, name);
      return false;
    });
  }
  return grantingRoles;
}

function containsGrantingRole(
  grantingRoles: ReadonlyMap<string, readonly Membership[]>,
  { realm = [], client = {} }: NamedRoles,
): boolean {
  return [...grantingRoles].some(([container, memberships]) => {
    const names = container === '' ? realm : Object.hasOwn(client, container) ? client[container] : undefined;
    return memberships.some(({ name }) => names?.includes(name));
  });
}

interface NamedRoles {
  readonly realm?: readonly string[] | undefined;
  readonly client?: Readonly<Record<string, readonly string[]>> | undefined;
}

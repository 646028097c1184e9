import { HostError } from '@keyhost/spi';
import { groupPath } from '../model/group-path.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { GroupRepresentation, RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { LastAdminGuard, Membership } from '../store/store.js';

/** The role of `master` with every right. */
const ADMIN = 'admin';

/*
 * Protects the last administrator of `master`: an enabled user, no service account, who holds the role `admin` there
 * directly or by a group or role. Without one, no one can administer the host. We check the outcome of a change inside
 * its transaction, not each way to cause it: the caller passes the roles and groups that lead to `admin`, and the store
 * checks that a user holds one.
 */

/** The condition for a change of a realm; undefined if it cannot take `admin` from a user. */
export function guardForRealmChange(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  takesFromUsers: boolean,
): LastAdminGuard | undefined {
  if (after.realm !== MASTER_REALM || before === undefined) return undefined;
  const had = leadingToAdmin(before);
  const has = leadingToAdmin(after);
  const left = new Set(has.map(textOf));
  return takesFromUsers || had.some((one) => !left.has(textOf(one))) ? { before: had, after: has } : undefined;
}

/**
 * The condition for a change of a user, or for a removal if `after` is undefined; undefined if the user loses nothing.
 */
export function guardForUserChange(
  realm: Realm,
  before: UserRepresentation,
  after: UserRepresentation | undefined,
): LastAdminGuard | undefined {
  if (realm.name !== MASTER_REALM || (after !== undefined && !losesSomething(before, after))) return undefined;
  const held = leadingToAdmin(realm.representation);
  return { before: held, after: held, realmVersion: realm.version };
}

/** True for a user with every right on the host. */
export function isAdministrator(realm: Realm, user: User): boolean {
  const role = realm.name === MASTER_REALM ? realm.roles.realm.get(ADMIN) : undefined;
  return role !== undefined && user.effectiveRoles(realm).has(role);
}

export const LAST_ADMINISTRATOR = 'last_administrator';

export function lastAdministrator(): HostError {
  const message = 'The realm master must keep an enabled user with the role admin: this is the last one';
  return new HostError(LAST_ADMINISTRATOR, message, { status: 400, expose: true });
}

function losesSomething(before: UserRepresentation, after: UserRepresentation): boolean {
  if (before.enabled !== true) return false;
  if (after.enabled !== true) return true;
  const left = new Set(heldBy(after));
  return heldBy(before).some((one) => !left.has(one));
}

function heldBy({ realmRoles = [], clientRoles = {}, groups = [] }: UserRepresentation): string[] {
  const ofClients = Object.entries(clientRoles).flatMap(([container, names]) =>
    names.map((name) => ({ kind: 'role' as const, container, name })),
  );
  return [
    ...realmRoles.map((name) => ({ kind: 'role' as const, container: '', name })),
    ...ofClients,
    ...groups.map((name) => ({ kind: 'group' as const, container: '', name })),
  ].map(textOf);
}

function textOf({ kind, container, name }: Membership): string {
  return JSON.stringify([kind, container, name]);
}

/** The role `admin`, the roles that contain it, and the groups whose members have one of these. */
function leadingToAdmin({ roles, groups = [] }: RealmRepresentation): Membership[] {
  const leading = rolesLeadingToAdmin(roles);
  const found: Membership[] = [...leading.values()].flat();
  const walk = (some: readonly GroupRepresentation[], parent: string, isBelow: boolean) => {
    for (const { name, realmRoles, clientRoles, subGroups = [] } of some) {
      const place = groupPath(parent, name);
      const leads = isBelow || isAmong(leading, { realm: realmRoles, client: clientRoles });
      if (leads) found.push({ kind: 'group', container: '', name: place });
      walk(subGroups, place, leads);
    }
  };
  walk(groups, '', false);
  return found;
}

/** The leading roles by client. It avoids a graph of all roles, because `master` has twenty for each realm. */
function rolesLeadingToAdmin(roles: RealmRepresentation['roles']): Map<string, Membership[]> {
  const leading = new Map<string, Membership[]>();
  const add = (container: string, name: string) =>
    leading.set(container, [...(leading.get(container) ?? []), { kind: 'role', container, name }]);
  if (roles?.realm?.some(({ name }) => name === ADMIN)) add('', ADMIN);
  let open = [['', roles?.realm ?? []] as const, ...Object.entries(roles?.client ?? {})].flatMap(([container, some]) =>
    some.flatMap(({ name, composites }) => (composites === undefined ? [] : [{ container, name, composites }])),
  );
  for (let known = -1; known !== open.length; ) {
    known = open.length;
    open = open.filter(({ container, name, composites }) => {
      if (!isAmong(leading, composites)) return true;
      const isAdmin = container === '' && name === ADMIN;
      if (!isAdmin) add(container, name);
      return false;
    });
  }
  return leading;
}

function isAmong(
  leading: ReadonlyMap<string, readonly Membership[]>,
  { realm = [], client = {} }: NamedRoles,
): boolean {
  return [...leading].some(([container, held]) => {
    const names = container === '' ? realm : Object.hasOwn(client, container) ? client[container] : undefined;
    return held.some(({ name }) => names?.includes(name));
  });
}

interface NamedRoles {
  readonly realm?: readonly string[] | undefined;
  readonly client?: Readonly<Record<string, readonly string[]>> | undefined;
}

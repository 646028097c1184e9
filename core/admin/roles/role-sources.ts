import type { Group, Realm } from '../../model/realm.js';
import type { Role } from '../../model/roles.js';
import type { User } from '../../model/user.js';

/** One way in which a user gets a role. */
export interface RoleSource {
  /** The stored path of the group that has the assigned role. Undefined if the role is assigned to the user. */
  readonly groupPath: string | undefined;
  /** The composite roles that lead to the role, from the assigned one on. Empty if the role itself is assigned. */
  readonly through: readonly Role[];
}

/** A step of the search from a role to the assigned roles. */
interface Step {
  readonly role: Role;
  /** The step towards the role at which the search began. */
  readonly next: Step | undefined;
}

/** Explains the effective roles of a user. */
export class RoleSources {
  /** By assigned role: the stored paths of the groups that have it, and undefined if the user has it. */
  readonly #holders = new Map<Role, Set<string | undefined>>();
  /** The effective composite roles that contain a role. */
  readonly #composites = new Map<Role, Role[]>();

  constructor(realm: Realm, user: User) {
    const { realmRoles, clientRoles } = user.representation;
    this.#add(realm.roles.find(realmRoles, clientRoles), undefined);
    for (const path of user.groups(realm)) {
      for (let group: Group | undefined = realm.groups.get(path); group !== undefined; group = group.parent) {
        this.#add(group.roles, group.path);
      }
    }
    for (const composite of user.effectiveRoles(realm)) {
      for (const role of composite.composites) {
        const composites = this.#composites.get(role);
        if (composites === undefined) this.#composites.set(role, [composite]);
        else composites.push(composite);
      }
    }
  }

  /** True if the role is assigned to the user, not only to a group. */
  isAssigned(role: Role): boolean {
    return this.#holders.get(role)?.has(undefined) === true;
  }

  /**
   * Returns the sources of an effective role, those with the fewest composite roles first. Only the
   * shortest way from an assigned role counts. The search visits each effective role once at most.
   * @param max the maximum number of sources
   */
  of(role: Role, max: number): RoleSource[] {
    const sources: RoleSource[] = [];
    const found = new Set([role]);
    const steps: Step[] = [{ role, next: undefined }];
    // The list grows during the iteration.
    for (const step of steps) {
      for (const groupPath of this.#holders.get(step.role) ?? []) {
        sources.push({ groupPath, through: rolesBefore(step) });
        if (sources.length === max) return sources;
      }
      for (const composite of this.#composites.get(step.role) ?? []) {
        if (found.has(composite)) continue;
        found.add(composite);
        steps.push({ role: composite, next: step });
      }
    }
    return sources;
  }

  #add(roles: readonly Role[], holder: string | undefined): void {
    for (const role of roles) {
      const holders = this.#holders.get(role);
      if (holders === undefined) this.#holders.set(role, new Set([holder]));
      else holders.add(holder);
    }
  }
}

/** The roles from this step on, without the one at which the search began. */
function rolesBefore(step: Step): Role[] {
  const roles: Role[] = [];
  for (let current = step; current.next !== undefined; current = current.next) roles.push(current.role);
  return roles;
}

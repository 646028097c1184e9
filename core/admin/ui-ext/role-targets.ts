import type { RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { forbiddenError } from '../admin.js';
import { groupRoles } from '../groups/group-role-operations.js';
import type { AdminCall, ResourceType } from '../operation.js';
import { removeComposite } from '../roles/composite-operations.js';
import { requireRightsOfRoles } from '../roles/protected-roles.js';
import { ROLE_BY_ID } from '../roles/role-endpoints.js';
import type { RoleHolderEndpoint } from '../roles/role-mapping-operations.js';
import { compositesOf, createRoleLookup, type RoleWithClient, rolesById, rolesOf } from '../roles/role-with-client.js';
import { mappedClientIds, mappedRoles, unmapRole } from '../scope-mappings/scope-mappings.js';
import { SCOPE_OWNERS, type ScopeOwnerEndpoint } from '../scope-owners.js';
import { userRoles } from '../users/user-role-operations.js';

/** A resource to which the admin console assigns roles. */
export interface RoleTarget {
  /**
   * The end of the path, such as `users/{userId}`. `view` and `manage` are the admin roles that the operations require.
   */
  readonly path: string;
  readonly view: readonly string[];
  readonly manage: readonly string[];
  readonly resourceType: ResourceType;
  /** Returns the roles that are assigned directly. @throws AdminError 404 */
  findAssigned(call: AdminCall): Promise<readonly RoleWithClient[]>;
  /** Removes assigned roles. @throws AdminError 403 for rights that the caller lacks; 404 */
  unassign(call: AdminCall, roles: readonly RoleWithClient[]): Promise<unknown>;
}

const HOLDER_PROPERTIES = {
  view: ['view-users'],
  manage: ['manage-users'],
  resourceType: 'CLIENT_ROLE_MAPPING',
} as const;
const SCOPE_OWNER_PROPERTIES = {
  view: ['view-clients'],
  manage: ['manage-clients'],
  resourceType: 'CLIENT_SCOPE_MAPPING',
} as const;

/** The targets: users, groups, roles, clients and client scopes. */
export function roleTargets({ users, edits }: { readonly users: Users; readonly edits: RealmEdits }): RoleTarget[] {
  return [
    holderTarget('users/{userId}', userRoles(users)),
    holderTarget('groups/{groupId}', groupRoles(edits)),
    compositeTarget(edits),
    ...SCOPE_OWNERS.map((endpoint) => scopeTarget(users, edits, endpoint)),
  ];
}

function holderTarget(path: string, endpoint: RoleHolderEndpoint): RoleTarget {
  return {
    path,
    ...HOLDER_PROPERTIES,
    async findAssigned(call) {
      const { assigned } = await endpoint.find(call);
      return [undefined, ...Object.keys(assigned.clientRoles ?? {})].flatMap((clientId) => {
        const names = clientId === undefined ? assigned.realmRoles : assigned.clientRoles?.[clientId];
        return rolesNamed(call.realm.representation, clientId, names ?? []);
      });
    },
    unassign(call, roles) {
      if (!call.admin.covers(call.realm, roles.flatMap(createRoleLookup(call.realm.representation))))
        throw forbiddenError();
      return endpoint.change(call, (holder) => {
        const withoutRemovedRoles = (names: readonly string[], clientId?: string) =>
          names.filter((name) => !roles.some((role) => role.clientId === clientId && role.role.name === name));
        holder.realmRoles = withoutRemovedRoles(holder.realmRoles ?? []);
        const clientEntries = Object.entries(holder.clientRoles ?? {}).map(
          ([id, names]) => [id, withoutRemovedRoles(names, id)] as const,
        );
        holder.clientRoles = Object.fromEntries(clientEntries.filter(([, names]) => names.length > 0));
      });
    },
  };
}

function compositeTarget(edits: RealmEdits): RoleTarget {
  const { view, manage } = ROLE_BY_ID;
  return {
    path: 'roles/{roleId}',
    view,
    manage,
    resourceType: 'REALM_ROLE',
    findAssigned: async (call) =>
      compositesOf(call.realm.representation, ROLE_BY_ID.find(call, call.realm.representation, 'view')),
    unassign: (call, roles) =>
      edits.edit(call.realm.name, (draft) => {
        const composite = ROLE_BY_ID.find(call, draft, 'manage');
        requireRightsOfRoles(call.admin, draft, [composite, ...roles]);
        for (const role of roles) removeComposite(composite.role, role);
      }),
  };
}

function scopeTarget(users: Users, edits: RealmEdits, endpoint: ScopeOwnerEndpoint): RoleTarget {
  const path = endpoint.path.slice(1).replace('client-scopes', 'clientScopes');
  return {
    path,
    ...SCOPE_OWNER_PROPERTIES,
    async findAssigned(call) {
      const { representation } = call.realm;
      const owner = endpoint.find(call, representation);
      const containers = [undefined, ...mappedClientIds(representation, owner)];
      return containers.flatMap((clientId) => mappedRoles(representation, owner, clientId));
    },
    async unassign(call, roles) {
      await endpoint.requireManaged(users, call);
      await edits.edit(call.realm.name, (draft) => {
        const owner = endpoint.find(call, draft);
        for (const role of roles) unmapRole(draft, owner, role);
      });
    },
  };
}

function rolesNamed(
  realm: RealmRepresentation,
  clientId: string | undefined,
  names: readonly string[],
): readonly RoleWithClient[] {
  const nameSet = new Set(names);
  return rolesOf(realm, clientId)
    .filter(({ name }) => nameSet.has(name))
    .map((role) => ({ clientId, role }));
}

/** Returns these roles, and all roles that they contain. */
export function expandRoles(realm: RealmRepresentation, roles: readonly RoleWithClient[]): readonly RoleWithClient[] {
  const key = ({ clientId, name }: Pick<Role, 'clientId' | 'name'>) => JSON.stringify([clientId, name]);
  const expandedKeys = new Set([...RoleGraph.expand(roles.flatMap(createRoleLookup(realm)))].map(key));
  return [...rolesById(realm).values()].filter(({ clientId, role }) =>
    expandedKeys.has(key({ clientId, name: role.name })),
  );
}

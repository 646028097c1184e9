import type { RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { forbidden } from '../admin.js';
import { groupRoles } from '../groups/group-role-operations.js';
import type { AdminCall, ResourceType } from '../operation.js';
import { removeComposite } from '../roles/composite-operations.js';
import { requireCoversRoles } from '../roles/protected-roles.js';
import { ROLE_BY_ID } from '../roles/role-endpoints.js';
import type { RoleHolderEndpoint } from '../roles/role-mapping-operations.js';
import { compositesOf, createRoleLookup, type RoleWithClient, rolesById, rolesOf } from '../roles/role-with-client.js';
import { SCOPE_OWNERS, type ScopeOwnerEndpoint } from '../scope-holders.js';
import { mappedClientIds, mappedRoles, unmapRole } from '../scope-mappings/scope-mappings.js';
import { userRoles } from '../users/user-role-operations.js';

/** A resource to which the admin console assigns roles. */
export interface RoleTarget {
  /** Such as `users/{userId}`. */
  readonly path: string;
  readonly view: readonly string[];
  readonly manage: readonly string[];
  readonly resourceType: ResourceType;
  /** The roles that are assigned directly. @throws AdminError 404 */
  direct(call: AdminCall): Promise<readonly RoleWithClient[]>;
  /** @throws AdminError 403 for rights that the caller lacks; 404 */
  assign(call: AdminCall, roles: readonly RoleWithClient[]): Promise<unknown>;
}

const USERS = { view: ['view-users'], manage: ['manage-users'], resourceType: 'CLIENT_ROLE_MAPPING' } as const;
const CLIENTS = { view: ['view-clients'], manage: ['manage-clients'], resourceType: 'CLIENT_SCOPE_MAPPING' } as const;

/** Users, groups, roles, clients and client scopes. */
export function roleTargets({ users, edits }: { readonly users: Users; readonly edits: RealmEdits }): RoleTarget[] {
  return [
    ofHolder('users/{userId}', userRoles(users)),
    ofHolder('groups/{groupId}', groupRoles(edits)),
    ofRole(edits),
    ...SCOPE_OWNERS.map((holder) => ofScope(users, edits, holder)),
  ];
}

function ofHolder(path: string, door: RoleHolderEndpoint): RoleTarget {
  return {
    path,
    ...USERS,
    async direct(call) {
      const { own } = await door.find(call);
      return [undefined, ...Object.keys(own.clientRoles ?? {})].flatMap((clientId) => {
        const names = clientId === undefined ? own.realmRoles : own.clientRoles?.[clientId];
        return placed(call.realm.representation, clientId, names ?? []);
      });
    },
    assign(call, roles) {
      if (!call.admin.covers(call.realm, roles.flatMap(createRoleLookup(call.realm.representation)))) throw forbidden();
      return door.change(call, (holder) => {
        const left = (names: readonly string[], clientId?: string) =>
          names.filter((name) => !roles.some((one) => one.clientId === clientId && one.role.name === name));
        holder.realmRoles = left(holder.realmRoles ?? []);
        const ofClients = Object.entries(holder.clientRoles ?? {}).map(([id, names]) => [id, left(names, id)] as const);
        holder.clientRoles = Object.fromEntries(ofClients.filter(([, names]) => names.length > 0));
      });
    },
  };
}

function ofRole(edits: RealmEdits): RoleTarget {
  const { view, manage } = ROLE_BY_ID;
  return {
    path: 'roles/{roleId}',
    view,
    manage,
    resourceType: 'REALM_ROLE',
    direct: async (call) =>
      compositesOf(call.realm.representation, ROLE_BY_ID.find(call, call.realm.representation, 'view')),
    assign: (call, roles) =>
      edits.edit(call.realm.name, (draft) => {
        const holder = ROLE_BY_ID.find(call, draft, 'manage');
        requireCoversRoles(call.admin, draft, [holder, ...roles]);
        for (const role of roles) removeComposite(holder.role, role);
      }),
  };
}

function ofScope(users: Users, edits: RealmEdits, holder: ScopeOwnerEndpoint): RoleTarget {
  const path = holder.path.slice(1).replace('client-scopes', 'clientScopes');
  return {
    path,
    ...CLIENTS,
    async direct(call) {
      const { representation } = call.realm;
      const held = holder.find(call, representation);
      const places = [undefined, ...mappedClientIds(representation, held)];
      return places.flatMap((clientId) => mappedRoles(representation, held, clientId));
    },
    async assign(call, roles) {
      await holder.requireManaged(users, call);
      await edits.edit(call.realm.name, (draft) => {
        const held = holder.find(call, draft);
        for (const role of roles) unmapRole(draft, held, role);
      });
    },
  };
}

function placed(
  realm: RealmRepresentation,
  clientId: string | undefined,
  names: readonly string[],
): readonly RoleWithClient[] {
  const wanted = new Set(names);
  return rolesOf(realm, clientId)
    .filter(({ name }) => wanted.has(name))
    .map((role) => ({ clientId, role }));
}

/** These roles and all roles that they contain. */
export function expanded(realm: RealmRepresentation, roles: readonly RoleWithClient[]): readonly RoleWithClient[] {
  const key = ({ clientId, name }: Pick<Role, 'clientId' | 'name'>) => JSON.stringify([clientId, name]);
  const all = new Set([...RoleGraph.expand(roles.flatMap(createRoleLookup(realm)))].map(key));
  return [...rolesById(realm).values()].filter(({ clientId, role }) => all.has(key({ clientId, name: role.name })));
}

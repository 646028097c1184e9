import type { RealmRepresentation } from '../../model/representation.js';
import { notFoundError } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import type { AdminCall, ResourceType } from '../operation.js';
import { type RoleWithClient, requireRole, rolesById } from './role-with-client.js';

const VIEW = { realm: 'view-realm', client: 'view-clients' } as const;
const MANAGE = { realm: 'manage-realm', client: 'manage-clients' } as const;

/** A path that lists the roles of the realm or of a client. */
export interface RoleContainer {
  readonly path: string;
  readonly tag: string;
  readonly view: string;
  /** Roles of which a caller needs one to read the list. Mappers of identity providers refer to realm roles. */
  readonly readers: readonly string[];
  readonly manage: string;
  readonly resourceType: ResourceType;
  /** The client ID of the container, or undefined for the realm. @throws AdminError 404 */
  clientId(call: AdminCall, realm: RealmRepresentation): string | undefined;
}

export const ROLE_CONTAINERS: readonly RoleContainer[] = [
  {
    path: '/roles',
    tag: 'Roles',
    view: VIEW.realm,
    readers: [VIEW.realm, 'manage-identity-providers'],
    manage: MANAGE.realm,
    resourceType: 'REALM_ROLE',
    clientId: () => undefined,
  },
  {
    path: '/clients/{clientUuid}/roles',
    tag: 'Roles',
    view: VIEW.client,
    readers: [VIEW.client],
    manage: MANAGE.client,
    resourceType: 'CLIENT_ROLE',
    clientId: ({ params }, realm) => requireClient(realm, params.clientUuid).clientId,
  },
];

/** A path of a single role: by its name within its container, or by its ID. */
export interface RoleEndpoint {
  readonly path: string;
  readonly tag: string;
  /** Roles of which a caller needs at least one. */
  readonly view: readonly string[];
  readonly manage: readonly string[];
  /**
   * Finds the role in this state of the realm, if the caller may view or manage it.
   * @throws AdminError 404; 403
   */
  find(call: AdminCall, realm: RealmRepresentation, purpose: 'view' | 'manage'): RoleWithClient;
}

const BY_NAME: readonly RoleEndpoint[] = ROLE_CONTAINERS.map((container) => ({
  path: `${container.path}/{roleName}`,
  tag: container.tag,
  view: [container.view],
  manage: [container.manage],
  find: (call, realm) => requireRole(realm, container.clientId(call, realm), call.params.roleName ?? ''),
}));

/** Roles by ID. Depending on the role, the rights to manage the realm or clients are required. */
export const ROLE_BY_ID: RoleEndpoint = {
  path: '/roles-by-id/{roleId}',
  tag: 'Roles (by ID)',
  view: Object.values(VIEW),
  manage: Object.values(MANAGE),
  find({ admin, params }, realm, purpose) {
    const role = rolesById(realm).get(params.roleId ?? '');
    if (role === undefined) throw notFoundError('Could not find role with id');
    const requiredRoles = purpose === 'view' ? VIEW : MANAGE;
    admin.require(realm.realm, role.clientId === undefined ? requiredRoles.realm : requiredRoles.client);
    return role;
  },
};

export const ROLE_ENDPOINTS: readonly RoleEndpoint[] = [...BY_NAME, ROLE_BY_ID];
/** Paths that show whether a role is a realm or a client role. */
export const ROLE_BY_NAME_ENDPOINTS: readonly RoleEndpoint[] = BY_NAME;

export function resourceTypeOf({ clientId }: RoleWithClient): ResourceType {
  return clientId === undefined ? 'REALM_ROLE' : 'CLIENT_ROLE';
}

import type { RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { replaceRoleName } from '../../realms/replace-names.js';
import { duplicateResourceError } from '../admin.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, ok } from '../operation.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { requireNotDefaultRole, requireRightsOfRoles } from './protected-roles.js';
import { ROLE_ENDPOINTS, resourceTypeOf } from './role-endpoints.js';
import { ROLE_SCHEMA, type RoleInput, requireRoleName } from './role-list-operations.js';
import { createRoleConverter, isComposite, type RoleWithClient, rolesOf, setRolesOf } from './role-with-client.js';

/** Operations on a single role, by its name or its ID (Keycloak's RoleContainerResource and RoleByIdResource). */
export function roleOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return ROLE_ENDPOINTS.flatMap((endpoint): AdminOperation[] => [
    {
      method: 'GET',
      path: endpoint.path,
      tag: endpoint.tag,
      summary: 'A role',
      roles: endpoint.view,
      etag: true,
      answers: { status: 200, body: 'RoleRepresentation' },
      handle: (call) => {
        const { representation } = call.realm;
        return ok(createRoleConverter(representation)(endpoint.find(call, representation, 'view')));
      },
    },
    {
      method: 'PUT',
      path: endpoint.path,
      tag: endpoint.tag,
      summary: 'Change a role; users, groups and composite roles follow a new name',
      roles: endpoint.manage,
      body: ROLE_SCHEMA,
      strict: ROLE_MEMBERS,
      ignoredMembers: ['id', 'composite', 'composites', 'clientRole', 'containerId'],
      answers: { status: 204 },
      event: { resourceType: 'REALM_ROLE' },
      async handle(call) {
        await edits.edit(call.realm.name, (draft, effects) => {
          const roleWithClient = endpoint.find(call, draft, 'manage');
          requireRightsOfRoles(call.admin, draft, [roleWithClient]);
          changeRole(draft, effects, roleWithClient, call.body as RoleInput);
          requireRightsOfRoles(call.admin, draft, [roleWithClient]);
          call.setEventDetails({ resourceType: resourceTypeOf(roleWithClient) });
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: endpoint.path,
      tag: endpoint.tag,
      summary: 'Delete a role, also from users, groups and composite roles',
      roles: endpoint.manage,
      answers: { status: 204 },
      event: { resourceType: 'REALM_ROLE' },
      async handle(call) {
        await edits.edit(call.realm.name, (draft, effects) => {
          const roleWithClient = endpoint.find(call, draft, 'manage');
          requireNotDefaultRole(draft, roleWithClient, 'removed');
          requireRightsOfRoles(call.admin, draft, [roleWithClient]);
          const { clientId, role } = roleWithClient;
          setRolesOf(
            draft,
            clientId,
            rolesOf(draft, clientId).filter((other) => other !== role),
          );
          const wasComposite = isComposite(role);
          replaceRoleName(draft, effects, { clientId, name: role.name });
          const { id, name } = role;
          call.setEventDetails({
            resourceType: resourceTypeOf(roleWithClient),
            eventRepresentation: { id, name, composite: wasComposite },
          });
        });
        return undefined;
      },
    },
    ...managementPermissions(
      { ...endpoint, path: `${endpoint.path}/management/permissions` },
      (call) => void endpoint.find(call, call.realm.representation, 'view'),
    ),
  ]);
}

function changeRole(
  draft: RealmRepresentation,
  effects: EditEffects,
  roleWithClient: RoleWithClient,
  input: RoleInput,
): void {
  const { clientId, role } = roleWithClient;
  const { name, description, attributes } = input;
  if (name !== undefined && name !== null && name !== role.name) {
    requireNotDefaultRole(draft, roleWithClient, 'renamed');
    const newName = requireRoleName(name);
    if (rolesOf(draft, clientId).some((other) => other.name === newName)) {
      throw duplicateResourceError();
    }
    replaceRoleName(draft, effects, { clientId, name: role.name }, newName);
    role.name = newName;
  }
  if (description === null) delete role.description;
  else if (description !== undefined) role.description = description;
  if (attributes) role.attributes = attributes;
}

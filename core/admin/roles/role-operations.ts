import type { RealmRepresentation } from '../../model/representation.js';
import { carryRoleName } from '../../realms/carry-names.js';
import type { EditEffects, RealmEdits } from '../../realms/realm-edits.js';
import { duplicateResource } from '../admin.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, ok } from '../operation.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { requireCoversRoles, requireFreeName } from './protected-roles.js';
import { ROLE_ENDPOINTS, resourceTypeOf } from './role-endpoints.js';
import { checkedName, ROLE_SCHEMA, type SentRole } from './role-list-operations.js';
import { isComposite, type RoleWithClient, rolesOf, roleViews, setRolesOf } from './role-with-client.js';

/** One role, by its name or its ID (Keycloak's RoleContainerResource and RoleByIdResource). */
export function roleOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return ROLE_ENDPOINTS.flatMap((door): AdminOperation[] => [
    {
      method: 'GET',
      path: door.path,
      tag: door.tag,
      summary: 'A role',
      roles: door.view,
      etag: true,
      answers: { status: 200, body: 'RoleRepresentation' },
      handle: (call) => {
        const { representation } = call.realm;
        return ok(roleViews(representation)(door.find(call, representation, 'view')));
      },
    },
    {
      method: 'PUT',
      path: door.path,
      tag: door.tag,
      summary: 'Change a role; users, groups and composite roles follow a new name',
      roles: door.manage,
      body: ROLE_SCHEMA,
      strict: ROLE_MEMBERS,
      ignoredMembers: ['id', 'composite', 'composites', 'clientRole', 'containerId'],
      answers: { status: 204 },
      event: { resourceType: 'REALM_ROLE' },
      async handle(call) {
        await edits.edit(call.realm.name, (draft, effects) => {
          const placed = door.find(call, draft, 'manage');
          requireCoversRoles(call.admin, draft, [placed]);
          changeRole(draft, effects, placed, call.body as SentRole);
          requireCoversRoles(call.admin, draft, [placed]);
          call.setEventDetails({ resourceType: resourceTypeOf(placed) });
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: door.path,
      tag: door.tag,
      summary: 'Delete a role, also from users, groups and composite roles',
      roles: door.manage,
      answers: { status: 204 },
      event: { resourceType: 'REALM_ROLE' },
      async handle(call) {
        await edits.edit(call.realm.name, (draft, effects) => {
          const placed = door.find(call, draft, 'manage');
          requireFreeName(draft, placed, 'removed');
          requireCoversRoles(call.admin, draft, [placed]);
          const { clientId, role } = placed;
          setRolesOf(
            draft,
            clientId,
            rolesOf(draft, clientId).filter((other) => other !== role),
          );
          const composite = isComposite(role);
          carryRoleName(draft, effects, { clientId, name: role.name });
          const { id, name } = role;
          call.setEventDetails({
            resourceType: resourceTypeOf(placed),
            eventRepresentation: { id, name, composite },
          });
        });
        return undefined;
      },
    },
    ...managementPermissions(
      { ...door, path: `${door.path}/management/permissions` },
      (call) => void door.find(call, call.realm.representation, 'view'),
    ),
  ]);
}

function changeRole(draft: RealmRepresentation, effects: EditEffects, placed: RoleWithClient, sent: SentRole): void {
  const { clientId, role } = placed;
  const { name, description, attributes } = sent;
  if (name !== undefined && name !== null && name !== role.name) {
    requireFreeName(draft, placed, 'renamed');
    const wanted = checkedName(name);
    if (rolesOf(draft, clientId).some((other) => other.name === wanted)) {
      throw duplicateResource();
    }
    carryRoleName(draft, effects, { clientId, name: role.name }, wanted);
    role.name = wanted;
  }
  if (description === null) delete role.description;
  else if (description !== undefined) role.description = description;
  if (attributes) role.attributes = attributes;
}

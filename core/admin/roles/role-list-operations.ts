import { randomUUID } from 'node:crypto';
import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequestError, conflictError, notFoundError } from '../admin.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { partialSchema } from '../partial-schema.js';
import { PAGING, pageOf } from '../query.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { requireRightsOfRoles } from './protected-roles.js';
import { ROLE_CONTAINERS } from './role-endpoints.js';
import {
  byName,
  createRoleConverter,
  type RoleWithClient,
  roleMatches,
  rolesOf,
  setRolesOf,
} from './role-with-client.js';

export const ROLE_SCHEMA = partialSchema(REALM_SCHEMA.properties.roles.properties.realm.items);

/** A role in a request. Null means absent. */
export interface RoleInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly attributes?: Record<string, string[]> | null;
  readonly composites?: RoleRepresentation['composites'] | null;
}

/** Operations that list and create roles of the realm and its clients (Keycloak's RoleContainerResource). */
export function roleListOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return ROLE_CONTAINERS.flatMap((container): AdminOperation[] => [
    {
      method: 'GET',
      path: container.path,
      tag: container.tag,
      summary: 'Roles, ordered by name',
      roles: container.readers,
      query: {
        search: { type: 'string', description: 'Part of the name or the description.' },
        briefRepresentation: { type: 'boolean', description: 'Without attributes; default: true.' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } },
      handle(call) {
        const { representation } = call.realm;
        const clientId = container.clientId(call, representation);
        const roles = rolesOf(representation, clientId)
          .filter((role) => roleMatches(role, call.query.string('search')))
          .map((role) => ({ clientId, role }))
          .sort(byName);
        const toView = createRoleConverter(representation);
        const isBrief = call.query.boolean('briefRepresentation') ?? true;
        return ok(pageOf(roles, call.query.page('all')).map((role) => toView(role, isBrief)));
      },
    },
    {
      method: 'POST',
      path: container.path,
      tag: container.tag,
      summary: 'Create a role',
      roles: [container.manage],
      body: ROLE_SCHEMA,
      strict: ROLE_MEMBERS,
      ignoredMembers: ['id', 'composite', 'clientRole', 'containerId'],
      answers: { status: 201 },
      event: { resourceType: container.resourceType },
      async handle(call) {
        const input = call.body as RoleInput;
        const name = requireRoleName(input.name);
        const answer = created(call, name);
        await edits.edit(call.realm.name, (draft) => {
          const clientId = container.clientId(call, draft);
          const roles = rolesOf(draft, clientId);
          if (roles.some((role) => role.name === name)) throw conflictError(`Role with name ${name} already exists`);
          const newRole: RoleWithClient = { clientId, role: createRole(draft, name, input) };
          setRolesOf(draft, clientId, [...roles, newRole.role]);
          requireRightsOfRoles(call.admin, draft, [newRole]);
        });
        return answer;
      },
    },
  ]);
}

/** Requires a name. @throws AdminError 400 */
export function requireRoleName(name: string | null | undefined): string {
  if (name === undefined || name === null || name === '') throw badRequestError('role has no name');
  return name;
}

/** Creates a role. @throws AdminError 404 if a composite role does not exist */
function createRole(draft: RealmRepresentation, name: string, input: RoleInput): RoleRepresentation {
  const { description, attributes, composites } = input;
  const { realm = [], client = {} } = composites ?? {};
  for (const [clientId, names] of [[undefined, realm] as const, ...Object.entries(client)]) {
    const knownNames = new Set(rolesOf(draft, clientId).map((role) => role.name));
    if (!names.every((contained) => knownNames.has(contained))) throw notFoundError('Could not find composite role');
  }
  return {
    id: randomUUID(),
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(composites ? { composite: true, composites: { realm, client } } : {}),
    ...(attributes ? { attributes } : {}),
  };
}

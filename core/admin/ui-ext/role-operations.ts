import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf, type QueryParameter } from '../query.js';
import { ROLE_REFERENCES, requireReferredRoles } from '../roles/composite-operations.js';
import { allMappings } from '../roles/role-mapping-operations.js';
import { createRoleLookup, type RoleWithClient, roleMatches, rolesById } from '../roles/role-with-client.js';
import { CONSOLE_TAG } from './console-tag.js';
import { expandRoles, type RoleTarget, roleTargets } from './role-targets.js';

export interface ConsoleRoleParts {
  readonly users: Users;
  readonly edits: RealmEdits;
}

const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  ...PAGING,
} as const satisfies Record<string, QueryParameter>;
const OBJECTS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;

/** Operations for assigning roles in the admin console, which lists the roles of all clients together. */
export function consoleRoleOperations(parts: ConsoleRoleParts): AdminOperation[] {
  return roleTargets(parts).flatMap((target) => [
    ...listOperations(target),
    unassignOperation(target),
    ...compositeOperations(target),
  ]);
}

function listOperations(target: RoleTarget): AdminOperation[] {
  const readOperation = { method: 'GET', tag: CONSOLE_TAG, roles: target.view, answers: OBJECTS } as const;
  return [
    {
      ...readOperation,
      path: `/ui-ext/available-roles/${target.path}`,
      summary: 'The roles of clients that are not assigned, and that the caller could assign',
      query: LISTING,
      listsRolesOfRealmClients: true,
      async handle(call) {
        const { realm, admin } = call;
        const assignedIds = new Set((await target.findAssigned(call)).map(({ role }) => role.id));
        const rolesFor = createRoleLookup(realm.representation);
        const assignable = searchClientRoles(realm.representation, call).filter(
          (role) => !assignedIds.has(role.role.id) && admin.covers(realm, rolesFor(role)),
        );
        return ok(pageOf(assignable, call.query.page()).map((role) => toClientRole(call, role)));
      },
    },
    {
      ...readOperation,
      path: `/ui-ext/effective-roles/${target.path}`,
      summary: 'The client roles that the assigned roles include',
      async handle(call) {
        const effective = expandRoles(call.realm.representation, await target.findAssigned(call));
        return ok(
          sortRoles(effective.filter(({ clientId }) => clientId !== undefined)).map((role) => toClientRole(call, role)),
        );
      },
    },
    {
      ...readOperation,
      path: `/ui-ext/effective-roles-all/${target.path}`,
      summary: 'Every role that comes with what is assigned',
      async handle(call) {
        const effective = expandRoles(call.realm.representation, await target.findAssigned(call));
        return ok(sortRoles(effective).map((role) => toEffectiveRole(call, role)));
      },
    },
  ];
}

function unassignOperation(target: RoleTarget): AdminOperation {
  return {
    method: 'POST',
    path: `/ui-ext/role-mapping-delete/${target.path}`,
    tag: CONSOLE_TAG,
    summary: 'Unassign realm roles and client roles; only roles that the caller has',
    roles: target.manage,
    body: ROLE_REFERENCES,
    answers: { status: 204 },
    event: { resourceType: target.resourceType, operation: 'DELETE' },
    async handle(call) {
      await target.unassign(call, requireReferredRoles(call.realm.representation, call.body, 'Could not find role'));
      return undefined;
    },
  };
}

/** The operation that lists the roles which a role contains, in the form of a user's role mappings. */
function compositeOperations(target: RoleTarget): AdminOperation[] {
  if (target.path !== 'roles/{roleId}') return [];
  return [
    {
      method: 'GET',
      path: `/ui-ext/role-mappings/${target.path}`,
      tag: CONSOLE_TAG,
      summary: 'The roles that a role contains, by realm and clients',
      roles: target.view,
      answers: { status: 200, body: { type: 'object' } },
      handle(call) {
        const composite = rolesById(call.realm.representation).get(call.params.roleId ?? '');
        if (composite === undefined) throw notFoundError('Could not find role');
        const { realm: realmRoles = [], client: clientRoles = {} } = composite.role.composites ?? {};
        return ok(allMappings(call, { realmRoles, clientRoles }));
      },
    },
  ];
}

function searchClientRoles(realm: RealmRepresentation, { query }: AdminCall): RoleWithClient[] {
  const search = query.string('search');
  const clientRoles = [...rolesById(realm).values()].filter(({ clientId }) => clientId !== undefined);
  return sortRoles(
    clientRoles.filter(({ clientId, role }) => roleMatches(role, search) || clientId?.includes(search ?? '') === true),
  );
}

/** Sorts roles: realm roles first, then by client and name. */
function sortRoles(roles: readonly RoleWithClient[]): RoleWithClient[] {
  const key = ({ clientId = '', role }: RoleWithClient) => `${clientId}\0${role.name}`;
  return [...roles].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Keycloak's `ClientRole`, as the admin console expects it. */
function toClientRole({ realm }: AdminCall, { clientId = '', role }: RoleWithClient): object {
  const { id, name, description } = role;
  return { id, role: name, client: clientId, clientId: realm.clients.get(clientId)?.id, description };
}

/** Keycloak's `EffectiveRole`, as the admin console expects it. */
function toEffectiveRole({ realm }: AdminCall, { clientId, role }: RoleWithClient): object {
  const { id, name, description } = role;
  const client = clientId === undefined ? {} : { client: clientId, clientId: realm.clients.get(clientId)?.id };
  return { id, name, description, clientRole: clientId !== undefined, ...client };
}

import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { notFound } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf, type QueryParameter } from '../query.js';
import { ROLE_REFERENCES, requireReferredRoles } from '../roles/composite-operations.js';
import { allMappings } from '../roles/role-mapping-operations.js';
import { createRoleLookup, type RoleWithClient, roleMatches, rolesById } from '../roles/role-with-client.js';
import { CONSOLE_TAG } from './console-tag.js';
import { expanded, type RoleTarget, roleTargets } from './role-targets.js';

export interface ConsoleRoleParts {
  readonly users: Users;
  readonly edits: RealmEdits;
}

const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  ...PAGING,
} as const satisfies Record<string, QueryParameter>;
const OBJECTS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;

/** Role assignment in the admin console, with the roles of all clients in one list. */
export function consoleRoleOperations(parts: ConsoleRoleParts): AdminOperation[] {
  return roleTargets(parts).flatMap((target) => [...lists(target), taking(target), ...mappings(target)]);
}

function lists(target: RoleTarget): AdminOperation[] {
  const reading = { method: 'GET', tag: CONSOLE_TAG, roles: target.view, answers: OBJECTS } as const;
  return [
    {
      ...reading,
      path: `/ui-ext/available-roles/${target.path}`,
      summary: 'The roles of clients that are not assigned, and that the caller could assign',
      query: LISTING,
      listsRolesOfRealmClients: true,
      async handle(call) {
        const { realm, admin } = call;
        const direct = new Set((await target.direct(call)).map(({ role }) => role.id));
        const graph = createRoleLookup(realm.representation);
        const free = ofClients(realm.representation, call).filter(
          (placed) => !direct.has(placed.role.id) && admin.covers(realm, graph(placed)),
        );
        return ok(pageOf(free, call.query.page()).map((placed) => clientRole(call, placed)));
      },
    },
    {
      ...reading,
      path: `/ui-ext/effective-roles/${target.path}`,
      summary: 'The client roles that the assigned roles include',
      async handle(call) {
        const all = expanded(call.realm.representation, await target.direct(call));
        return ok(
          sorted(all.filter(({ clientId }) => clientId !== undefined)).map((placed) => clientRole(call, placed)),
        );
      },
    },
    {
      ...reading,
      path: `/ui-ext/effective-roles-all/${target.path}`,
      summary: 'Every role that comes with what is assigned',
      async handle(call) {
        const all = expanded(call.realm.representation, await target.direct(call));
        return ok(sorted(all).map((placed) => shownRole(call, placed)));
      },
    },
  ];
}

function taking(target: RoleTarget): AdminOperation {
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
      await target.assign(call, requireReferredRoles(call.realm.representation, call.body, 'Could not find role'));
      return undefined;
    },
  };
}

/** The roles that a role contains, in the form of a user's role mappings. */
function mappings(target: RoleTarget): AdminOperation[] {
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
        const placed = rolesById(call.realm.representation).get(call.params.roleId ?? '');
        if (placed === undefined) throw notFound('Could not find role');
        const { realm: realmRoles = [], client: clientRoles = {} } = placed.role.composites ?? {};
        return ok(allMappings(call, { realmRoles, clientRoles }));
      },
    },
  ];
}

function ofClients(realm: RealmRepresentation, { query }: AdminCall): RoleWithClient[] {
  const search = query.string('search');
  const found = [...rolesById(realm).values()].filter(({ clientId }) => clientId !== undefined);
  return sorted(
    found.filter(({ clientId, role }) => roleMatches(role, search) || clientId?.includes(search ?? '') === true),
  );
}

/** Sorts realm roles first, then by client and name. */
function sorted(roles: readonly RoleWithClient[]): RoleWithClient[] {
  const key = ({ clientId = '', role }: RoleWithClient) => `${clientId}\0${role.name}`;
  return [...roles].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The ClientRole of Keycloak's admin console. */
function clientRole({ realm }: AdminCall, { clientId = '', role }: RoleWithClient): object {
  const { id, name, description } = role;
  return { id, role: name, client: clientId, clientId: realm.clients.get(clientId)?.id, description };
}

/** The EffectiveRole of Keycloak's admin console. */
function shownRole({ realm }: AdminCall, { clientId, role }: RoleWithClient): object {
  const { id, name, description } = role;
  const client = clientId === undefined ? {} : { client: clientId, clientId: realm.clients.get(clientId)?.id };
  return { id, name, description, clientRole: clientId !== undefined, ...client };
}

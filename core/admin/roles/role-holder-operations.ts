import { defined } from '../../model/defined.js';
import type { GroupRepresentation } from '../../model/representation.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { briefUser, fullUser } from '../users/user-representation.js';
import { mapYielding } from '../yielding-loops.js';
import { ROLE_BY_NAME_ENDPOINTS } from './role-endpoints.js';
import type { RoleWithClient } from './role-with-client.js';

export interface RoleHolderParts {
  readonly users: Users;
  readonly types: CredentialTypes;
}

/** Operations that list the users and groups to which a role is assigned directly. */
export function roleHolderOperations({ users, types }: RoleHolderParts): AdminOperation[] {
  return ROLE_BY_NAME_ENDPOINTS.flatMap((endpoint): AdminOperation[] => [
    {
      method: 'GET',
      path: `${endpoint.path}/users`,
      tag: endpoint.tag,
      summary: 'The users with a role; also requires view-users',
      roles: endpoint.view,
      query: { briefRepresentation: { type: 'boolean', description: 'Without attributes.' }, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'UserRepresentation' } } },
      async handle(call) {
        const { realm, admin, query } = call;
        const roleWithClient = endpoint.find(call, realm.representation, 'view');
        admin.require(realm.name, 'view-users');
        const { clientId, role } = roleWithClient;
        const holds = defined({ kind: 'role' as const, clientId, name: role.name });
        const holders = await users.find(realm, { holds, serviceAccounts: true, ...query.page() });
        const toRepresentation = query.boolean('briefRepresentation') === true ? briefUser : fullUser(types);
        return ok(await mapYielding(realm.name, holders, (user) => toRepresentation(admin, realm, user)));
      },
    },
    {
      method: 'GET',
      path: `${endpoint.path}/groups`,
      tag: endpoint.tag,
      summary: 'The groups with a role; also requires view-users or query-groups',
      roles: endpoint.view,
      query: {
        briefRepresentation: { type: 'boolean', description: 'Without attributes and roles; default: true.' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'GroupRepresentation' } } },
      handle(call) {
        const { realm, admin, query } = call;
        const role = endpoint.find(call, realm.representation, 'view');
        admin.require(realm.name, 'view-users', 'query-groups');
        const isBrief = query.boolean('briefRepresentation') ?? true;
        const groups = findGroupsWithRole(realm.representation.groups ?? [], '', role, isBrief);
        return ok(pageOf(groups, query.page()));
      },
    },
  ]);
}

function findGroupsWithRole(
  groups: readonly GroupRepresentation[],
  parent: string,
  role: RoleWithClient,
  isBrief: boolean,
): GroupRepresentation[] {
  return groups.flatMap(({ subGroups = [], ...group }) => {
    const path = `${parent}/${group.name}`;
    const { id, name, attributes = {}, realmRoles = [], clientRoles = {} } = group;
    const briefGroup = defined({ id, name, path, subGroups: [] });
    const fullGroup = { ...briefGroup, attributes, realmRoles, clientRoles };
    return [
      ...(hasRole(group, role) ? [isBrief ? briefGroup : fullGroup] : []),
      ...findGroupsWithRole(subGroups, path, role, isBrief),
    ];
  });
}

function hasRole(
  { realmRoles = [], clientRoles = {} }: GroupRepresentation,
  { clientId, role }: RoleWithClient,
): boolean {
  if (clientId === undefined) return realmRoles.includes(role.name);
  return Object.hasOwn(clientRoles, clientId) && (clientRoles[clientId] ?? []).includes(role.name);
}

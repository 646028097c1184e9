import { defined } from '../../model/defined.js';
import type { GroupRepresentation } from '../../model/representation.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { briefUser, fullUser } from '../users/user-representation.js';
import { mapYielding } from '../yielding-loops.js';
import { NAMED_ROLE_ENDPOINTS } from './role-endpoints.js';
import type { RoleWithClient } from './role-with-client.js';

export interface RoleHolderParts {
  readonly users: Users;
  readonly types: CredentialTypes;
}

/** The users and groups that have a role directly. */
export function roleHolderOperations({ users, types }: RoleHolderParts): AdminOperation[] {
  return NAMED_ROLE_ENDPOINTS.flatMap((door): AdminOperation[] => [
    {
      method: 'GET',
      path: `${door.path}/users`,
      tag: door.tag,
      summary: 'The users with a role; also requires view-users',
      roles: door.view,
      query: { briefRepresentation: { type: 'boolean', description: 'Without attributes.' }, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'UserRepresentation' } } },
      async handle(call) {
        const { realm, admin, query } = call;
        const placed = door.find(call, realm.representation, 'view');
        admin.require(realm.name, 'view-users');
        const { clientId, role } = placed;
        const holds = defined({ kind: 'role' as const, clientId, name: role.name });
        const holders = await users.find(realm, { holds, serviceAccounts: true, ...query.page() });
        const shown = query.boolean('briefRepresentation') === true ? briefUser : fullUser(types);
        return ok(await mapYielding(realm.name, holders, (user) => shown(admin, realm, user)));
      },
    },
    {
      method: 'GET',
      path: `${door.path}/groups`,
      tag: door.tag,
      summary: 'The groups with a role; also requires view-users or query-groups',
      roles: door.view,
      query: {
        briefRepresentation: { type: 'boolean', description: 'Without attributes and roles; default: true.' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'GroupRepresentation' } } },
      handle(call) {
        const { realm, admin, query } = call;
        const placed = door.find(call, realm.representation, 'view');
        admin.require(realm.name, 'view-users', 'query-groups');
        const brief = query.boolean('briefRepresentation') ?? true;
        const groups = holders(realm.representation.groups ?? [], '', placed, brief);
        return ok(pageOf(groups, query.page()));
      },
    },
  ]);
}

function holders(
  groups: readonly GroupRepresentation[],
  parent: string,
  placed: RoleWithClient,
  brief: boolean,
): GroupRepresentation[] {
  return groups.flatMap(({ subGroups = [], ...group }) => {
    const path = `${parent}/${group.name}`;
    const { id, name, attributes = {}, realmRoles = [], clientRoles = {} } = group;
    const shown = defined({ id, name, path, subGroups: [] });
    const full = { ...shown, attributes, realmRoles, clientRoles };
    return [...(has(group, placed) ? [brief ? shown : full] : []), ...holders(subGroups, path, placed, brief)];
  });
}

function has({ realmRoles = [], clientRoles = {} }: GroupRepresentation, { clientId, role }: RoleWithClient): boolean {
  if (clientId === undefined) return realmRoles.includes(role.name);
  return Object.hasOwn(clientRoles, clientId) && (clientRoles[clientId] ?? []).includes(role.name);
}

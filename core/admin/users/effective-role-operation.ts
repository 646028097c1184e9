import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Role } from '../../model/roles.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';
import { groupsById } from '../groups/group-with-path.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { type RoleSource, RoleSources } from '../roles/role-sources.js';
import { createRoleConverter, type RoleWithClient, roleMatches, rolesById } from '../roles/role-with-client.js';
import { mapYielding } from '../yielding-loops.js';
import { requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

/** Maximum number of roles in a response: each one requires a search of its sources. */
const MAX_ROLES = 101;
/** Maximum number of sources of a role in a response. */
const MAX_SOURCES = 5;
/** Maximum number of composite roles of a source in a response. */
const MAX_THROUGH = 20;

const ROLE = {
  type: 'object',
  description: 'A RoleRepresentation. `client` is the client ID of a client role.',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, client: { type: 'string' } },
} as const;
const SOURCE = {
  type: 'object',
  description:
    'One way in which the user gets the role: `group` has the assigned role, or the user if it is absent. `through` ' +
    `lists the composite roles that lead to the role, from the assigned one on, ${MAX_THROUGH} at most. \`omitted\` is ` +
    'the number of others.',
  required: ['through'],
  properties: {
    group: { type: 'object', properties: { id: { type: 'string' }, path: { type: 'string' } } },
    through: { type: 'array', items: ROLE },
    omitted: { type: 'integer' },
  },
} as const;

/** Keyhost's own API: the effective roles of a user, with the reason for each. */
export function effectiveRoleOperation({ users }: { readonly users: Users }): AdminOperation {
  return {
    method: 'GET',
    path: '/users/{userId}/effective-roles',
    tag: USERS_TAG,
    summary:
      'The effective roles of a user, of the realm and of clients, each with its sources: assignments, groups and ' +
      `composite roles. A role has ${MAX_SOURCES} sources at most; \`hasMoreSources\` is true if there are others`,
    roles: ['view-users'],
    query: {
      search: { type: 'string', description: 'A part of the name, the description or the client ID.' },
      assigned: { type: 'boolean', description: 'Only the roles that are assigned to the user. Default: false.' },
      first: PAGING.first,
      max: { type: 'integer', description: `Maximum number of entries, at most ${MAX_ROLES}. Default: 100.` },
    },
    answers: {
      status: 200,
      body: {
        type: 'array',
        items: {
          ...ROLE,
          properties: {
            ...ROLE.properties,
            sources: { type: 'array', items: SOURCE },
            hasMoreSources: { type: 'boolean' },
          },
        },
      },
    },
    async handle(call) {
      const { realm, query } = call;
      const user = await requireUser(users, call);
      const sources = new RoleSources(realm, user);
      const isListed = query.boolean('assigned') === true ? (role: Role) => sources.isAssigned(role) : () => true;
      const effective = rolesWithClients(realm, user.effectiveRoles(realm));
      const matches = [...effective]
        .filter(([role, found]) => isListed(role) && matchesSearch(found, query.string('search')))
        .sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
      const { first, max } = query.page();
      const toRole = createConverter(realm);
      const toSource = createSourceConverter(realm, user, (role) => {
        const found = effective.get(role);
        return found === undefined ? [] : [toRole(found)];
      });
      return ok(
        await mapYielding(realm.name, pageOf(matches, { first, max: Math.min(max, MAX_ROLES) }), ([role, found]) => {
          const all = sources.of(role, MAX_SOURCES + 1);
          return {
            ...toRole(found),
            sources: all.slice(0, MAX_SOURCES).map(toSource),
            hasMoreSources: all.length > MAX_SOURCES,
          };
        }),
      );
    },
  };
}

/** Finds the stored representation of each role. */
function rolesWithClients(realm: Realm, roles: ReadonlySet<Role>): Map<Role, RoleWithClient> {
  const found = new Map<Role, RoleWithClient>();
  for (const roleWithClient of rolesById(realm.representation).values()) {
    const { clientId, role } = roleWithClient;
    const container = clientId === undefined ? realm.roles.realm : realm.roles.clients.get(clientId);
    const compiled = container?.get(role.name);
    if (compiled !== undefined && roles.has(compiled)) found.set(compiled, roleWithClient);
  }
  return found;
}

function matchesSearch({ clientId = '', role }: RoleWithClient, search: string | undefined): boolean {
  return roleMatches(role, search) || clientId.toLowerCase().includes((search ?? '').trim().toLowerCase());
}

/** Realm roles come first, client roles follow by client. */
function sortKey({ clientId = '', name }: Role): string {
  return `${clientId}\0${name}`;
}

function createConverter(realm: Realm): (role: RoleWithClient) => object {
  const toRepresentation = createRoleConverter(realm.representation);
  return (role) => ({ ...toRepresentation(role, true), ...defined({ client: role.clientId }) });
}

function createSourceConverter(
  realm: Realm,
  user: User,
  toRoles: (role: Role) => readonly object[],
): (source: RoleSource) => object {
  const groups = new Map<string, object>();
  if (user.groups(realm).length > 0) {
    for (const { storedPath, path, group } of groupsById(realm).values())
      groups.set(storedPath, { id: group.id, path });
  }
  return ({ groupPath, through }) => ({
    ...defined({ group: groupPath === undefined ? undefined : groups.get(groupPath) }),
    through: through.slice(0, MAX_THROUGH).flatMap(toRoles),
    ...(through.length > MAX_THROUGH ? { omitted: through.length - MAX_THROUGH } : {}),
  });
}

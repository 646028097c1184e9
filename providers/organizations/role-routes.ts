import type { ResourceOf } from '@keyhost/spi';
import { recordAdminEvent } from './admin-events.js';
import type { RequestContext } from './caller.js';
import { briefUser } from './member-routes.js';
import { newRole, type Organization, type OrganizationRole, roleNamed } from './organization.js';
import { pageOf, readPart } from './paging.js';
import { badRequest, conflict, notFound } from './refusals.js';
import { isRight } from './rights.js';
import { ROLE } from './schemas.js';

/** The maximum number of roles, since they are read as a whole. */
const MAX_ROLES = 500;

export const roleRoutes = {
  listRoles: { method: 'GET', path: '/{orgId}/roles', authentication: 'bearer' },
  createRole: { method: 'POST', path: '/{orgId}/roles', authentication: 'bearer', body: ROLE },
  readRole: { method: 'GET', path: '/{orgId}/roles/{name}', authentication: 'bearer' },
  updateRole: { method: 'PUT', path: '/{orgId}/roles/{name}', authentication: 'bearer', body: ROLE },
  deleteRole: { method: 'DELETE', path: '/{orgId}/roles/{name}', authentication: 'bearer' },
  listRoleUsers: { method: 'GET', path: '/{orgId}/roles/{name}/users', authentication: 'bearer' },
  readRoleUser: { method: 'GET', path: '/{orgId}/roles/{name}/users/{userId}', authentication: 'bearer' },
  grantRole: { method: 'PUT', path: '/{orgId}/roles/{name}/users/{userId}', authentication: 'bearer' },
  revokeRole: { method: 'DELETE', path: '/{orgId}/roles/{name}/users/{userId}', authentication: 'bearer' },
} as const;

function requireRole(organization: Organization, name: string): OrganizationRole {
  const role = roleNamed(organization, name);
  if (role === undefined) throw notFound('Role');
  return role;
}

export function roleMethods(access: RequestContext): ResourceOf<typeof roleRoutes> {
  const { session, organizations, members } = access;
  const addressOf = (orgId: string, name: string) =>
    `${session.realm.issuer}/orgs/${orgId}/roles/${encodeURIComponent(name)}`;
  return {
    async listRoles({ params }) {
      const { organization } = await access.authorize(params.orgId, 'view-roles');
      return { body: organization.roles };
    },

    async createRole({ params: { orgId }, body: { name, description } }) {
      const { caller } = await access.authorize(orgId, 'manage-roles');
      await organizations.change(orgId, (before) => {
        if (roleNamed(before, name) !== undefined) throw conflict(`There is a role with the name ${name}`);
        if (before.roles.length >= MAX_ROLES) throw badRequest(`An organization has at most ${MAX_ROLES} roles`);
        return { ...before, roles: [...before.roles, newRole(name, description || null)] };
      });
      await recordAdminEvent(session, 'CREATE_ORGANIZATION_ROLE', caller, { org_id: orgId, role: name });
      return { status: 201, headers: { location: addressOf(orgId, name) } };
    },

    async readRole({ params: { orgId, name } }) {
      const { organization } = await access.authorize(orgId, 'view-roles');
      return { body: requireRole(organization, name) };
    },

    async updateRole({ params: { orgId, name }, body }) {
      const { caller, organization } = await access.authorize(orgId, 'manage-roles');
      const role = requireRole(organization, name);
      if (body.name !== name) throw badRequest('The name of a role cannot be changed');
      const description = body.description || null;
      if (role.description === description) return { status: 204 };
      await organizations.change(orgId, (before) => {
        const { id } = requireRole(before, name);
        return { ...before, roles: before.roles.map((one) => (one.id === id ? { ...one, description } : one)) };
      });
      await recordAdminEvent(session, 'UPDATE_ORGANIZATION_ROLE', caller, { org_id: orgId, role: name });
      return { status: 204 };
    },

    async deleteRole({ params: { orgId, name } }) {
      const { caller, organization } = await access.authorize(orgId, 'manage-roles');
      const { id } = requireRole(organization, name);
      if (isRight(name)) throw badRequest(`The role ${name} cannot be deleted`);
      // Members retain the ID of the deleted role, which has no effect: a new role of this name gets a different ID.
      await organizations.change(orgId, (before) => {
        requireRole(before, name);
        return { ...before, roles: before.roles.filter((role) => role.id !== id) };
      });
      await recordAdminEvent(session, 'DELETE_ORGANIZATION_ROLE', caller, { org_id: orgId, role: name });
      return { status: 204 };
    },

    async listRoleUsers({ params: { orgId, name }, query }) {
      const { organization } = await access.authorize(orgId, 'view-roles');
      const { id } = requireRole(organization, name);
      async function* holders() {
        for await (const { user, roles } of members.usersOf(orgId)) if (roles.includes(id)) yield user;
      }
      return { body: (await readPart(holders(), pageOf(query))).map(briefUser) };
    },

    async readRoleUser({ params: { orgId, name, userId } }) {
      const { organization } = await access.authorize(orgId, 'view-roles');
      const { id } = requireRole(organization, name);
      if (!(await members.rolesOf(orgId, userId))?.includes(id)) throw notFound('Member with this role');
      return { status: 204 };
    },

    async grantRole({ params: { orgId, name, userId } }) {
      const callerRights = await access.authorize(orgId, 'manage-roles');
      const role = requireRole(callerRights.organization, name);
      if ((await session.users.byId(userId)) === undefined) throw notFound('User');
      if ((await members.rolesOf(orgId, userId)) === undefined) throw badRequest('The user is not a member');
      callerRights.requireRoles([role]);
      if (await members.changeRoles(orgId, userId, (roles) => [...new Set([...roles, role.id])])) {
        await recordAdminEvent(
          session,
          'CREATE_ORGANIZATION_ROLE_MAPPING',
          callerRights.caller,
          mapping(orgId, userId, name),
        );
      }
      return { status: 201, headers: { location: `${addressOf(orgId, name)}/users/${encodeURIComponent(userId)}` } };
    },

    async revokeRole({ params: { orgId, name, userId } }) {
      const callerRights = await access.authorize(orgId, 'manage-roles');
      const role = requireRole(callerRights.organization, name);
      callerRights.requireRoles([role]);
      if (!(await members.changeRoles(orgId, userId, (roles) => roles.filter((id) => id !== role.id)))) {
        throw notFound('Member with this role');
      }
      await recordAdminEvent(
        session,
        'DELETE_ORGANIZATION_ROLE_MAPPING',
        callerRights.caller,
        mapping(orgId, userId, name),
      );
      return { status: 204 };
    },
  };
}

const mapping = (orgId: string, userId: string, name: string) => ({ org_id: orgId, user_id: userId, role: name });

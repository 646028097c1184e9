import type { JsonObject, ResourceOf, UserView } from '@keyhost/spi';
import { recordAdminEvent } from './admin-events.js';
import type { RequestContext } from './caller.js';
import { rolesOf } from './organization.js';
import { countAll, flag, pageOf, parameter, readPart } from './paging.js';
import { forbidden, notFound } from './refusals.js';

export const memberRoutes = {
  listMembers: { method: 'GET', path: '/{orgId}/members', authentication: 'bearer' },
  countMembers: { method: 'GET', path: '/{orgId}/members/count', authentication: 'bearer' },
  readMember: { method: 'GET', path: '/{orgId}/members/{userId}', authentication: 'bearer' },
  addMember: { method: 'PUT', path: '/{orgId}/members/{userId}', authentication: 'bearer' },
  removeMember: { method: 'DELETE', path: '/{orgId}/members/{userId}', authentication: 'bearer' },
} as const;

export function memberMethods(access: RequestContext): ResourceOf<typeof memberRoutes> {
  const { session, members } = access;
  return {
    async listMembers({ params, query }) {
      const { organization } = await access.authorize(params.orgId, 'view-members');
      const page = pageOf(query);
      const withRoles = flag(query, 'includeOrgs');
      const search = (parameter(query, 'search') ?? '').toLowerCase();
      async function* matchingMembers() {
        for await (const member of members.usersOf(organization.id))
          if (matchesSearch(member.user, search)) yield member;
      }
      const part = await readPart(matchingMembers(), page);
      return {
        body: part.map(({ user, roles }) => ({
          ...briefUser(user),
          ...(withRoles ? { organizations: { [organization.id]: rolesOf(organization, roles) } } : {}),
        })),
      };
    },

    async countMembers({ params }) {
      const { organization } = await access.authorize(params.orgId, 'view-members');
      return { body: await countAll(members.usersOf(organization.id)) };
    },

    async readMember({ params: { orgId, userId } }) {
      await access.authorize(orgId, 'view-members');
      if ((await members.rolesOf(orgId, userId)) === undefined) throw notFound('Member');
      return { status: 204 };
    },

    async addMember({ params: { orgId, userId } }) {
      const { caller } = await access.authorize(orgId, 'manage-members');
      if ((await members.rolesOf(orgId, userId)) === undefined) {
        // Members are returned with name and address. So without this right, users become members only by accepting an
        // invitation.
        if (!caller.realm.manages)
          throw forbidden('Invite the user, or use the role manage-organizations of the realm');
        if ((await session.users.byId(userId)) === undefined) throw notFound('User');
      }
      if (await members.add(orgId, userId)) {
        await recordAdminEvent(session, 'CREATE_ORGANIZATION_MEMBERSHIP', caller, { org_id: orgId, user_id: userId });
      }
      const location = `${session.realm.issuer}/orgs/${orgId}/members/${encodeURIComponent(userId)}`;
      return { status: 201, headers: { location } };
    },

    async removeMember({ params: { orgId, userId } }) {
      const callerRights = await access.authorize(orgId);
      const { caller, organization } = callerRights;
      // Members may remove themselves.
      if (userId !== caller.userId) callerRights.requireRight('manage-members');
      const roles = await members.rolesOf(orgId, userId);
      if (roles === undefined) throw notFound('Member');
      if (userId !== caller.userId) callerRights.requireRoles(rolesOf(organization, roles));
      await members.remove(orgId, userId);
      await recordAdminEvent(session, 'DELETE_ORGANIZATION_MEMBERSHIP', caller, { org_id: orgId, user_id: userId });
      return { status: 204 };
    },
  };
}

/** A user in a list, as Keycloak's brief representation. */
export function briefUser(user: UserView): JsonObject {
  const { id, username, email, emailVerified, firstName, lastName, enabled, createdTimestamp } = user;
  const brief = { id, username, email, emailVerified, firstName, lastName, enabled, createdTimestamp };
  return Object.fromEntries(Object.entries(brief).filter(([, value]) => value !== undefined)) as JsonObject;
}

function matchesSearch({ username, email, firstName, lastName }: UserView, search: string): boolean {
  return [username, email, firstName, lastName].some((text) => text?.toLowerCase().includes(search));
}

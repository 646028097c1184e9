import { provide, RealmResourceProvider } from '@keyhost/spi';
import { CallerRights, RequestContext } from './caller.js';
import { rolesOf, toOrganizationJson } from './organization.js';
import { SCOPE } from './orgs-resource.js';
import { pageOf, readPart } from './paging.js';
import { notFound } from './refusals.js';

/** `/realms/{realm}/users`: the organizations of a user that the caller may see. */
export const usersResource = provide(RealmResourceProvider, {
  id: 'users',
  realmConfig: { type: 'object', properties: { scope: SCOPE }, additionalProperties: false },
  routes: {
    listUserOrganizations: { method: 'GET', path: '/{userId}/orgs', authentication: 'bearer' },
    listUserRoles: { method: 'GET', path: '/{userId}/orgs/{orgId}/roles', authentication: 'bearer' },
  },
  open: () => ({
    create(session, { scope }) {
      const access = new RequestContext(session, scope);
      const { members } = access;
      return {
        async listUserOrganizations({ params: { userId }, query }) {
          const caller = await access.caller();
          // Other callers must not learn which users exist, nor memberships in organizations whose members they cannot
          // view.
          if (caller.realm.views && (await session.users.byId(userId)) === undefined) throw notFound('User');
          async function* visible() {
            for await (const { organization } of members.membershipsOf(userId)) {
              const roles = await members.rolesOf(organization.id, caller.userId);
              const callerRights = new CallerRights(caller, organization, roles);
              if (callerRights.canView && (userId === caller.userId || callerRights.hasRight('view-members')))
                yield organization;
            }
          }
          const part = await readPart(visible(), pageOf(query));
          return { body: part.map((organization) => toOrganizationJson(organization, session.realm.name)) };
        },

        async listUserRoles({ params: { userId, orgId } }) {
          const { organization } = await access.authorize(orgId, 'view-roles');
          const roles = await members.rolesOf(orgId, userId);
          if (roles === undefined) throw notFound('Member');
          return { body: rolesOf(organization, roles) };
        },
      };
    },
  }),
});

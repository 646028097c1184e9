import type { JsonObject, ResourceOf, UserView } from '@keyhost/spi';
import type { Caller, RequestContext } from './caller.js';
import { toInvitationJson } from './invitation-routes.js';
import { Joining, type OpenInvitation } from './joining.js';
import { rolesOf } from './organization.js';
import { pageOf, readPart } from './paging.js';
import { badRequest, notFound } from './refusals.js';

export const ownRoutes = {
  readOwn: { method: 'GET', path: '/me', authentication: 'bearer' },
  listOwnInvitations: { method: 'GET', path: '/me/invitations', authentication: 'bearer' },
  acceptInvitation: { method: 'POST', path: '/me/invitations/{invitationId}', authentication: 'bearer' },
  declineInvitation: { method: 'DELETE', path: '/me/invitations/{invitationId}', authentication: 'bearer' },
} as const;

/** Routes for the caller's own data, and to answer invitations. */
export function ownMethods(access: RequestContext): ResourceOf<typeof ownRoutes> {
  const { session, members } = access;
  const joining = new Joining(session);

  /** @throws HostError 400 for a caller without a verified address */
  const requireInvitee = async (): Promise<{ readonly caller: Caller; readonly user: UserView }> => {
    const caller = await access.caller();
    const user = await session.users.byId(caller.userId);
    if (user === undefined) throw notFound('User');
    if (!user.emailVerified || user.email === undefined) throw badRequest('Your email address is not verified');
    return { caller, user };
  };
  const openInvitation = async (user: UserView, id: string): Promise<OpenInvitation> => {
    for await (const open of joining.of(user)) if (open.invitation.id === id) return open;
    throw notFound('Invitation');
  };

  return {
    async readOwn() {
      const { userId } = await access.caller();
      const own: [string, JsonObject][] = [];
      for await (const { organization, roles } of members.membershipsOf(userId)) {
        const { id, name, displayName, url, attributes } = organization;
        const names = rolesOf(organization, roles).map((role) => role.name);
        own.push([id, { name, ...(displayName && { displayName }), ...(url && { url }), attributes, roles: names }]);
      }
      return { body: Object.fromEntries(own) };
    },

    async listOwnInvitations({ query }) {
      const { user } = await requireInvitee();
      const part = await readPart(joining.of(user), pageOf(query));
      return { body: part.map(({ invitation, organization }) => toInvitationJson(invitation, organization)) };
    },

    async acceptInvitation({ params }) {
      const { caller, user } = await requireInvitee();
      if (!(await joining.accept(await openInvitation(user, params.invitationId), caller)))
        throw notFound('Invitation');
      return { status: 204 };
    },

    async declineInvitation({ params }) {
      const { caller, user } = await requireInvitee();
      const { invitation } = await openInvitation(user, params.invitationId);
      if (!(await joining.end(invitation, caller))) throw notFound('Invitation');
      return { status: 204 };
    },
  };
}

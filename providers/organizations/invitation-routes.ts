import type { JsonObject, ResourceOf } from '@keyhost/spi';
import { recordAdminEvent } from './admin-events.js';
import type { CallerRights, RequestContext } from './caller.js';
import { InvitationLimit } from './invitation-limit.js';
import { mailInvitation } from './invitation-mail.js';
import type { Invitation } from './invitations.js';
import { Joining } from './joining.js';
import { type Organization, type OrganizationRole, roleNamed, rolesOf } from './organization.js';
import { countAll, pageOf, parameter, readPart } from './paging.js';
import { badRequest, conflict, forbidden, notFound } from './refusals.js';
import { INVITATION } from './schemas.js';

export const invitationRoutes = {
  listInvitations: { method: 'GET', path: '/{orgId}/invitations', authentication: 'bearer' },
  createInvitation: { method: 'POST', path: '/{orgId}/invitations', authentication: 'bearer', body: INVITATION },
  countInvitations: { method: 'GET', path: '/{orgId}/invitations/count', authentication: 'bearer' },
  readInvitation: { method: 'GET', path: '/{orgId}/invitations/{invitationId}', authentication: 'bearer' },
  deleteInvitation: { method: 'DELETE', path: '/{orgId}/invitations/{invitationId}', authentication: 'bearer' },
  resendInvitation: {
    method: 'PUT',
    path: '/{orgId}/invitations/{invitationId}/resend-email',
    authentication: 'bearer',
  },
} as const;

/** The realm's settings for invitations. */
export interface InvitationSettings {
  /** In seconds. */
  readonly invitationLifespan: number;
  /** The addresses that invited users may be sent to. The first one is the default. */
  readonly applicationUris: readonly string[];
}

export function invitationMethods(
  access: RequestContext,
  { invitationLifespan, applicationUris }: InvitationSettings,
): ResourceOf<typeof invitationRoutes> {
  const { session, members } = access;
  const joining = new Joining(session);
  const { invitations } = joining;
  const limit = new InvitationLimit(session);

  /**
   * Mails an invitation, and counts it for the caller. The inviter may be a different user, who has not requested it.
   * Admins of all organizations have no limit.
   */
  const mail = async ({ caller, organization }: CallerRights, invitation: Invitation): Promise<void> => {
    const isLimited = !caller.realm.manages;
    if (isLimited) await limit.take(caller.userId);
    try {
      await mailInvitation(session, invitations, organization, invitation);
    } catch (error) {
      if (isLimited) await limit.giveBack(caller.userId);
      throw error;
    }
  };

  const requireInvitation = async (orgId: string, id: string): Promise<Invitation> => {
    const invitation = await invitations.byId(orgId, id);
    if (invitation === undefined) throw notFound('Invitation');
    return invitation;
  };

  /**
   * Accepts only addresses with an origin of the realm's settings. Otherwise, mails of this host could lead people to
   * any site.
   */
  const checkUrl = (wanted: string | undefined): string => {
    if (!wanted) return applicationUris[0] ?? '';
    const origins = applicationUris.map((uri) => new URL(uri).origin);
    if (URL.canParse(wanted) && origins.includes(new URL(wanted).origin)) return wanted;
    throw badRequest('redirectUri must have the origin of one of the applicationUris of the realm');
  };

  const checkInviter = async ({ caller }: CallerRights, wanted: string | undefined): Promise<string> => {
    if (!wanted || wanted === caller.userId) return caller.userId;
    if (!caller.realm.manages) throw forbidden('You cannot invite in the name of another user');
    if ((await session.users.byId(wanted)) === undefined) throw badRequest('There is no user with the id of inviterId');
    return wanted;
  };

  return {
    async listInvitations({ params, query }) {
      const { organization } = await access.authorize(params.orgId, 'view-invitations');
      const search = (parameter(query, 'search') ?? '').toLowerCase();
      async function* matching() {
        for await (const one of invitations.of(organization.id)) if (one.email.includes(search)) yield one;
      }
      const part = await readPart(matching(), pageOf(query));
      return { body: part.map((invitation) => toInvitationJson(invitation, organization)) };
    },

    async countInvitations({ params }) {
      const { organization } = await access.authorize(params.orgId, 'view-invitations');
      return { body: await countAll(invitations.of(organization.id)) };
    },

    async createInvitation({ params: { orgId }, body }) {
      const callerRights = await access.authorize(orgId, 'manage-invitations');
      const { caller, organization } = callerRights;
      const roles = requireRolesByName(organization, body.roles ?? []);
      callerRights.requireRoles(roles);
      const email = body.email.toLowerCase();
      const account = await session.users.byEmail(email);
      if (account !== undefined && (await members.rolesOf(orgId, account.id)) !== undefined) {
        throw conflict(`${email} is a member of the organization`);
      }
      const createdAt = session.clock.now();
      const invitation: Invitation = {
        id: crypto.randomUUID(),
        organizationId: orgId,
        email,
        inviterId: await checkInviter(callerRights, body.inviterId),
        createdAt,
        expiresAt: createdAt + invitationLifespan * 1000,
        url: checkUrl(body.redirectUri),
        roles: roles.map(({ id }) => id),
        attributes: body.attributes ?? {},
      };
      await invitations.add(invitation);
      await recordAdminEvent(session, 'CREATE_INVITATION', caller, {
        org_id: orgId,
        invitation_id: invitation.id,
        email,
      });
      if (body.send) {
        try {
          await mail(callerRights, invitation);
        } catch (error) {
          await joining.end(invitation, caller);
          throw error;
        }
      }
      return {
        status: 201,
        headers: { location: `${session.realm.issuer}/orgs/${orgId}/invitations/${invitation.id}` },
      };
    },

    async readInvitation({ params: { orgId, invitationId } }) {
      const { organization } = await access.authorize(orgId, 'view-invitations');
      return { body: toInvitationJson(await requireInvitation(orgId, invitationId), organization) };
    },

    async deleteInvitation({ params: { orgId, invitationId } }) {
      const { caller } = await access.authorize(orgId, 'manage-invitations');
      if (!(await joining.end(await requireInvitation(orgId, invitationId), caller))) throw notFound('Invitation');
      return { status: 204 };
    },

    async resendInvitation({ params: { orgId, invitationId } }) {
      const callerRights = await access.authorize(orgId, 'manage-invitations');
      await mail(callerRights, await requireInvitation(orgId, invitationId));
      return { status: 204 };
    },
  };
}

function requireRolesByName(organization: Organization, names: readonly string[]): readonly OrganizationRole[] {
  return names.map((name) => {
    const role = roleNamed(organization, name);
    if (role === undefined) throw badRequest(`The organization has no role ${name}`);
    return role;
  });
}

/** Returns an invitation in the format of the API. */
export function toInvitationJson(invitation: Invitation, organization: Organization): JsonObject {
  const { id, organizationId, email, inviterId, createdAt, expiresAt, url, roles, attributes } = invitation;
  return {
    id,
    organizationId,
    email,
    inviterId,
    attributes,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    invitationUrl: url === '' ? null : url,
    roles: rolesOf(organization, roles).map(({ name }) => name),
  };
}

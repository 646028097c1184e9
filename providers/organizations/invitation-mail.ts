import { HostError, type Session, type UserView } from '@keyhost/spi';
import type { Invitation, Invitations } from './invitations.js';
import type { Organization } from './organization.js';
import { notFound } from './refusals.js';
import { invitationMail } from './texts.js';

/** The token type of the link in an invitation. */
export const LINK_TYPE = 'organization-invitation';

/** Errors of a mail that are not faults of this plugin, with the status of the answer. */
const UNSENT_STATUS: Readonly<Record<string, number>> = {
  mail_too_many: 429,
  mail_queue_full: 503,
  mail_server_missing: 503,
  mail_no_address: 400,
};

/**
 * Mails an invitation. Only an account with a verified address gets a link that accepts. Otherwise, an account that
 * someone else has created with the address would become a member by the invited person's click. All others are asked
 * at their next sign-in.
 * @throws HostError `mail_not_sent` (429, 503)
 */
export async function mailInvitation(
  session: Session,
  invitations: Invitations,
  organization: Organization,
  invitation: Invitation,
): Promise<void> {
  const { mail, realm, users } = session;
  const { email, inviterId } = invitation;
  const account = await users.byEmail(email);
  const owner = account?.enabled && account.emailVerified ? account : undefined;
  const link = owner && (await issueLink(session, invitations, invitation, owner.id));
  const inviter = await users.byId(inviterId);
  try {
    await mail.send(
      invitationMail({
        to: owner === undefined ? { address: email } : { userId: owner.id },
        email,
        realm: realm.displayName || realm.name,
        organization: organization.displayName ?? organization.name,
        inviter: inviter === undefined ? organization.name : nameOf(inviter),
        url: link ?? (invitation.url || `${realm.issuer}/account`),
        application: invitation.url,
        accepts: link !== undefined,
        expiresIn: invitations.remaining(invitation),
      }),
    );
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    const status = code === undefined ? undefined : UNSENT_STATUS[code];
    if (status === undefined) throw error;
    session.logger.warn('an invitation was not mailed', { invitation: invitation.id, reason: message });
    throw new HostError('mail_not_sent', 'The invitation cannot be mailed now', { status, expose: true, cause: error });
  }
}

/** @returns undefined in a realm that has not enabled the link's handler */
async function issueLink(
  { actionTokens, logger }: Session,
  invitations: Invitations,
  invitation: Invitation,
  userId: string,
): Promise<string | undefined> {
  const { id, organizationId } = invitation;
  const claims = { org_id: organizationId, invitation_id: id };
  const expiresIn = invitations.remaining(invitation);
  const issued = await actionTokens.issue({ type: LINK_TYPE, userId, claims, expiresIn }).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== 'action_token_type_unknown') throw error;
    logger.warn('the realm does not enable the links of invitations', { handler: LINK_TYPE });
    return undefined;
  });
  if (issued === undefined) return undefined;
  if (!(await invitations.setLink(invitation, issued.id))) throw notFound('Invitation');
  return issued.link;
}

function nameOf({ firstName, lastName, username }: UserView): string {
  return [firstName, lastName].filter(Boolean).join(' ') || username;
}

import type { Session, UserView } from '@keyhost/spi';
import { type Actor, recordAdminEvent } from './admin-events.js';
import { type Invitation, Invitations } from './invitations.js';
import { Members } from './members.js';
import type { Organization } from './organization.js';
import { Organizations } from './organizations.js';

/** An invitation with its organization. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly organization: Organization;
}

/** The operations of invited users: finding, accepting and declining their invitations. */
export class Joining {
  readonly invitations: Invitations;
  readonly #session: Session;
  readonly #organizations: Organizations;
  readonly #members: Members;

  constructor(session: Session) {
    this.#session = session;
    this.#organizations = new Organizations(session);
    this.#members = new Members(session, this.#organizations);
    this.invitations = new Invitations(session);
  }

  /** Returns an open invitation if the user has verified its address. */
  async find(user: UserView, organizationId: string, id: string): Promise<OpenInvitation | undefined> {
    const invitation = await this.invitations.byId(organizationId, id);
    const organization = invitation && (await this.#organizations.byId(organizationId));
    return invitation && organization && invitation.email === addressOf(user)
      ? { invitation, organization }
      : undefined;
  }

  async *of(user: UserView): AsyncGenerator<OpenInvitation> {
    const address = addressOf(user);
    if (address === undefined) return;
    for await (const { organizationId, id } of this.invitations.ofAddress(address)) {
      const open = await this.find(user, organizationId, id);
      if (open !== undefined) yield open;
    }
  }

  /** @returns false if another request has ended the invitation */
  async accept({ invitation }: OpenInvitation, actor: Actor): Promise<boolean> {
    if (!(await this.invitations.end(invitation, actor.userId))) return false;
    await this.finish({ ...invitation, takenBy: actor.userId }, actor);
    return true;
  }

  /** Completes the end of an invitation: adds the member, and records the event. */
  async finish(invitation: Invitation, actor: Actor): Promise<void> {
    const { id, organizationId, takenBy = '', roles } = invitation;
    const details = { org_id: organizationId, invitation_id: id };
    if (takenBy !== '') await this.#members.add(organizationId, takenBy, roles);
    await this.invitations.clear(invitation);
    if (takenBy === '') await recordAdminEvent(this.#session, 'DELETE_INVITATION', actor, details);
    else
      await recordAdminEvent(this.#session, 'CREATE_ORGANIZATION_MEMBERSHIP', actor, { ...details, user_id: takenBy });
  }

  /** Ends an invitation without a new member. @returns false if another request has ended it */
  async end(invitation: Invitation, actor: Actor): Promise<boolean> {
    if (!(await this.invitations.end(invitation, ''))) return false;
    await this.finish(invitation, actor);
    return true;
  }
}

/** The verified address of a user. */
function addressOf({ email, emailVerified }: UserView): string | undefined {
  return emailVerified ? email?.toLowerCase() : undefined;
}

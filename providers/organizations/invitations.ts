import type { PluginStore, Session } from '@keyhost/spi';
import { conflict } from './refusals.js';
import { entriesBelow } from './stored-list.js';

export const INVITATIONS = 'invitation/';
/** By address, then by organization: at most one invitation each. */
const BY_ADDRESS = 'invited/';

export type Invitation = {
  readonly id: string;
  readonly organizationId: string;
  /** In lower case. */
  readonly email: string;
  readonly inviterId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The address that the invited user is sent to afterwards; empty if there is none. */
  readonly url: string;
  /** IDs of roles. */
  readonly roles: readonly string[];
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** The ID of the newest link: older ones are void. */
  readonly link?: string;
  /** The user who accepted an invitation that is over; empty if it was declined or deleted. */
  readonly takenBy?: string;
  readonly takenAt?: number;
};

/**
 * Invitations. Each ends once: the first request that accepts, declines or deletes it wins, and others no longer find
 * it.
 */
export class Invitations {
  readonly #store: PluginStore;
  readonly #now: () => number;

  constructor({ store, clock }: Session) {
    this.#store = store;
    this.#now = () => clock.now();
  }

  /** @throws HostError 409 if the address already has an invitation to the organization */
  async add(invitation: Invitation): Promise<void> {
    const { id, email } = invitation;
    const expiresIn = this.remaining(invitation);
    // In this order: if a node crashes in between, the leftover entry can be deleted.
    await this.#store.put(invitationKey(invitation), invitation, { expiresIn });
    if (await this.#store.replace(addressKey(invitation), undefined, id, { expiresIn })) return;
    await this.#store.delete(invitationKey(invitation));
    throw conflict(`There is an invitation for ${email}`);
  }

  async byId(organizationId: string, id: string): Promise<Invitation | undefined> {
    const found = (await this.#store.get(invitationKey({ organizationId, id }))) as Invitation | undefined;
    return found?.takenBy === undefined ? found : undefined;
  }

  /** The open invitations of an organization, ordered by ID. */
  async *of(organizationId: string): AsyncGenerator<Invitation> {
    for await (const { value } of entriesBelow(this.#store, `${INVITATIONS}${organizationId}/`)) {
      const invitation = value as Invitation;
      if (invitation.takenBy === undefined) yield invitation;
    }
  }

  /** The open invitations of an address. */
  async *ofAddress(email: string): AsyncGenerator<Invitation> {
    for await (const { key, value } of entriesBelow(this.#store, `${BY_ADDRESS}${email.toLowerCase()}/`)) {
      const found = await this.byId(key.slice(key.lastIndexOf('/') + 1), value as string);
      if (found !== undefined) yield found;
    }
  }

  /** Makes this link the only valid one. @returns false if the invitation is over */
  async setLink(invitation: Invitation, link: string): Promise<boolean> {
    return this.#change(invitation, { link });
  }

  /** Ends an invitation. @returns true if this call ended it */
  async end(invitation: Invitation, takenBy: string): Promise<boolean> {
    return this.#change(invitation, { takenBy, takenAt: this.#now() });
  }

  /** Deletes the entries of an invitation that is over. */
  async clear(invitation: Invitation): Promise<void> {
    await this.#store.delete(addressKey(invitation));
    await this.#store.delete(invitationKey(invitation));
  }

  /** The time until it expires in seconds, at least one. */
  remaining({ expiresAt }: Invitation): number {
    return Math.max(1, Math.floor((expiresAt - this.#now()) / 1000));
  }

  async #change({ organizationId, id }: Invitation, change: Partial<Invitation>): Promise<boolean> {
    for (;;) {
      const before = await this.byId(organizationId, id);
      if (before === undefined) return false;
      const expiresIn = this.remaining(before);
      if (await this.#store.replace(invitationKey(before), before, { ...before, ...change }, { expiresIn }))
        return true;
    }
  }
}

const invitationKey = ({ organizationId, id }: Pick<Invitation, 'organizationId' | 'id'>) =>
  `${INVITATIONS}${organizationId}/${id}`;
const addressKey = ({ email, organizationId }: Invitation) => `${BY_ADDRESS}${email}/${organizationId}`;

import type { PluginStore, Session, UserView } from '@keyhost/spi';
import type { Organization } from './organization.js';
import { matchesFilter, type OrganizationFilter, type Organizations } from './organizations.js';
import { notFound } from './refusals.js';
import { entriesBelow } from './stored-list.js';

export const MEMBERS = 'member/';
/**
 * An index of organizations by user. An entry may be left over; only the entry below `member/` makes a user a member.
 */
const BY_USER = 'of/';

type Membership = { readonly roles: readonly string[] };

export interface Member {
  readonly userId: string;
  /** IDs of roles, some of which may have been deleted. */
  readonly roles: readonly string[];
}

/** The members of organizations, with their roles. */
export class Members {
  readonly #store: PluginStore;
  readonly #users: Session['users'];
  readonly #organizations: Organizations;

  constructor({ store, users }: Session, organizations: Organizations) {
    this.#store = store;
    this.#users = users;
    this.#organizations = organizations;
  }

  /** IDs of the member's roles; undefined if the user is not a member. */
  async rolesOf(organizationId: string, userId: string): Promise<readonly string[] | undefined> {
    return ((await this.#store.get(memberKey(organizationId, userId))) as Membership | undefined)?.roles;
  }

  /**
   * Makes the user a member and grants these roles.
   * @returns true if the user was not a member before
   * @throws HostError 404 if the user or the organization no longer exists
   */
  async add(organizationId: string, userId: string, roles: readonly string[] = []): Promise<boolean> {
    await this.#index(organizationId, userId);
    let isNew = false;
    for (;;) {
      const before = (await this.#store.get(memberKey(organizationId, userId))) as Membership | undefined;
      isNew = before === undefined;
      const after = { roles: [...new Set([...(before?.roles ?? []), ...roles])] };
      if (before !== undefined && after.roles.length === before.roles.length) break;
      if (await this.#store.replace(memberKey(organizationId, userId), before, after)) break;
    }
    // A concurrent removal may have deleted the index entry.
    await this.#index(organizationId, userId);
    const [user, organization] = await Promise.all([
      this.#users.byId(userId),
      this.#organizations.byId(organizationId),
    ]);
    if (user !== undefined && organization !== undefined) return isNew;
    await this.remove(organizationId, userId);
    throw notFound(user === undefined ? 'User' : 'Organization');
  }

  /**
   * @returns true if the member had a different number of roles before
   * @throws HostError 404 for a user who is not a member
   */
  async changeRoles(
    organizationId: string,
    userId: string,
    change: (roles: readonly string[]) => readonly string[],
  ): Promise<boolean> {
    for (;;) {
      const before = (await this.#store.get(memberKey(organizationId, userId))) as Membership | undefined;
      if (before === undefined) throw notFound('Member');
      const roles = change(before.roles);
      if (roles.length === before.roles.length) return false;
      if (await this.#store.replace(memberKey(organizationId, userId), before, { roles })) return true;
    }
  }

  async remove(organizationId: string, userId: string): Promise<void> {
    await this.#store.delete(memberKey(organizationId, userId));
    await this.#store.delete(BY_USER + userKey(organizationId, userId));
    // A concurrent call may have added the user again: restore its index entry.
    if ((await this.rolesOf(organizationId, userId)) !== undefined) await this.#index(organizationId, userId);
  }

  /** Ordered by user ID. */
  async *of(organizationId: string): AsyncGenerator<Member> {
    for await (const { key, value } of entriesBelow(this.#store, `${MEMBERS}${organizationId}/`)) {
      yield { userId: key.slice(key.lastIndexOf('/') + 1), roles: (value as Membership).roles };
    }
  }

  /** The members with their user data. */
  async *usersOf(organizationId: string): AsyncGenerator<Member & { readonly user: UserView }> {
    for await (const member of this.of(organizationId)) {
      const user = await this.#users.byId(member.userId);
      if (user !== undefined) yield { ...member, user };
    }
  }

  /** The organizations of a user. */
  async *organizationsOf(userId: string, filter: OrganizationFilter = {}): AsyncGenerator<Organization> {
    for await (const { organization } of this.membershipsOf(userId)) {
      if (matchesFilter(organization, filter)) yield organization;
    }
  }

  /** The organizations of a user, with the IDs of the user's roles in each. */
  async *membershipsOf(userId: string): AsyncGenerator<{
    readonly organization: Organization;
    readonly roles: readonly string[];
  }> {
    for await (const { key } of entriesBelow(this.#store, `${BY_USER}${userId}/`)) {
      const id = key.slice(key.lastIndexOf('/') + 1);
      const roles = await this.rolesOf(id, userId);
      const organization = roles && (await this.#organizations.byId(id));
      if (roles && organization) yield { organization, roles };
    }
  }

  /** Removes a user from all organizations. */
  async removeEverywhere(userId: string): Promise<void> {
    for await (const { key } of entriesBelow(this.#store, `${BY_USER}${userId}/`)) {
      await this.remove(key.slice(key.lastIndexOf('/') + 1), userId);
    }
  }

  async #index(organizationId: string, userId: string): Promise<void> {
    await this.#store.put(BY_USER + userKey(organizationId, userId), true);
  }
}

const memberKey = (organizationId: string, userId: string) => `${MEMBERS}${organizationId}/${userId}`;
const userKey = (organizationId: string, userId: string) => `${userId}/${organizationId}`;

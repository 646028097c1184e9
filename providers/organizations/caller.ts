import { OAuthError, type Session } from '@keyhost/spi';
import type { Actor } from './admin-events.js';
import { Members } from './members.js';
import { type Organization, type OrganizationRole, rolesOf } from './organization.js';
import { Organizations } from './organizations.js';
import { forbidden, notFound } from './refusals.js';
import { CONTAINED_IN, isRight, type RealmRights, type Right, realmRights } from './rights.js';

/** The sender of a request, with the sender's rights. */
export interface Caller extends Actor {
  readonly clientId: string;
  readonly realm: RealmRights;
}

/**
 * Authenticates the caller.
 * @param scope the scope that the access token must have; undefined to accept any token of the realm
 */
export async function callerOf(session: Session, scope: string | undefined): Promise<Caller> {
  const { userId, clientId, clientRoles, scopes } = await session.authenticate();
  if (scope !== undefined && !scopes.includes(scope)) {
    throw new OAuthError('insufficient_scope', `The scope ${scope} is required`, { status: 403 });
  }
  if (userId === undefined) throw forbidden('A user is required');
  return { userId, clientId, realm: realmRights(clientRoles) };
}

/** The rights of a caller in one organization. */
export class CallerRights {
  readonly caller: Caller;
  readonly organization: Organization;
  readonly isMember: boolean;
  readonly #roles: ReadonlySet<string>;

  constructor(caller: Caller, organization: Organization, roles: readonly string[] | undefined) {
    this.caller = caller;
    this.organization = organization;
    this.isMember = roles !== undefined;
    this.#roles = new Set(rolesOf(organization, roles ?? []).map(({ name }) => name));
  }

  get canView(): boolean {
    return this.caller.realm.views || this.isMember;
  }

  hasRight(right: Right): boolean {
    const { views, manages } = this.caller.realm;
    if (manages || (views && right.startsWith('view-'))) return true;
    const container = CONTAINED_IN[right];
    return this.#roles.has(right) || (container !== undefined && this.#roles.has(container));
  }

  /** @throws HostError 403 */
  requireRight(right: Right): void {
    if (!this.hasRight(right)) throw forbidden(`The role ${right} of the organization is required`);
  }

  /**
   * Callers can only grant or remove rights that they have themselves. Roles that are not rights require the right to
   * manage roles, or the same role.
   * @throws HostError 403
   */
  requireRoles(roles: readonly OrganizationRole[]): void {
    for (const { name } of roles) {
      if (this.caller.realm.manages || this.#roles.has(name)) continue;
      if (isRight(name) || !this.hasRight('manage-roles')) throw forbidden(`You do not have the role ${name} yourself`);
    }
  }
}

/** Access to the stored organizations and members, and to the caller. */
export class RequestContext {
  readonly session: Session;
  readonly organizations: Organizations;
  readonly members: Members;
  readonly #scope: string | undefined;

  constructor(session: Session, scope: string | undefined) {
    this.session = session;
    this.organizations = new Organizations(session);
    this.members = new Members(session, this.organizations);
    this.#scope = scope;
  }

  caller(): Promise<Caller> {
    return callerOf(this.session, this.#scope);
  }

  /**
   * Requires that the caller may see an organization, and has these rights in it.
   * @throws HostError 404 for an unknown organization, 403 without a right
   */
  async authorize(organizationId: string, ...rights: readonly Right[]): Promise<CallerRights> {
    const caller = await this.caller();
    const organization = await this.organizations.byId(organizationId);
    if (organization === undefined) throw notFound('Organization');
    const roles = await this.members.rolesOf(organizationId, caller.userId);
    const callerRights = new CallerRights(caller, organization, roles);
    if (!callerRights.canView) throw forbidden('You are not a member of the organization');
    for (const right of rights) callerRights.requireRight(right);
    return callerRights;
  }
}

import type { BrokeredIdentity } from '@keyhost/spi';
import type { ExistingUser } from '../login/flows/brokered-logins.js';
import type { Clock } from '../model/clock.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import type { FederatedIdentityRepresentation, UserRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { Users } from '../users/users.js';
import { accountName } from './brokered-identity.js';
import { applyMappers } from './mappers.js';
import { BROKER_CLIENT, READ_TOKEN_ROLE, storedTokenOf } from './stored-token.js';
import { updatedUsername } from './username-mapper.js';

/** Why an account cannot be linked: another user has it, or the user has another account at the provider. */
export type LinkRefusal = 'taken' | 'has_another';

/** Links between users and accounts at identity providers. */
export class FederatedIdentities {
  readonly #parts: { users: Users; clock: Clock };

  constructor(parts: { users: Users; clock: Clock }) {
    this.#parts = parts;
  }

  userOf(realm: Realm, { identityProvider, id }: BrokeredIdentity): Promise<User | undefined> {
    return this.#parts.users.byFederatedIdentity(realm, identityProvider, id);
  }

  /** The user with the account's email or username. It is not proven that the account's owner is that user. */
  async findExistingUser(realm: Realm, identity: BrokeredIdentity): Promise<User | undefined> {
    return (await this.matchExistingUser(realm, identity))?.user;
  }

  /** Like `findExistingUser`, with the attribute of the account that matched. */
  async matchExistingUser(realm: Realm, { email, username }: BrokeredIdentity): Promise<ExistingUser | undefined> {
    const allowsSharedEmails = realm.settings.duplicateEmailsAllowed;
    const byEmail =
      email === undefined || allowsSharedEmails ? undefined : await this.#parts.users.byEmail(realm, email);
    if (byEmail !== undefined) return { user: byEmail, attribute: 'email', value: email ?? '' };
    const user = await this.#parts.users.byUsername(realm, username);
    return user && { user, attribute: 'username', value: username };
  }

  /**
   * Grants the user the role for reading the provider's stored tokens (`addReadTokenRoleOnCreate`), if the realm has
   * this role.
   */
  async grantReadTokenRole(realm: Realm, user: User): Promise<void> {
    if (realm.roles.clients.get(BROKER_CLIENT)?.has(READ_TOKEN_ROLE) !== true) return;
    await this.#parts.users.change(realm, user.id, (draft) => {
      const roleNames = draft.clientRoles?.[BROKER_CLIENT] ?? [];
      if (!roleNames.includes(READ_TOKEN_ROLE))
        draft.clientRoles = { ...draft.clientRoles, [BROKER_CLIENT]: [...roleNames, READ_TOKEN_ROLE] };
    });
  }

  /**
   * Links the account to the user permanently.
   * @param overrides whether to replace another account at the provider
   */
  async link(realm: Realm, user: User, identity: BrokeredIdentity, overrides = false): Promise<User | LinkRefusal> {
    let refusal: LinkRefusal | undefined;
    const updatedUser = await this.#parts.users.change(realm, user.id, (draft) => {
      if (overrides) removeLink(draft, identity);
      refusal = addLink(draft, identity);
    });
    if (refusal !== undefined) return refusal;
    return updatedUser === undefined || 'exists' in updatedUser ? 'taken' : updatedUser;
  }

  /**
   * Updates an existing user with the provider's current claims and tokens, as the sync modes require. Email and
   * username are left unchanged if another user has the new value.
   */
  async refresh(realm: Realm, provider: IdentityProvider, user: User, identity: BrokeredIdentity): Promise<void> {
    const newUsername = updatedUsername(realm, provider, identity);
    const update = (draft: UserRepresentation, excluded: { email?: true; username?: true }) => {
      for (const link of draft.federatedIdentities ?? []) {
        if (link.identityProvider !== provider.alias) continue;
        if (provider.syncMode === 'FORCE') link.userName = accountName(identity);
        Object.assign(link, storedTokenOf(identity));
      }
      const { email, emailVerified } = draft;
      if (provider.syncMode === 'FORCE') copyProfile(draft, identity);
      applyMappers(realm, provider, identity.claims, draft, 'update');
      if (newUsername !== undefined && !excluded.username) draft.username = newUsername;
      if (excluded.email) restoreEmail(draft, { email, emailVerified });
      if (draft.email !== email) draft.linksNotBefore = this.#parts.clock.now();
    };
    const draft = structuredClone(user.representation);
    update(draft, {});
    if (JSON.stringify(draft) === JSON.stringify(user.representation)) return;
    for (const excluded of [{}, { email: true }, { username: true }, { email: true, username: true }] as const) {
      const updatedUser = await this.#parts.users.change(realm, user.id, (fresh) => update(fresh, excluded));
      if (updatedUser === undefined || !('exists' in updatedUser)) return;
    }
  }
}

/** The user's link to an account at the provider. */
export function findLink(
  { federatedIdentities = [] }: UserRepresentation,
  identityProvider: string,
): FederatedIdentityRepresentation | undefined {
  return federatedIdentities.find((link) => link.identityProvider === identityProvider);
}

function removeLink(draft: UserRepresentation, { identityProvider }: BrokeredIdentity): void {
  draft.federatedIdentities = (draft.federatedIdentities ?? []).filter(
    (link) => link.identityProvider !== identityProvider,
  );
}

/** Adds the link to a user's representation, unless the user has another account there. */
export function addLink(draft: UserRepresentation, identity: BrokeredIdentity): LinkRefusal | undefined {
  const { identityProvider, id: userId } = identity;
  const links = draft.federatedIdentities ?? [];
  const existingLink = links.find((link) => link.identityProvider === identityProvider);
  if (existingLink !== undefined) return existingLink.userId === userId ? undefined : 'has_another';
  draft.federatedIdentities = [
    ...links,
    { identityProvider, userId, userName: accountName(identity), ...storedTokenOf(identity) },
  ];
  return undefined;
}

function copyProfile(draft: UserRepresentation, identity: BrokeredIdentity): void {
  const { email, emailVerified, firstName, lastName } = identity;
  if (firstName !== undefined) draft.firstName = firstName;
  if (lastName !== undefined) draft.lastName = lastName;
  if (email === undefined || email.toLowerCase() === draft.email?.toLowerCase()) return;
  draft.email = email;
  draft.emailVerified = emailVerified;
}

function restoreEmail(
  draft: UserRepresentation,
  { email, emailVerified }: { email: string | undefined; emailVerified: boolean | undefined },
): void {
  if (email === undefined) delete draft.email;
  else draft.email = email;
  draft.emailVerified = emailVerified ?? false;
}

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
import { BROKER, READ_TOKEN, storedTokenOf } from './stored-token.js';
import { updatedUsername } from './username-mapper.js';

/** Why an account cannot be linked: another user has it, or the user has another account at the provider. */
export type LinkRefusal = 'taken' | 'has_another';

/** Links between users and accounts at identity providers. */
export class FederatedIdentities {
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(parts: { users: Users; clock: Clock }) {
    this.#users = parts.users;
    this.#clock = parts.clock;
  }

  userOf(realm: Realm, { identityProvider, id }: BrokeredIdentity): Promise<User | undefined> {
    return this.#users.byFederatedIdentity(realm, identityProvider, id);
  }

  /** The user with the account's email or username. The owner of the account has not proven to be that user. */
  async existingUser(realm: Realm, identity: BrokeredIdentity): Promise<User | undefined> {
    return (await this.existing(realm, identity))?.user;
  }

  /** The same user, and the attribute of the account that matched. */
  async existing(realm: Realm, { email, username }: BrokeredIdentity): Promise<ExistingUser | undefined> {
    const severalHaveIt = realm.settings.duplicateEmailsAllowed;
    const byEmail = email === undefined || severalHaveIt ? undefined : await this.#users.byEmail(realm, email);
    if (byEmail !== undefined) return { user: byEmail, attribute: 'email', value: email ?? '' };
    const user = await this.#users.byUsername(realm, username);
    return user && { user, attribute: 'username', value: username };
  }

  /**
   * Grants the user the role for reading the provider's stored tokens (`addReadTokenRoleOnCreate`), if the realm has
   * it.
   */
  async grantReadToken(realm: Realm, user: User): Promise<void> {
    if (realm.roles.clients.get(BROKER)?.has(READ_TOKEN) !== true) return;
    await this.#users.change(realm, user.id, (draft) => {
      const had = draft.clientRoles?.[BROKER] ?? [];
      if (!had.includes(READ_TOKEN)) draft.clientRoles = { ...draft.clientRoles, [BROKER]: [...had, READ_TOKEN] };
    });
  }

  /** Links the account to the user permanently. @param overrides replaces another account at the provider */
  async link(realm: Realm, user: User, identity: BrokeredIdentity, overrides = false): Promise<User | LinkRefusal> {
    let refusal: LinkRefusal | undefined;
    const changed = await this.#users.change(realm, user.id, (draft) => {
      if (overrides) removeLink(draft, identity);
      refusal = addLink(draft, identity);
    });
    if (refusal !== undefined) return refusal;
    return changed === undefined || 'exists' in changed ? 'taken' : changed;
  }

  /**
   * Updates an existing user with the provider's present claims, except values that another user has meanwhile, such as
   * the email or the username.
   */
  async refresh(realm: Realm, provider: IdentityProvider, user: User, identity: BrokeredIdentity): Promise<void> {
    const renamed = updatedUsername(realm, provider, identity);
    const update = (draft: UserRepresentation, without: { email?: true; username?: true }) => {
      for (const link of draft.federatedIdentities ?? []) {
        if (link.identityProvider !== provider.alias) continue;
        if (provider.syncMode === 'FORCE') link.userName = accountName(identity);
        Object.assign(link, storedTokenOf(identity));
      }
      const { email, emailVerified } = draft;
      if (provider.syncMode === 'FORCE') takeProfile(draft, identity);
      applyMappers(realm, provider, identity.claims, draft, 'update');
      if (renamed !== undefined && !without.username) draft.username = renamed;
      if (without.email) keepAddress(draft, { email, emailVerified });
      if (draft.email !== email) draft.linksNotBefore = this.#clock.now();
    };
    const draft = structuredClone(user.representation);
    update(draft, {});
    if (JSON.stringify(draft) === JSON.stringify(user.representation)) return;
    for (const without of [{}, { email: true }, { username: true }, { email: true, username: true }] as const) {
      const changed = await this.#users.change(realm, user.id, (fresh) => update(fresh, without));
      if (changed === undefined || !('exists' in changed)) return;
    }
  }
}

/** The user's account at the provider. */
export function linkAt(
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

/** Adds the link to a user's representation. */
export function addLink(draft: UserRepresentation, identity: BrokeredIdentity): LinkRefusal | undefined {
  const { identityProvider, id: userId } = identity;
  const links = draft.federatedIdentities ?? [];
  const before = links.find((link) => link.identityProvider === identityProvider);
  if (before !== undefined) return before.userId === userId ? undefined : 'has_another';
  draft.federatedIdentities = [
    ...links,
    { identityProvider, userId, userName: accountName(identity), ...storedTokenOf(identity) },
  ];
  return undefined;
}

function takeProfile(draft: UserRepresentation, identity: BrokeredIdentity): void {
  const { email, emailVerified, firstName, lastName } = identity;
  if (firstName !== undefined) draft.firstName = firstName;
  if (lastName !== undefined) draft.lastName = lastName;
  if (email === undefined || email.toLowerCase() === draft.email?.toLowerCase()) return;
  draft.email = email;
  draft.emailVerified = emailVerified;
}

function keepAddress(
  draft: UserRepresentation,
  { email, emailVerified }: { email: string | undefined; emailVerified: boolean | undefined },
): void {
  if (email === undefined) delete draft.email;
  else draft.email = email;
  draft.emailVerified = emailVerified ?? false;
}

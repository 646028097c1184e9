import { HostError } from '@keyhost/spi';
import { enabledIdentityProvider, namedIdentityProviders } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { FederatedIdentityRepresentation, UserRepresentation } from '../../model/representation.js';
import { type Account, type AccountParts, emitWithChangeOfAccount } from '../account.js';

/** A provider of the realm, and who the user is there. */
export interface LinkedAccount {
  readonly alias: string;
  readonly name: string;
  /** Keycloak's kind, such as `oidc` or `google`. */
  readonly providerId: string;
  /** True where accounts there can be linked. */
  readonly isOpen: boolean;
  readonly identity: FederatedIdentityRepresentation | undefined;
}

/** Keycloak's message. */
export const LAST_WAY_IN = 'federatedIdentityRemovingLastProvider';

/** The user's only way in stays. */
export class LastWayIn extends HostError {
  override readonly name = 'LastWayIn';
  /** Keycloak's answer. */
  readonly body = { errorMessage: LAST_WAY_IN };

  constructor() {
    super('last_way_in', LAST_WAY_IN, { status: 400, expose: true });
  }
}

const WAYS_IN = ['password', 'webauthn-passwordless'];

/** Links of the user to providers that let people in: those of Keycloak's `linkOnly`, and kinds that are not here, do not. */
export function linkedIdentities(realm: Realm, user: UserRepresentation): readonly FederatedIdentityRepresentation[] {
  return identitiesOf(user).filter(
    ({ identityProvider }) => enabledIdentityProvider(realm, identityProvider)?.linkOnly === false,
  );
}

/** Every enabled provider of the realm, in the order of its file. */
export function linkedAccounts({ exchange: { realm }, user }: Pick<Account, 'exchange' | 'user'>): LinkedAccount[] {
  return namedIdentityProviders(realm)
    .filter(({ enabled }) => enabled)
    .map(({ alias, displayName, providerId }) => ({
      alias,
      name: displayName,
      providerId,
      isOpen: enabledIdentityProvider(realm, alias) !== undefined,
      identity: user.federatedIdentities.find(({ identityProvider }) => identityProvider === alias),
    }));
}

/** True where the user could still get in without the link. */
export function isUnlinkable(realm: Realm, user: UserRepresentation, alias: string): boolean {
  if ((user.credentials ?? []).some(({ type }) => WAYS_IN.includes(type))) return true;
  return linkedIdentities(realm, user).some(({ identityProvider }) => identityProvider !== alias);
}

/**
 * Whoever calls this has seen to it that the login is recent.
 * @returns false where there is no such link
 * @throws LastWayIn
 */
export async function unlink(parts: AccountParts, account: Account, alias: string): Promise<boolean> {
  const { realm } = account.exchange;
  let removed: FederatedIdentityRepresentation | undefined;
  const details = () => removed && { identity_provider: alias, identity_provider_identity: nameOf(removed) };
  const change = (draft: UserRepresentation) => {
    const identities = identitiesOf(draft);
    removed = identities.find(({ identityProvider }) => identityProvider === alias);
    if (removed === undefined) return;
    if (!isUnlinkable(realm, draft, alias)) throw new LastWayIn();
    draft.federatedIdentities = identities.filter((one) => one !== removed);
  };
  await emitWithChangeOfAccount(parts, account, 'REMOVE_FEDERATED_IDENTITY', details, () =>
    parts.users.change(realm, account.user.id, change),
  );
  return removed !== undefined;
}

/** What the user is called there. */
export function nameOf({ userName, userId }: FederatedIdentityRepresentation): string {
  return userName || userId;
}

function identitiesOf({ federatedIdentities = [] }: UserRepresentation): readonly FederatedIdentityRepresentation[] {
  return federatedIdentities;
}

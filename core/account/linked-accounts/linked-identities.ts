import { HostError } from '@keyhost/spi';
import { enabledIdentityProvider, namedIdentityProviders } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { FederatedIdentityRepresentation, UserRepresentation } from '../../model/representation.js';
import { type AccountContext, type AccountParts, emitAccountEventWithChange } from '../account.js';

/** An identity provider of the realm, and the user's account there. */
export interface LinkedAccount {
  readonly alias: string;
  readonly name: string;
  /** Keycloak's provider type, such as `oidc` or `google`. */
  readonly providerId: string;
  /** True if a user can link an account there; false for an unsupported type. */
  readonly canBeLinked: boolean;
  readonly identity: FederatedIdentityRepresentation | undefined;
}

/** Keycloak's message key for the refusal. */
export const LAST_SIGN_IN_METHOD_KEY = 'federatedIdentityRemovingLastProvider';

/** Thrown if a change would remove the user's last way to sign in. */
export class LastSignInMethodError extends HostError {
  override readonly name = 'LastWayIn';
  /** Keycloak's response body. */
  readonly body = { errorMessage: LAST_SIGN_IN_METHOD_KEY };

  constructor() {
    super('last_way_in', LAST_SIGN_IN_METHOD_KEY, { status: 400, expose: true });
  }
}

const SIGN_IN_CREDENTIALS = ['password', 'webauthn-passwordless'];

/**
 * The user's links to identity providers that allow signing in. Links to `linkOnly` providers and unsupported types are
 * excluded.
 */
export function linkedIdentities(realm: Realm, user: UserRepresentation): readonly FederatedIdentityRepresentation[] {
  return identitiesOf(user).filter(
    ({ identityProvider }) => enabledIdentityProvider(realm, identityProvider)?.linkOnly === false,
  );
}

/** The realm's enabled identity providers in the order of its file, with the user's accounts. */
export function linkedAccounts({
  exchange: { realm },
  user,
}: Pick<AccountContext, 'exchange' | 'user'>): LinkedAccount[] {
  return namedIdentityProviders(realm)
    .filter(({ enabled }) => enabled)
    .map(({ alias, displayName, providerId }) => ({
      alias,
      name: displayName,
      providerId,
      canBeLinked: enabledIdentityProvider(realm, alias) !== undefined,
      identity: user.federatedIdentities.find(({ identityProvider }) => identityProvider === alias),
    }));
}

/** True if the user could still sign in without this link. */
export function canUnlink(realm: Realm, user: UserRepresentation, alias: string): boolean {
  if ((user.credentials ?? []).some(({ type }) => SIGN_IN_CREDENTIALS.includes(type))) return true;
  return linkedIdentities(realm, user).some(({ identityProvider }) => identityProvider !== alias);
}

/**
 * Removes a link. The caller must check that the login is recent.
 * @returns false if the link does not exist
 * @throws LastSignInMethodError
 */
export async function unlink(parts: AccountParts, account: AccountContext, alias: string): Promise<boolean> {
  const { realm } = account.exchange;
  let removed: FederatedIdentityRepresentation | undefined;
  const details = () => removed && { identity_provider: alias, identity_provider_identity: identityName(removed) };
  const change = (draft: UserRepresentation) => {
    const identities = identitiesOf(draft);
    removed = identities.find(({ identityProvider }) => identityProvider === alias);
    if (removed === undefined) return;
    if (!canUnlink(realm, draft, alias)) throw new LastSignInMethodError();
    draft.federatedIdentities = identities.filter((identity) => identity !== removed);
  };
  await emitAccountEventWithChange(parts, account, 'REMOVE_FEDERATED_IDENTITY', details, () =>
    parts.users.change(realm, account.user.id, change),
  );
  return removed !== undefined;
}

/** The name of the account at the provider. */
export function identityName({ userName, userId }: FederatedIdentityRepresentation): string {
  return userName || userId;
}

function identitiesOf({ federatedIdentities = [] }: UserRepresentation): readonly FederatedIdentityRepresentation[] {
  return federatedIdentities;
}

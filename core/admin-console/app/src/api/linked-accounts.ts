import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

/** An account at an identity provider that is linked to a user: Keycloak's FederatedIdentityRepresentation. */
export interface LinkedAccount {
  /** The alias of the provider. */
  readonly identityProvider: string;
  /** The account's ID at the provider. */
  readonly userId: string;
  readonly userName: string;
}

const pathOf = (realm: string, userId: string) => `${userPath(realm, userId)}/federated-identity`;

export function linkedAccountsOf(realm: string, userId: string) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'linked accounts'],
    queryFn: ({ signal }) => request<readonly LinkedAccount[]>(pathOf(realm, userId), { roles: USER_READERS, signal }),
  });
}

export function unlinkAccount(realm: string, userId: string, provider: string): Promise<void> {
  return request(`${pathOf(realm, userId)}/${encodeSegment(provider)}`, { method: 'DELETE', roles: USER_WRITERS });
}

import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

/** The access that a user grants to a client, in Keycloak's form. Times in milliseconds since the epoch. */
export interface Consent {
  readonly clientId: string;
  readonly grantedClientScopes: readonly string[];
  /** Null if the client has offline tokens without a consent. */
  readonly createdDate: number | null;
  readonly lastUpdatedDate: number | null;
  /** Not empty if the client has offline tokens. */
  readonly additionalGrants: readonly { readonly key: string }[];
}

export function consentsOf(realm: string, userId: string) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'consents'],
    queryFn: ({ signal }) =>
      request<readonly Consent[]>(`${userPath(realm, userId)}/consents`, { roles: USER_READERS, signal }),
  });
}

/** Also ends the user's sessions and offline tokens of the client. */
export function revokeConsent(realm: string, userId: string, clientId: string): Promise<void> {
  return request(`${userPath(realm, userId)}/consents/${encodeSegment(clientId)}`, {
    method: 'DELETE',
    roles: USER_WRITERS,
  });
}

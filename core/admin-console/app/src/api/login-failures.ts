import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey } from './users.ts';

/** The failed logins of a user, in Keycloak's form. */
export interface LoginFailures {
  readonly numFailures: number;
  readonly numTemporaryLockouts: number;
  /** True while the user is locked. */
  readonly disabled: boolean;
  /** `n/a` if there is none. */
  readonly lastIPFailure: string;
  /** Milliseconds since the epoch; 0 if there is none. */
  readonly lastFailure: number;
  /** The end of a temporary lock, in seconds since the epoch; 0 if there is none. */
  readonly failedLoginNotBefore: number;
}

const pathOf = (realm: string, userId: string) =>
  `/realms/${encodeSegment(realm)}/attack-detection/brute-force/users/${encodeSegment(userId)}`;

export function loginFailuresOf(realm: string, userId: string) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'login failures'],
    queryFn: ({ signal }) => request<LoginFailures>(pathOf(realm, userId), { roles: USER_READERS, signal }),
  });
}

/** Clears the failed logins, which ends a lock. */
export function clearLoginFailures(realm: string, userId: string): Promise<void> {
  return request(pathOf(realm, userId), { method: 'DELETE', roles: USER_WRITERS });
}

import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

export interface Credential {
  readonly id: string;
  readonly type: string;
  readonly userLabel?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
}

export function credentialsOf(realm: string, userId: string) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'credentials'],
    queryFn: ({ signal }) =>
      request<readonly Credential[]>(`${userPath(realm, userId)}/credentials`, { roles: USER_READERS, signal }),
  });
}

export function removeCredential(realm: string, userId: string, id: string): Promise<void> {
  return request(`${userPath(realm, userId)}/credentials/${encodeSegment(id)}`, {
    method: 'DELETE',
    roles: USER_WRITERS,
  });
}

/**
 * Sets a password, and ends the user's sessions and links.
 * @param temporary true if the user must choose another password at the next login
 */
export function setPassword(
  realm: string,
  userId: string,
  { value, temporary }: { value: string; temporary: boolean },
): Promise<void> {
  const body = { type: 'password', value, temporary };
  return request(`${userPath(realm, userId)}/reset-password`, { method: 'PUT', body, roles: USER_WRITERS });
}

/**
 * Sends the user an email with a link to required actions.
 * @param mail.lifespan how long the link is valid, in seconds
 */
export function sendActionsMail(
  realm: string,
  userId: string,
  { actions, lifespan }: { actions: readonly string[]; lifespan: number },
): Promise<void> {
  return request(`${userPath(realm, userId)}/execute-actions-email`, {
    method: 'PUT',
    query: { lifespan },
    body: actions,
    roles: USER_WRITERS,
  });
}

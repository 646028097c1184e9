import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

/** A valid action token. Times in milliseconds since the epoch. */
export interface UserLink {
  readonly id: string;
  readonly type: string;
  readonly clientId?: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const pathOf = (realm: string, userId: string) => `${userPath(realm, userId)}/action-tokens`;

/** The valid links, newest first. */
export function linksOf(realm: string, userId: string, { first, max }: { first: number; max: number }) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'links', first, max],
    queryFn: ({ signal }) =>
      request<readonly UserLink[]>(pathOf(realm, userId), { query: { first, max }, roles: USER_READERS, signal }),
    placeholderData: keepPreviousData,
  });
}

export function revokeLink(realm: string, userId: string, id: string): Promise<void> {
  return request(`${pathOf(realm, userId)}/${encodeSegment(id)}`, { method: 'DELETE', roles: USER_WRITERS });
}

/** Revokes every link of the user, including those without a record. */
export function revokeLinks(realm: string, userId: string): Promise<void> {
  return request(pathOf(realm, userId), { method: 'DELETE', roles: USER_WRITERS });
}

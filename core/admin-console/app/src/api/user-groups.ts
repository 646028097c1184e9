import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListedGroup } from './groups.ts';
import { request } from './request.ts';
import { USER_READERS, userKey, userPath } from './users.ts';

/** The groups with the user as a member, a page at a time. @param search a part of the name */
export function groupsOfUser(
  realm: string,
  userId: string,
  { search, first, max }: { search: string; first: number; max: number },
) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'groups', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedGroup[]>(`${userPath(realm, userId)}/groups`, {
        query: { search, first, max, briefRepresentation: true },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

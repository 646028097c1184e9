import { queryOptions, useQuery } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { session } from '../session/session.ts';
import { request } from './request.ts';

/** The signed-in user, from `GET /admin/{realm}/console/whoami`. */
export interface Who {
  readonly userId: string;
  readonly realm: string;
  readonly displayName: string;
  /** True if the user may create realms. */
  readonly createRealm: boolean;
  /** Roles of `realm-management`, by realm; also `admin` if the user has it in master. */
  readonly realm_access: Readonly<Record<string, readonly string[]>>;
}

export function who() {
  const { realm } = session;
  return queryOptions({
    queryKey: ['who', realm],
    queryFn: ({ signal }) =>
      request<Who>(`/${encodeSegment(realm)}/console/whoami`, { roles: ['realm-admin', 'view-realm'], signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** True if the user has `admin` in master. */
export function isHostAdmin({ realm, realm_access }: Who): boolean {
  return realm === 'master' && (realm_access.master ?? []).includes('admin');
}

/** True if the user has `admin` in master; false while it is unknown. */
export function useIsHostAdmin(): boolean {
  const { data } = useQuery(who());
  return data !== undefined && isHostAdmin(data);
}

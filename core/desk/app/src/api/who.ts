import { queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import { session } from '../session/session.ts';
import { request } from './request.ts';

/** Who is signed in, as `GET /admin/{realm}/console/whoami` says. */
export interface Who {
  readonly userId: string;
  readonly realm: string;
  readonly displayName: string;
  /** True for who may create realms. */
  readonly createRealm: boolean;
  /** Roles of `realm-management`, by realm; `admin` for who holds it in master. */
  readonly realm_access: Readonly<Record<string, readonly string[]>>;
}

export function who() {
  const { realm } = session;
  return queryOptions({
    queryKey: ['who', realm],
    queryFn: ({ signal }) =>
      request<Who>(`/${segment(realm)}/console/whoami`, { roles: ['realm-admin', 'view-realm'], signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** True for who holds `admin` in master. */
export function isHostAdmin({ realm, realm_access }: Who): boolean {
  return realm === 'master' && (realm_access.master ?? []).includes('admin');
}

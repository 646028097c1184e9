import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

/** A method of client authentication. */
export interface ClientAuthenticator {
  readonly id: string;
  readonly displayName: string;
}

/** All that flows can name, including Keycloak's that the host does not have. */
export function clientAuthenticators(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'client authenticators'],
    queryFn: ({ signal }) => {
      const path = `/realms/${encodeSegment(realm)}/authentication/client-authenticator-providers`;
      const roles = ['view-realm', 'view-clients'];
      return request<readonly ClientAuthenticator[]>(path, { roles, signal });
    },
  });
}

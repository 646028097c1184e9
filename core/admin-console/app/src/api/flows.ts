import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

interface Flow {
  readonly id: string;
  readonly alias: string;
  readonly providerId: string;
}

/** Names of the authentication flows that users can run. */
export function flowNames(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'flow names'],
    queryFn: async ({ signal }) => {
      const path = `/realms/${encodeSegment(realm)}/authentication/flows`;
      const flows = await request<readonly Flow[]>(path, { roles: ['view-realm', 'view-clients'], signal });
      return flows.filter(({ providerId }) => providerId === 'basic-flow').map(({ alias }) => alias);
    },
    retry: false,
  });
}

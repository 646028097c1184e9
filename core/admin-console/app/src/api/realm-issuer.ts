import { queryOptions } from '@tanstack/react-query';
import { encodeSegment, LOGIN_URL } from '../address.ts';

/** The issuer of a realm. If the realm has a frontend URL, it differs from the admin console's address. */
export function realmIssuer(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'issuer'],
    queryFn: async ({ signal }) => {
      const address = new URL(`realms/${encodeSegment(realm)}`, LOGIN_URL).href;
      const response = await fetch(`${address}/.well-known/openid-configuration`, { credentials: 'omit', signal });
      const { issuer } = response.ok ? ((await response.json()) as { issuer?: unknown }) : { issuer: address };
      return typeof issuer === 'string' ? issuer : address;
    },
    staleTime: 60_000,
  });
}

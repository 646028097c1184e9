import { queryOptions } from '@tanstack/react-query';
import { encodeSegment, HOST_URL } from '../address.ts';
import { ApiFailure } from './failure.ts';

/** The address of Keycloak's own admin console for a realm. It can show another realm at `#/{realm}`. */
export function keycloakConsoleUrl(realm: string): URL {
  return new URL(`admin/${encodeSegment(realm)}/console/`, HOST_URL);
}

/** The command that installs it, run in the folder of plugins.json. */
export const INSTALL_CONSOLE = document.querySelector<HTMLMetaElement>('meta[name="install-console"]')?.content ?? '';

/** True if the console is installed. Otherwise its address redirects to this one. */
export function hasKeycloakConsole(realm: string) {
  return queryOptions({
    queryKey: ['keycloak console', realm],
    queryFn: async ({ signal }) => {
      try {
        const { ok } = await fetch(keycloakConsoleUrl(realm), {
          method: 'HEAD',
          redirect: 'manual',
          credentials: 'omit',
          signal,
        });
        return ok;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') throw error;
        throw new ApiFailure('away');
      }
    },
  });
}

import { queryOptions } from '@tanstack/react-query';
import { HOST, segment } from '../address.ts';
import { ApiFailure } from './failure.ts';

/** Where Keycloak's own console of a realm is, which shows another realm at `#/{realm}`. */
export function consoleOf(realm: string): URL {
  return new URL(`admin/${segment(realm)}/console/`, HOST);
}

/** The command that installs it, run in the folder of plugins.json. */
export const INSTALL_CONSOLE = document.querySelector<HTMLMetaElement>('meta[name="install-console"]')?.content ?? '';

/** Whether it is installed: its place leads to the desk where it is not. */
export function hasConsole(realm: string) {
  return queryOptions({
    queryKey: ['keycloak console', realm],
    queryFn: async ({ signal }) => {
      try {
        const { ok } = await fetch(consoleOf(realm), {
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

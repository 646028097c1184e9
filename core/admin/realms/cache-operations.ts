import type { AdminOperation } from '../operation.js';

/** Keycloak's buttons for its caches. Here a change is seen at once by every request, so there is nothing to empty. */
export function cacheOperations(): AdminOperation[] {
  return ['realm', 'user', 'keys'].map((name) => ({
    method: 'POST',
    path: `/clear-${name}-cache`,
    tag: 'Realms Admin',
    summary: `Empty the cache of ${name === 'keys' ? 'the keys of identity providers' : `${name}s`}: there is none`,
    roles: ['manage-realm'],
    answers: { status: 204 },
    handle: () => undefined,
  }));
}

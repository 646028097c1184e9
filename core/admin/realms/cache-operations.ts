import type { FetchedKeyGenerations } from '../../keys/fetched-keys.js';
import type { ChangeStore } from '../../store/store.js';
import type { AdminOperation } from '../operation.js';

export interface CacheOperationParts {
  readonly fetchedKeys: FetchedKeyGenerations;
  readonly store: { readonly changes: Pick<ChangeStore, 'tell'> };
}

/**
 * The operations behind the cache buttons of Keycloak's admin console. Changes of realms and users take effect
 * immediately, so only the cache of fetched keys can be cleared.
 */
export function cacheOperations({ fetchedKeys, store }: CacheOperationParts): AdminOperation[] {
  const clearOperation = (name: string, summary: string, handle: AdminOperation['handle']): AdminOperation => ({
    method: 'POST',
    path: `/clear-${name}-cache`,
    tag: 'Realms Admin',
    summary,
    roles: ['manage-realm'],
    answers: { status: 204 },
    handle,
  });
  return [
    ...['realm', 'user'].map((name) =>
      clearOperation(name, `Empty the cache of ${name}s: there is none`, () => undefined),
    ),
    clearOperation(
      'keys',
      'Fetch the keys of identity providers and clients again, at all nodes',
      async ({ realm }) => {
        await fetchedKeys.forget(realm.name, store.changes);
        return undefined;
      },
    ),
  ];
}

import type { FetchedKeyGenerations } from '../../keys/fetched-keys.js';
import type { ChangeStore } from '../../store/store.js';
import type { AdminOperation } from '../operation.js';

export interface CacheOperationParts {
  readonly fetchedKeys: FetchedKeyGenerations;
  readonly store: { readonly changes: Pick<ChangeStore, 'tell'> };
}

/**
 * The cache buttons of Keycloak's admin console. Changes of realms and users are visible at once, so only the cache of
 * fetched keys has anything to clear.
 */
export function cacheOperations({ fetchedKeys, store }: CacheOperationParts): AdminOperation[] {
  const clear = (name: string, summary: string, handle: AdminOperation['handle']): AdminOperation => ({
    method: 'POST',
    path: `/clear-${name}-cache`,
    tag: 'Realms Admin',
    summary,
    roles: ['manage-realm'],
    answers: { status: 204 },
    handle,
  });
  return [
    ...['realm', 'user'].map((name) => clear(name, `Empty the cache of ${name}s: there is none`, () => undefined)),
    clear('keys', 'Fetch the keys of identity providers and clients again, at all nodes', async ({ realm }) => {
      await fetchedKeys.forget(realm.name, store.changes);
      return undefined;
    }),
  ];
}

import type { Realm } from '../../model/realm.js';
import { badRequest, notFound } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { USERS_TAG } from './users-tag.js';

const PATH = '/user-storage/{componentId}';
const STORAGE = 'org.keycloak.storage.UserStorageProvider';

/**
 * Keycloak's UserStorageProviderResource. Keyhost stores these components without reading users from them. So it
 * imports and links no users, and there is nothing to synchronise.
 */
export function userStorageOperations(): AdminOperation[] {
  const manage = { method: 'POST', tag: USERS_TAG, roles: ['manage-users'] } as const;
  const none = (path: string, summary: string): AdminOperation => ({
    ...manage,
    path: `${PATH}/${path}`,
    summary,
    answers: { status: 204 },
    handle({ realm, params }) {
      storage(realm, params.componentId);
      return undefined;
    },
  });
  return [
    {
      method: 'GET',
      path: `${PATH}/name`,
      tag: USERS_TAG,
      summary: 'The ID and the name of a user storage',
      roles: ['view-users', 'query-users'],
      answers: { status: 200, body: { type: 'object' } },
      handle: ({ realm, params }) => ok(storage(realm, params.componentId)),
    },
    none('remove-imported-users', 'Remove the users of a user storage: there are none'),
    none('unlink-users', 'Unlink the users of a user storage: there are none'),
    {
      ...manage,
      path: `${PATH}/sync`,
      summary: 'Synchronize a user storage: refused, because Keyhost has no user storage',
      query: { action: { type: 'string', description: 'triggerFullSync or triggerChangedUsersSync.' } },
      answers: { status: 400 },
      handle({ realm, params }) {
        storage(realm, params.componentId);
        throw badRequest('Keyhost has no user storage: it keeps the component for Keycloak');
      },
    },
  ];
}

function storage(
  { representation }: Realm,
  id: string | undefined,
): { id: string | undefined; name: string | undefined } {
  const found = representation.components?.[STORAGE]?.find((component) => component.id === id);
  if (found === undefined) throw notFound('Could not find component');
  return { id: found.id, name: found.name };
}

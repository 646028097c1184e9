import type { Realm } from '../../model/realm.js';
import { badRequest, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { USERS_TAG } from './users-tag.js';

const PATH = '/user-storage/{componentId}';
const STORAGE = 'org.keycloak.storage.UserStorageProvider';

/**
 * Operations on user storages (Keycloak's UserStorageProviderResource). Keyhost stores these components, but reads no
 * users from them. So there are no imported or linked users, and nothing to synchronize.
 */
export function userStorageOperations(): AdminOperation[] {
  const writeOperation = { method: 'POST', tag: USERS_TAG, roles: ['manage-users'] } as const;
  const operationWithoutEffect = (path: string, summary: string): AdminOperation => ({
    ...writeOperation,
    path: `${PATH}/${path}`,
    summary,
    answers: { status: 204 },
    handle({ realm, params }) {
      requireStorage(realm, params.componentId);
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
      handle: ({ realm, params }) => ok(requireStorage(realm, params.componentId)),
    },
    operationWithoutEffect('remove-imported-users', 'Remove the users of a user storage: there are none'),
    operationWithoutEffect('unlink-users', 'Unlink the users of a user storage: there are none'),
    {
      ...writeOperation,
      path: `${PATH}/sync`,
      summary: 'Synchronize a user storage: refused, because Keyhost has no user storage',
      query: { action: { type: 'string', description: 'triggerFullSync or triggerChangedUsersSync.' } },
      answers: { status: 400 },
      handle({ realm, params }) {
        requireStorage(realm, params.componentId);
        throw badRequest('Keyhost has no user storage: it keeps the component for Keycloak');
      },
    },
  ];
}

function requireStorage(
  { representation }: Realm,
  id: string | undefined,
): { id: string | undefined; name: string | undefined } {
  const component = representation.components?.[STORAGE]?.find((component) => component.id === id);
  if (component === undefined) throw notFoundError('Could not find component');
  return { id: component.id, name: component.name };
}

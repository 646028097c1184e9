import type { Realm } from '../../model/realm.js';
import type { ConsentRepresentation, UserRepresentation } from '../../model/representation.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import type { SessionEnder } from '../sessions/session-ender.js';
import { changeUser, requireRightsOfUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

export interface ConsentOperationParts {
  readonly users: Users;
  readonly store: Store;
  readonly sessionEnder: SessionEnder;
}

/** Maximum number of sessions that are searched for offline tokens. */
const MAX_SESSIONS = 1000;

/** Operations on the consents of a user, and the offline tokens of clients. */
export function consentOperations({ users, store, sessionEnder }: ConsentOperationParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/users/{userId}/consents',
      tag: USERS_TAG,
      summary: 'The consents of a user, and the clients that hold offline tokens',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      async handle(call) {
        const { realm } = call;
        const user = await requireUser(users, call);
        const offlineClientUuids = await offlineClients(store, realm, user.id);
        const consents = consentsOf(user.representation);
        const withConsent = new Set(consents.map(({ clientId }) => clientId));
        const withoutConsent = [...offlineClientUuids.keys()].filter((clientId) => !withConsent.has(clientId));
        return ok(
          [...consents, ...withoutConsent.map((clientId): ConsentRepresentation => ({ clientId }))].map((consent) => ({
            clientId: consent.clientId,
            grantedClientScopes: consent.grantedClientScopes ?? [],
            createdDate: consent.createdDate ?? null,
            lastUpdatedDate: consent.lastUpdatedDate ?? null,
            additionalGrants: offlineClientUuids.has(consent.clientId)
              ? [{ client: offlineClientUuids.get(consent.clientId), key: 'Offline Token' }]
              : [],
          })),
        );
      },
    },
    {
      method: 'DELETE',
      path: '/users/{userId}/consents/{clientId}',
      tag: USERS_TAG,
      summary: "Revoke a user's consent for a client, and end the user's sessions and offline tokens of that client",
      roles: ['manage-users'],
      answers: { status: 204 },
      event: { resourceType: 'USER', operation: 'ACTION' },
      async handle(call) {
        const { realm, params } = call;
        const client = realm.clients.get(params.clientId ?? '');
        if (client === undefined) throw notFoundError('Client not found');
        const user = await requireUser(users, call);
        requireRightsOfUser(call.admin, realm, user);
        const isOfClient = ({ clientId }: ConsentRepresentation) => clientId === client.clientId;
        const hasConsent = consentsOf(user.representation).some(isOfClient);
        if (hasConsent) {
          await changeUser(users, call, (draft) => {
            draft.clientConsents = consentsOf(draft).filter((consent) => !isOfClient(consent));
          });
        }
        const hasEnded = await sessionEnder.removeClient(realm, user.id, client);
        if (!hasConsent && !hasEnded) throw notFoundError('Consent nor offline token not found');
        return undefined;
      },
    },
  ];
}

function consentsOf({ clientConsents }: UserRepresentation): readonly ConsentRepresentation[] {
  return Array.isArray(clientConsents) ? clientConsents : [];
}

/** The internal IDs of clients with offline tokens of the user, by client ID. */
async function offlineClients(store: Store, realm: Realm, userId: string): Promise<ReadonlyMap<string, string>> {
  const sessions = await store.sessions.list(realm.name, { userId, offline: true, max: MAX_SESSIONS });
  const records = await Promise.all(sessions.map((session) => store.sessions.clientSessions(session)));
  return new Map(
    records.flat().flatMap(({ clientUuid }): [string, string][] => {
      const client = realm.clientsById.get(clientUuid);
      return client === undefined ? [] : [[client.clientId, client.id]];
    }),
  );
}

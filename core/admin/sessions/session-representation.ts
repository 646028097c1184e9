import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { mapYielding } from '../yielding-loops.js';

/** Converts sessions to Keycloak's UserSessionRepresentation. Times are in milliseconds since the epoch. */
export function sessionRepresentations(
  { store, users }: { readonly store: Store; readonly users: Users },
  realm: Realm,
  sessions: readonly UserSessionRecord[],
) {
  return mapYielding(realm.name, sessions, async (session) => {
    const { id, userId, ipAddress, startedAt, lastRefresh, rememberMe } = session;
    const [clientSessions, user] = await Promise.all([
      store.sessions.clientSessions(session),
      users.byId(realm, userId),
    ]);
    const clients = clientSessions.flatMap(({ clientUuid }): [string, string][] => {
      const client = realm.clientsById.get(clientUuid);
      return client === undefined ? [] : [[client.id, client.clientId]];
    });
    return {
      id,
      username: user?.username,
      userId,
      ipAddress,
      start: startedAt,
      lastAccess: lastRefresh,
      rememberMe,
      clients: Object.fromEntries(clients),
      transientUser: false,
    };
  });
}

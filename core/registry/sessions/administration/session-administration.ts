import type { ManagedSession, SessionAdministration } from '@keyhost/spi';
import type { FindClient, Request } from './administered-realm.js';
import { expectDone, expectJson, expectOptional, idOfClient, pathOf } from './answer.js';

interface SessionRepresentation extends Omit<ManagedSession, 'clients'> {
  /** Client IDs by the internal IDs of the clients. */
  readonly clients: Readonly<Record<string, string>>;
}

export function sessionAdministration(request: Request, findClient: FindClient): SessionAdministration {
  return {
    async ofUser(userId) {
      const sessions = await expectJson<readonly SessionRepresentation[]>(
        request('GET', pathOf('users', userId, 'sessions')),
      );
      return sessions.map(({ id, username, ipAddress, start, lastAccess, clients }) => ({
        id,
        userId,
        username,
        ipAddress,
        start,
        lastAccess,
        clients: Object.values(clients),
      }));
    },
    async count(clientId) {
      const path = pathOf('clients', await idOfClient(findClient, clientId), 'session-count');
      return (await expectJson<{ readonly count: number }>(request('GET', path))).count;
    },
    end: async (sessionId) => (await expectOptional(request('DELETE', pathOf('sessions', sessionId)))) !== undefined,
    endAll: async (userId) => void (await expectDone(request('POST', pathOf('users', userId, 'logout')))),
  };
}

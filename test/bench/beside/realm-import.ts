import { adminHeaders, administer } from '../admin/admin-token.js';
import { roomFor, users } from '../admin/large-realm.js';
import type { Deed } from './beside.js';

const REALM = 'imported';
const USERS = 2_000;
const CLIENTS = 100;

/** An admin who imports a realm with clients and users. */
export const realmImport: Deed = {
  name: 'a realm import',
  mostRuns: Infinity,
  takes: 2,
  server: ({ servers }) => servers.keyhost(),
  async act(_, server) {
    const clients = Array.from({ length: CLIENTS }, (__, index) => ({
      clientId: `web-${index}`,
      secret: `secret-of-web-${index}`,
      redirectUris: [`https://web-${index}.example.com/*`],
    }));
    const headers = await adminHeaders(server);
    await administer(server, headers, 'POST', '/realms', { ...roomFor(REALM), clients, users: users(0, USERS, USERS) });
  },
  undo: async (_, server) => administer(server, await adminHeaders(server), 'DELETE', `/realms/${REALM}`),
};

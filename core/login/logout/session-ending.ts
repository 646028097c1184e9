import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { BackchannelLogout } from './backchannel-logout.js';

/** Ends user sessions, and tells the applications that took part in them. */
export class SessionEnding {
  readonly #store: Store;
  readonly #backchannel: BackchannelLogout;

  constructor(parts: { store: Store; backchannel: BackchannelLogout }) {
    this.#store = parts.store;
    this.#backchannel = parts.backchannel;
  }

  /** @returns the enabled clients of the session */
  async end(realm: Realm, session: UserSessionRecord): Promise<readonly Client[]> {
    const records = await this.#store.sessions.clientSessions(realm.name, session.id);
    // The end comes first: no application may think itself told while the session can still be used.
    const ended = await this.#store.sessions.end(realm.name, session.id);
    const clients = records.flatMap(({ clientUuid }) => {
      const client = clientsById(realm).get(clientUuid);
      return client?.enabled === true ? [client] : [];
    });
    // Of two requests at once the one that ended the session tells.
    if (ended) await this.#backchannel.tell(realm, clients, session);
    return clients;
  }
}

const CLIENTS_BY_ID = Symbol('clients by internal id');

function clientsById(realm: Realm): ReadonlyMap<string, Client> {
  return realm.derive(CLIENTS_BY_ID, () => new Map([...realm.clients.values()].map((client) => [client.id, client])));
}

import type { Logger } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { BackchannelLogout } from './backchannel-logout.js';
import type { EndedSessionEvents } from './ended-session-events.js';

/** When many sessions end: how many are told of at a time, and how many at all. */
const TOLD_TOGETHER = 50;
const TOLD_AT_MOST = 1000;
/** When many sessions end, nobody is told any more after so long, in milliseconds. */
const TELLING_MS = 20_000;

/** Ends user sessions, and tells the applications that took part in them. */
export class SessionEnding {
  readonly #store: Store;
  readonly #backchannel: BackchannelLogout;
  readonly #logger: Logger;
  readonly #ended: EndedSessionEvents;

  constructor(parts: { store: Store; backchannel: BackchannelLogout; logger: Logger; ended: EndedSessionEvents }) {
    this.#ended = parts.ended;
    this.#store = parts.store;
    this.#backchannel = parts.backchannel;
    this.#logger = parts.logger;
  }

  /**
   * Ends a session. As in Keycloak, an offline session outlives the browser's login, and takes the login along when it is
   * ended itself.
   * @returns the enabled clients of the session
   */
  async end(realm: Realm, session: UserSessionRecord): Promise<readonly Client[]> {
    const { sessions } = this.#store;
    const keys = session.offline ? [session, { ...session, offline: false }] : [session];
    const records = (await Promise.all(keys.map((key) => sessions.clientSessions(key)))).flat();
    // The end comes first: no application may think itself told while the session can still be used.
    const ended = await Promise.all(keys.map((key) => sessions.end(key)));
    const clients = [...new Set(records.map(({ clientUuid }) => clientUuid))].flatMap((clientUuid) => {
      const client = realm.clientsById.get(clientUuid);
      return client?.enabled === true ? [client] : [];
    });
    // Of two requests at once the one that ended the session tells.
    if (ended.includes(true)) {
      this.#ended.one(realm, session);
      await this.#backchannel.tell(realm, clients, session);
    }
    return clients;
  }

  /**
   * Ends every session of the realm, or of one of its users, offline sessions too. Applications are told as far as the
   * time allows.
   * @param options.except the id of a login that stays, with its offline session
   */
  async endAll(realm: Realm, options: { userId?: string; except?: string } = {}): Promise<void> {
    const endings = await this.#endings(realm, options);
    const listed = await this.#ended.list(realm, options);
    const count = await this.#store.sessions.endAll(realm.name, options);
    if (count > 0) this.#ended.all(realm, options, listed);
    await this.#tell(realm, endings);
  }

  /**
   * Ends a client's part in a user's sessions. An offline session goes with its last client.
   * @returns whether there was any
   */
  async endOfClient(realm: Realm, userId: string, client: Client): Promise<boolean> {
    const { sessions } = this.#store;
    const taking = await sessions.list(realm.name, { userId, clientUuid: client.id });
    await Promise.all(taking.map((session) => sessions.detach(session, client.id, { endIfLast: session.offline })));
    if (client.enabled) {
      // A login and its offline session are one to the application.
      const ended = new Map(taking.map((session) => [session.id, session]));
      await this.#tell(
        realm,
        [...ended.values()].map((session) => ({ session, clients: [client] })),
      );
    }
    return taking.length > 0;
  }

  /** Which sessions have applications that want to hear of their end. */
  async #endings(realm: Realm, { userId, except }: { userId?: string; except?: string }): Promise<Ending[]> {
    const endings = new Map<string, { session: UserSessionRecord; clients: Set<Client> }>();
    for (const client of realm.clients.values()) {
      if (!client.enabled || client.addresses.backchannelLogout === undefined) continue;
      const filter = { clientUuid: client.id, ...defined({ userId }) };
      for (const session of await this.#store.sessions.list(realm.name, { ...filter, max: TOLD_AT_MOST + 1 })) {
        if (session.id === except) continue;
        const known = endings.get(session.id);
        if (known === undefined) endings.set(session.id, { session, clients: new Set([client]) });
        else known.clients.add(client);
      }
    }
    return [...endings.values()].map(({ session, clients }) => ({ session, clients: [...clients] }));
  }

  async #tell(realm: Realm, endings: readonly Ending[]): Promise<void> {
    const deadline = performance.now() + TELLING_MS;
    let told = 0;
    while (told < Math.min(endings.length, TOLD_AT_MOST) && performance.now() < deadline) {
      const some = endings.slice(told, told + TOLD_TOGETHER);
      await Promise.all(some.map(({ session, clients }) => this.#backchannel.tell(realm, clients, session)));
      told += some.length;
    }
    if (told === endings.length) return;
    this.#logger.warn('not every application was notified: too many sessions ended at once', {
      realm: realm.name,
      told,
    });
  }
}

/** A session that ends, and the clients that are to be told. */
interface Ending {
  readonly session: UserSessionRecord;
  readonly clients: readonly Client[];
}

import type { Logger } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { BackchannelLogout } from './backchannel-logout.js';
import type { EndedSessionEvents } from './ended-session-events.js';

/** When many sessions end: the number of concurrent notifications, and their maximum number. */
const CONCURRENT_NOTIFICATIONS = 50;
const MOST_NOTIFICATIONS = 1000;
/** When many sessions end, notifications stop after this time in milliseconds. */
const NOTIFICATION_LIMIT_MS = 20_000;

/** Ends user sessions, and notifies the applications that took part in them. */
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
   * Ends a session. As in Keycloak, an offline session outlives its online session; ending the offline session ends
   * both.
   * @returns the enabled clients of the session
   */
  async end(realm: Realm, session: UserSessionRecord): Promise<readonly Client[]> {
    const { sessions } = this.#store;
    const keys = session.offline ? [session, { ...session, offline: false }] : [session];
    const records = (await Promise.all(keys.map((key) => sessions.clientSessions(key)))).flat();
    // End first, then notify: after the notification the session must not be usable.
    const ended = await Promise.all(keys.map((key) => sessions.end(key)));
    const clients = [...new Set(records.map(({ clientUuid }) => clientUuid))].flatMap((clientUuid) => {
      const client = realm.clientsById.get(clientUuid);
      return client?.enabled === true ? [client] : [];
    });
    // If two requests end it at the same time, only the one that succeeded notifies.
    if (ended.includes(true)) {
      this.#ended.one(realm, session);
      await this.#backchannel.notify(realm, clients, session);
    }
    return clients;
  }

  /**
   * Ends all sessions of the realm or of one user, including offline sessions. Applications are notified within the
   * time limit.
   * @param options.except the ID of a session that is preserved, together with its offline session
   */
  async endAll(realm: Realm, options: { userId?: string; except?: string } = {}): Promise<void> {
    const endings = await this.#endings(realm, options);
    const listed = await this.#ended.list(realm, options);
    const count = await this.#store.sessions.endAll(realm.name, options);
    if (count > 0) this.#ended.all(realm, options, listed);
    await this.#notify(realm, endings);
  }

  /**
   * Removes a client from a user's sessions. An offline session ends with its last client.
   * @returns whether the client had any
   */
  async endOfClient(realm: Realm, userId: string, client: Client): Promise<boolean> {
    const { sessions } = this.#store;
    const taking = await sessions.list(realm.name, { userId, clientUuid: client.id });
    await Promise.all(taking.map((session) => sessions.detach(session, client.id, { endIfLast: session.offline })));
    if (client.enabled) {
      // An online session and its offline session are one session for the application.
      const ended = new Map(taking.map((session) => [session.id, session]));
      await this.#notify(
        realm,
        [...ended.values()].map((session) => ({ session, clients: [client] })),
      );
    }
    return taking.length > 0;
  }

  /** The sessions with clients that have a back-channel logout URL. */
  async #endings(realm: Realm, { userId, except }: { userId?: string; except?: string }): Promise<EndedSession[]> {
    const endings = new Map<string, { session: UserSessionRecord; clients: Set<Client> }>();
    for (const client of realm.clients.values()) {
      if (!client.enabled || client.addresses.backchannelLogout === undefined) continue;
      const filter = { clientUuid: client.id, ...defined({ userId }) };
      for (const session of await this.#store.sessions.list(realm.name, { ...filter, max: MOST_NOTIFICATIONS + 1 })) {
        if (session.id === except) continue;
        const known = endings.get(session.id);
        if (known === undefined) endings.set(session.id, { session, clients: new Set([client]) });
        else known.clients.add(client);
      }
    }
    return [...endings.values()].map(({ session, clients }) => ({ session, clients: [...clients] }));
  }

  async #notify(realm: Realm, endings: readonly EndedSession[]): Promise<void> {
    const deadline = performance.now() + NOTIFICATION_LIMIT_MS;
    let told = 0;
    while (told < Math.min(endings.length, MOST_NOTIFICATIONS) && performance.now() < deadline) {
      const some = endings.slice(told, told + CONCURRENT_NOTIFICATIONS);
      await Promise.all(some.map(({ session, clients }) => this.#backchannel.notify(realm, clients, session)));
      told += some.length;
    }
    if (told === endings.length) return;
    this.#logger.warn('not every application was notified: too many sessions ended at once', {
      realm: realm.name,
      told,
    });
  }
}

/** An ended session, and the clients to notify. */
interface EndedSession {
  readonly session: UserSessionRecord;
  readonly clients: readonly Client[];
}

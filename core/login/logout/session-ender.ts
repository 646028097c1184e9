import type { Logger } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { BackchannelLogout } from './backchannel-logout.js';
import type { EndedSessionEvents } from './ended-session-events.js';

/** For the end of many sessions: the number of concurrent notifications, and their maximum number. */
const CONCURRENT_NOTIFICATIONS = 50;
const MAX_NOTIFICATIONS = 1000;
/** For the end of many sessions: the time after which notifications stop, in milliseconds. */
const NOTIFICATION_LIMIT_MS = 20_000;

/** Ends user sessions, and notifies the applications that took part in them. */
export class SessionEnder {
  readonly #parts: {
    store: Store;
    backchannel: BackchannelLogout;
    logger: Logger;
    endedSessionEvents: EndedSessionEvents;
  };

  constructor(parts: {
    store: Store;
    backchannel: BackchannelLogout;
    logger: Logger;
    endedSessionEvents: EndedSessionEvents;
  }) {
    this.#parts = parts;
  }

  /**
   * Ends a session. As in Keycloak, an offline session outlives its online session, but the end of the offline session
   * ends both.
   * @returns the enabled clients of the session
   */
  async end(realm: Realm, session: UserSessionRecord): Promise<readonly Client[]> {
    const { sessions } = this.#parts.store;
    const keys = session.offline ? [session, { ...session, offline: false }] : [session];
    const records = (await Promise.all(keys.map((key) => sessions.clientSessions(key)))).flat();
    // End the sessions before the notification, after which they must not be usable.
    const results = await Promise.all(keys.map((key) => sessions.end(key)));
    const clients = [...new Set(records.map(({ clientUuid }) => clientUuid))].flatMap((clientUuid) => {
      const client = realm.clientsById.get(clientUuid);
      return client?.enabled === true ? [client] : [];
    });
    // If concurrent requests end the session, only the one that succeeded notifies.
    if (results.includes(true)) {
      this.#parts.endedSessionEvents.emitEnded(realm, session);
      await this.#parts.backchannel.notify(realm, clients, session);
    }
    return clients;
  }

  /**
   * Ends all sessions of the realm or of one user, including offline sessions. Applications are notified within the
   * time limit.
   * @param options.except the ID of a session that remains, together with its offline session
   */
  async endAll(realm: Realm, options: { userId?: string; except?: string } = {}): Promise<void> {
    const endedSessions = await this.#sessionsToNotify(realm, options);
    const sessionIds = await this.#parts.endedSessionEvents.listEnding(realm, options);
    const count = await this.#parts.store.sessions.endAll(realm.name, options);
    if (count > 0) this.#parts.endedSessionEvents.emitAllEnded(realm, options, sessionIds);
    await this.#notify(realm, endedSessions);
  }

  /**
   * Removes a client from a user's sessions. An offline session ends with its last client.
   * @returns whether the client had any
   */
  async removeClient(realm: Realm, userId: string, client: Client): Promise<boolean> {
    const { sessions } = this.#parts.store;
    const joinedSessions = await sessions.list(realm.name, { userId, clientUuid: client.id });
    await Promise.all(
      joinedSessions.map((session) => sessions.detach(session, client.id, { endIfLast: session.offline })),
    );
    if (client.enabled) {
      // For the application, an online session and its offline session are the same session.
      const sessionsById = new Map(joinedSessions.map((session) => [session.id, session]));
      await this.#notify(
        realm,
        [...sessionsById.values()].map((session) => ({ session, clients: [client] })),
      );
    }
    return joinedSessions.length > 0;
  }

  /** The sessions of clients that have a back-channel logout URL. */
  async #sessionsToNotify(
    realm: Realm,
    { userId, except }: { userId?: string; except?: string },
  ): Promise<EndedSession[]> {
    const sessionsById = new Map<string, { session: UserSessionRecord; clients: Set<Client> }>();
    for (const client of realm.clients.values()) {
      if (!client.enabled || client.addresses.backchannelLogout === undefined) continue;
      const filter = { clientUuid: client.id, ...defined({ userId }) };
      for (const session of await this.#parts.store.sessions.list(realm.name, {
        ...filter,
        max: MAX_NOTIFICATIONS + 1,
      })) {
        if (session.id === except) continue;
        const entry = sessionsById.get(session.id);
        if (entry === undefined) sessionsById.set(session.id, { session, clients: new Set([client]) });
        else entry.clients.add(client);
      }
    }
    return [...sessionsById.values()].map(({ session, clients }) => ({ session, clients: [...clients] }));
  }

  async #notify(realm: Realm, endedSessions: readonly EndedSession[]): Promise<void> {
    const deadline = performance.now() + NOTIFICATION_LIMIT_MS;
    let notified = 0;
    while (notified < Math.min(endedSessions.length, MAX_NOTIFICATIONS) && performance.now() < deadline) {
      const batch = endedSessions.slice(notified, notified + CONCURRENT_NOTIFICATIONS);
      await Promise.all(batch.map(({ session, clients }) => this.#parts.backchannel.notify(realm, clients, session)));
      notified += batch.length;
    }
    if (notified === endedSessions.length) return;
    this.#parts.logger.warn('not every application was notified: too many sessions ended at once', {
      realm: realm.name,
      told: notified,
    });
  }
}

/** An ended session, with the clients to notify. */
interface EndedSession {
  readonly session: UserSessionRecord;
  readonly clients: readonly Client[];
}

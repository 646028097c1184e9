import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Events } from '../../registry/events/events.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { Store, UserSessionRecord } from '../../store/store.js';

/** Maximum number of a user's sessions that listeners get by ID. */
const MOST_LISTED = 1000;

/** Notifies plugin listeners which sessions have ended. If the realm has no listener for that, it reads nothing. */
export class EndedSessionEvents {
  readonly #store: Store;
  readonly #events: Events;
  readonly #sessions: SessionFactory;
  readonly #registry: ProviderRegistry;

  constructor(parts: { store: Store; events: Events; sessions: SessionFactory; registry: ProviderRegistry }) {
    this.#store = parts.store;
    this.#events = parts.events;
    this.#sessions = parts.sessions;
    this.#registry = parts.registry;
  }

  one(realm: Realm, { id, userId, offline }: UserSessionRecord): void {
    this.#emit(realm, { userId, sessionIds: [id], offline });
  }

  /**
   * The IDs of a user's sessions that are about to end. Undefined if there is no listener, if they are too many, or
   * without a user.
   */
  async list(
    realm: Realm,
    { userId, except }: { userId?: string; except?: string },
  ): Promise<readonly string[] | undefined> {
    if (userId === undefined || !this.#events.hasSessionEndListener(realm, this.#registry.current)) return undefined;
    const found = await this.#store.sessions.list(realm.name, { userId, max: 2 * MOST_LISTED + 1 });
    const ids = [...new Set(found.map(({ id }) => id))].filter((id) => id !== except);
    return found.length > 2 * MOST_LISTED || ids.length > MOST_LISTED ? undefined : ids;
  }

  /** @param listed the result of `list` before the sessions ended */
  all(
    realm: Realm,
    { userId, except }: { userId?: string; except?: string },
    listed: readonly string[] | undefined,
  ): void {
    this.#emit(realm, defined({ userId, sessionIds: listed, exceptSessionId: except, offline: true as const }));
  }

  #emit(realm: Realm, ended: Parameters<Events['sessionsEnded']>[1]): void {
    const providers = this.#registry.current;
    if (!this.#events.hasSessionEndListener(realm, providers)) return;
    this.#events.sessionsEnded(realm, ended, () =>
      this.#sessions.create(realm, { ip: '', secure: true, providers }, 'keyhost'),
    );
  }
}

import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { Events } from '../../registry/events/events.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { Store, UserSessionRecord } from '../../store/store.js';

/** Maximum number of a user's sessions that listeners get by ID. */
const MAX_LISTED = 1000;

/**
 * Notifies listeners of plugins about the sessions that have ended. If the realm has no such listener, the store is not
 * read.
 */
export class EndedSessionEvents {
  readonly #parts: { store: Store; events: Events; sessions: SessionFactory; registry: ProviderRegistry };

  constructor(parts: { store: Store; events: Events; sessions: SessionFactory; registry: ProviderRegistry }) {
    this.#parts = parts;
  }

  emitEnded(realm: Realm, { id, userId, offline }: UserSessionRecord): void {
    this.#emit(realm, { userId, sessionIds: [id], offline });
  }

  /**
   * The IDs of a user's sessions that are about to end. Undefined if there is no listener, if there are too many
   * sessions, or without a user.
   */
  async listEnding(
    realm: Realm,
    { userId, except }: { userId?: string; except?: string },
  ): Promise<readonly string[] | undefined> {
    if (userId === undefined || !this.#parts.events.hasSessionEndListener(realm, this.#parts.registry.current))
      return undefined;
    const sessions = await this.#parts.store.sessions.list(realm.name, { userId, max: 2 * MAX_LISTED + 1 });
    const ids = [...new Set(sessions.map(({ id }) => id))].filter((id) => id !== except);
    return sessions.length > 2 * MAX_LISTED || ids.length > MAX_LISTED ? undefined : ids;
  }

  /**
   * Notifies listeners that several sessions have ended.
   * @param sessionIds the result of `listEnding` before the sessions ended
   */
  emitAllEnded(
    realm: Realm,
    { userId, except }: { userId?: string; except?: string },
    sessionIds: readonly string[] | undefined,
  ): void {
    this.#emit(realm, defined({ userId, sessionIds, exceptSessionId: except, offline: true as const }));
  }

  #emit(realm: Realm, ended: Parameters<Events['notifySessionsEnded']>[1]): void {
    const providers = this.#parts.registry.current;
    if (!this.#parts.events.hasSessionEndListener(realm, providers)) return;
    this.#parts.events.notifySessionsEnded(realm, ended, () =>
      this.#parts.sessions.create(realm, { ip: '', secure: true, providers }, 'keyhost'),
    );
  }
}

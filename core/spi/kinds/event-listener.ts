import { spi } from '../plugin.js';
import { listOf } from '../realm-entries.js';
import type { AdminEvent, Event } from '../views.js';

/**
 * User sessions that ended before their time: by a logout, on the account page, by an administrator, for a new password, with their
 * user, or by a limit of sessions. Sessions that expire end without a word.
 */
export interface EndedSessions {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly realmId: string;
  readonly realmName: string;
  /** Whose sessions they were. Undefined: sessions of all users of the realm. */
  readonly userId?: string;
  /** Their IDs, as events and tokens (`sid`) have them. Undefined: all sessions of the user or the realm, but for `exceptSessionId`. */
  readonly sessionIds?: readonly string[];
  /** The session that did not end, if all others did. */
  readonly exceptSessionId?: string;
  /** True if offline sessions ended, too. An offline session has the ID of the login that it came from. */
  readonly offline: boolean;
}

export interface EventListenerProvider {
  /** Called after the response is sent. Keyhost logs an error that it throws. */
  onEvent?(event: Event): Promise<void>;
  /**
   * @param event what was done is in its `representation`, with every secret masked
   * @param includeRepresentation the realm's `adminEventsDetailsEnabled`: true where what you keep or send on may show the
   *   representation
   */
  onAdminEvent?(event: AdminEvent, includeRepresentation: boolean): Promise<void>;
  /**
   * Called once for each change that ended sessions, after they ended, on the node that ended them. The listener's own plugin may have
   * ended them, and an event such as `LOGOUT` may say so, too. At most 1,000 sessions are listed: of more,
   * `sessionIds` is undefined. Keyhost logs an error that it throws, and does not repeat the call.
   */
  onSessionsEnded?(ended: EndedSessions): Promise<void>;
}

export interface EventListenerDeclaration {
  /** True: it hears of changes that its own plugin makes. Default: false. */
  readonly hearsOwn?: boolean;
}

/** Keycloak's EventListenerProvider. A realm switches listeners on by `eventsListeners`. */
export const EventListener = spi<EventListenerDeclaration, EventListenerProvider>({
  id: 'events-listener',
  name: 'EventListener',
  // Events hold no token, link or secret.
  carries: 'nothing',
  infoName: 'eventsListener',
  declares: { type: 'object', properties: { hearsOwn: { type: 'boolean' } } },
  realm: {
    key: 'eventsListeners',
    list: ['jboss-logging'],
    *mentions({ eventsListeners }) {
      for (const [index, id] of listOf(eventsListeners).entries()) {
        yield { id: String(id), path: ['eventsListeners', index], enabled: true };
      }
    },
    example: (id) => `"eventsListeners": ["${id}"]`,
  },
  methods: { optional: ['onEvent', 'onAdminEvent', 'onSessionsEnded'] },
});

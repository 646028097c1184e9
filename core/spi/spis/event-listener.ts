import { spi } from '../plugin.js';
import { listOf } from '../realm-entries.js';
import type { AdminEvent, Event } from '../views.js';

/**
 * User sessions that ended before they expired. Reasons are a logout, the account page, an administrator, a new
 * password, the removal of the user, or a session limit. Expired sessions are not reported.
 */
export interface EndedSessions {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly realmId: string;
  readonly realmName: string;
  /** The user of the sessions. Undefined: sessions of all users of the realm. */
  readonly userId?: string;
  /**
   * The IDs of the sessions, as in events and tokens (`sid`). Undefined: all sessions of the user or the realm, except
   * `exceptSessionId`.
   */
  readonly sessionIds?: readonly string[];
  /** The ID of the session that did not end, if all others did. */
  readonly exceptSessionId?: string;
  /** True if offline sessions ended, too. An offline session has the ID of the login that created it. */
  readonly offline: boolean;
}

/** Keycloak's EventListenerProvider: receives the events of a realm. */
export interface EventListenerProvider {
  /** Called after the response is sent. Keyhost logs an error that it throws. */
  onEvent?(event: Event): Promise<void>;
  /**
   * @param event the event; its `representation` holds the change, with every secret masked
   * @param includeRepresentation the realm's `adminEventsDetailsEnabled`: true if you may store or forward the
   * representation
   */
  onAdminEvent?(event: AdminEvent, includeRepresentation: boolean): Promise<void>;
  /**
   * Called once for each change that ended sessions, after they ended, on the node that ended them. The listener's own
   * plugin may have ended them, and an event such as `LOGOUT` may report the same change. At most 1,000 sessions are
   * listed; if there are more, `sessionIds` is undefined. Keyhost logs an error that it throws, and does not repeat the
   * call.
   */
  onSessionsEnded?(ended: EndedSessions): Promise<void>;
}

/** The declaration of a listener. */
export interface EventListenerDeclaration {
  /** True: it also receives the admin events of changes by its own plugin. Default: false. */
  readonly hearsOwn?: boolean;
}

/**
 * Keycloak's EventListenerProvider. A realm enables listeners in `eventsListeners`.
 * @example
 * ```ts
 * import { EventListener, provide } from '@keyhost/spi';
 *
 * export default provide(EventListener, {
 *   id: 'failed-logins',
 *   open: () => ({
 *     create: ({ logger }) => ({
 *       async onEvent({ type, error = '', ipAddress = '' }) {
 *         if (type === 'LOGIN_ERROR') logger.info('a login failed', { error, ipAddress });
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const EventListener = spi<EventListenerDeclaration, EventListenerProvider>({
  id: 'events-listener',
  name: 'EventListener',
  // Events contain no token, link or secret.
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

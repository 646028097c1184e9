import { spi } from '../plugin.js';
import { listOf } from '../realm-entries.js';
import type { AdminEvent, Event } from '../views.js';

export interface EventListenerProvider {
  /** Called after the response is sent. Keyhost logs an error that it throws. */
  onEvent?(event: Event): Promise<void>;
  /**
   * @param event what was done is in its `representation`, with every secret masked
   * @param includeRepresentation the realm's `adminEventsDetailsEnabled`: true where what you keep or send on may show the
   *   representation
   */
  onAdminEvent?(event: AdminEvent, includeRepresentation: boolean): Promise<void>;
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
  methods: { optional: ['onEvent', 'onAdminEvent'] },
});

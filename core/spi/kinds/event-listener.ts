import { spi } from '../plugin.js';
import type { AdminEvent, Event } from '../views.js';

export interface EventListenerProvider {
  /** Called after the answer is on its way; a throw is logged and disturbs nobody. */
  onEvent?(event: Event): Promise<void>;
  onAdminEvent?(event: AdminEvent): Promise<void>;
}

/** Keycloak's EventListenerProvider. A realm switches listeners on by `eventsListeners`. */
export const EventListener = spi<Readonly<Record<never, never>>, EventListenerProvider>({
  id: 'events-listener',
  name: 'EventListener',
  enabledBy: 'realm-key',
  realmKey: 'eventsListeners',
});

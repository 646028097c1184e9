import {
  type AdminEvent,
  type Event,
  EventListener,
  type EventListenerProvider,
  provide,
  type Session,
} from '@keyhost/spi';
import { EndpointRun } from './endpoint-run.js';
import { matchesAny } from './event-types.js';
import { adminMessage, type Message, userMessage } from './message.js';
import { QueueMaintenance } from './queue-maintenance.js';
import { enqueue, LISTENER, RealmQueue } from './realm-queue.js';
import { endpointOf, REALM_CONFIG, type Settings } from './settings.js';

/** Receives the events of one realm, and sends them. */
class Webhooks implements EventListenerProvider {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #queue: RealmQueue;

  constructor(session: Session, settings: Settings, queue: RealmQueue) {
    this.#session = session;
    this.#settings = settings;
    this.#queue = queue;
  }

  async onEvent(event: Event): Promise<void> {
    await this.#queueEvent(event, `access.${event.type}`, userMessage);
  }

  async onAdminEvent(adminEvent: AdminEvent, includeRepresentation: boolean): Promise<void> {
    const { representation: _, ...brief } = adminEvent;
    const event = includeRepresentation ? adminEvent : brief;
    await this.#queueEvent(event, `admin.${event.resourceType}-${event.operationType}`, adminMessage);
  }

  /** @param name an endpoint, to send its due messages; undefined: to maintain the queue */
  async background(name?: string): Promise<{ again: number } | undefined> {
    if (name === undefined) return new QueueMaintenance(this.#session, this.#settings, this.#queue).run();
    const endpoint = endpointOf(this.#settings, name);
    return endpoint && new EndpointRun(this.#session, this.#settings, this.#queue, name).run(endpoint);
  }

  async #queueEvent<E>(event: E, type: string, message: (event: E) => Message): Promise<void> {
    const endpoints = Object.entries(this.#settings.endpoints)
      .filter(([name, { enabled, events, url }]) => {
        return enabled && this.#queue.gone.get(name) !== url && matchesAny(events, type);
      })
      .map(([name]) => name);
    if (endpoints.length === 0) return;
    // Take the number before waiting, so that messages are in the order of their events.
    const count = this.#queue.nextNumber();
    await this.#queue.waitForBatch();
    await enqueue(this.#session, this.#queue, message(event), { endpoints, count });
    if (this.#queue.pending > this.#settings.maxPending) await this.#session.background.wake(EventListener, LISTENER);
  }
}

export const listener = provide(EventListener, {
  id: LISTENER,
  background: true,
  realmConfig: REALM_CONFIG,
  open: () => {
    /** By realm ID. */
    const queues = new Map<string, RealmQueue>();
    const queueOf = (realm: string) => {
      const queue = queues.get(realm) ?? new RealmQueue();
      queues.set(realm, queue);
      return queue;
    };
    return { create: (session, settings) => new Webhooks(session, settings, queueOf(session.realm.id)) };
  },
});

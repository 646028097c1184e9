import { isDeepStrictEqual } from 'node:util';
import { EventStore, type EventStoreProvider, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import { providerName, type RealmSource, RealmWorkRunner, type WorkRun } from '../background/realm-work-runner.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { OutboxCapacity } from '../events/outbox-capacity.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { BATCH_LIMITS, eventsToSend } from './delivery-batch.js';
import type { DeliveryLeases } from './delivery-lease.js';

/** The pause before the next attempt while another node delivers, in seconds. */
const LEASED_RETRY_SECONDS = 1;
/** The pause after the first failure, in seconds. It doubles with each further failure. */
const FIRST_RETRY_SECONDS = 1;
const MAX_RETRY_SECONDS = 60;
/** How often to look for events that a stopped node has left in the outbox, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;
/** Maximum number of waiting events to count. */
const MAX_COUNTED = 200_000;
/** Maximum number of characters of a plugin's reason in the log. */
const MAX_REASON_LENGTH = 300;

/** The state of the delivery to a realm's event store. */
interface Delivery {
  readonly provider: string;
  failures: number;
  /** Milliseconds since the epoch, by the host's clock. */
  retryAt: number;
  waiting: number;
  /**
   * The provider and its settings at the last failure; undefined when the store accepts events again. A different
   * plugin or configuration is tried at once.
   */
  lastFailed: Pick<WorkRun, 'registered' | 'config'> | undefined;
}

export interface EventDeliveryParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly store: Store;
  /** Resolves when the events that this node has emitted are stored, so that they precede later ones. */
  readonly flushEvents: () => Promise<void>;
  readonly capacity: Pick<OutboxCapacity, 'deleteRealm'>;
  /** Set if nodes share the store. */
  readonly leases: DeliveryLeases | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Delivers the events that wait in the outbox to plugins' event stores. It delivers each realm's events separately and
 * in order, on one node at a time, with retries until they are accepted.
 */
export class EventDelivery {
  /** The state for each realm whose event store this node has called. */
  readonly #deliveries = new Map<string, Delivery>();
  /** Number of events that event stores refused, by realm. */
  readonly refusedCounts = new Map<string, number>();
  readonly #parts: EventDeliveryParts;
  readonly #workRunner: RealmWorkRunner;
  #pollTimer: NodeJS.Timeout | undefined;

  constructor(parts: EventDeliveryParts) {
    this.#parts = parts;
    const { store } = parts;
    this.#workRunner = new RealmWorkRunner(
      parts,
      ({ spi, plugin }) => spi.id === EventStore.id && !plugin.builtin,
      // Events of the change that woke the delivery must not be stored together with the delivery's own writes.
      (run) => store.withoutEvents(() => this.#run(run)),
      (work) => this.#deleteState(work),
    );
  }

  /** Delivers waiting events, and from now on each new one. Called once. */
  open(realms: RealmSource): void {
    this.#workRunner.open(realms);
    if (this.#parts.leases !== undefined)
      this.#pollTimer = setInterval(() => void this.#wakeWaitingRealms(), POLL_INTERVAL_MS).unref();
  }

  /** Called after plugins have changed. */
  pluginsChanged(): void {
    const currentNames = new Set(this.#workRunner.currentProviders().map(providerName));
    for (const [realm, { provider }] of this.#deliveries)
      if (!currentNames.has(provider)) this.#deleteState({ realm, provider });
    this.#workRunner.pluginsChanged();
  }

  /** Called for each waiting event. After a failure, it does nothing until the next attempt is due. */
  wake(realm: string): void {
    if (this.#pauseOf(this.#deliveries.get(realm)) > 0) return;
    for (const provider of this.#workRunner.currentProviders())
      this.#workRunner.wake({ realm, provider: providerName(provider) });
  }

  /** The state of each event store, and the number of events that wait for it, as far as this node knows. */
  *listStates(): Iterable<{ readonly realm: string; readonly isUnavailable: boolean; readonly waiting: number }> {
    for (const [realm, { failures, waiting }] of this.#deliveries)
      yield { realm, isUnavailable: failures > 0, waiting };
  }

  /** Resolves when all deliveries that are due have been tried. */
  settled(): Promise<void> {
    return this.#workRunner.settled();
  }

  async close(): Promise<void> {
    clearInterval(this.#pollTimer);
    await this.#workRunner.close();
  }

  /** Looks for events that a stopped node has left behind. */
  async #wakeWaitingRealms(): Promise<void> {
    if (this.#workRunner.currentProviders().length === 0) return;
    try {
      for (const realm of await this.#parts.store.eventOutbox.realms()) this.wake(realm);
    } catch (error) {
      this.#parts.logger.warn('events that wait could not be looked for', { reason: messageOf(error) });
    }
  }

  async #run(run: WorkRun): Promise<number | undefined> {
    const { leases } = this.#parts;
    const { realm } = run.work;
    // It may have been woken during the previous attempt.
    const delivery = this.#deliveryOf(run.work);
    const pause = this.#pauseOf(delivery);
    if (pause > 0 && isSameProvider(run, delivery.lastFailed)) return pause / 1000;
    if (leases !== undefined && !(await leases.take(realm))) return LEASED_RETRY_SECONDS;
    try {
      return await this.#deliver(run, delivery);
    } finally {
      await leases?.release(realm);
    }
  }

  /** Sends one batch after another. @returns seconds until the next attempt */
  async #deliver(run: WorkRun, delivery: Delivery): Promise<number | undefined> {
    const { store, leases, clock, flushEvents } = this.#parts;
    const { work, signal, runWithProvider } = run;
    const { realm } = work;
    while (!signal.aborted) {
      await flushEvents();
      const rows = await store.eventOutbox.waiting(realm, BATCH_LIMITS);
      if (rows.length === 0) {
        delivery.waiting = 0;
        return undefined;
      }
      const events = eventsToSend(rows, clock.now());
      try {
        if (events.length > 0)
          this.#recordRefused(run, await runWithProvider((provider) => storeEvents(provider, events)));
      } catch (error) {
        if (signal.aborted) return undefined;
        return await this.#recordFailure(run, delivery, error);
      }
      this.#recordRecovery(run, delivery);
      await store.eventOutbox.remove(realm, rows);
      if (leases !== undefined && !(await leases.renew(realm))) return LEASED_RETRY_SECONDS;
    }
    return undefined;
  }

  /** Called when the realm no longer uses this event store. */
  #deleteState({ realm, provider }: WorkKey): void {
    if (this.#deliveries.get(realm)?.provider !== provider) return;
    this.#deliveries.delete(realm);
    this.refusedCounts.delete(realm);
    this.#parts.capacity.deleteRealm(realm);
  }

  #deliveryOf({ realm, provider }: WorkKey): Delivery {
    const existingDelivery = this.#deliveries.get(realm);
    if (existingDelivery?.provider === provider) return existingDelivery;
    const delivery = { provider, failures: 0, retryAt: 0, waiting: 0, lastFailed: undefined };
    this.#deliveries.set(realm, delivery);
    return delivery;
  }

  /** Returns the milliseconds until the next attempt after a failure; 0 if it is due. */
  #pauseOf(delivery: Delivery | undefined): number {
    if (delivery === undefined || delivery.failures === 0) return 0;
    return Math.max(0, delivery.retryAt - this.#parts.clock.now());
  }

  /** Logs and counts the events that the store has rejected for good. They are not sent again. */
  #recordRefused(run: WorkRun, outcome: Awaited<ReturnType<EventStoreProvider['store']>>): void {
    const { refused = [] } = outcome ?? {};
    if (refused.length === 0) return;
    const { realm } = run.work;
    this.refusedCounts.set(realm, (this.refusedCounts.get(realm) ?? 0) + refused.length);
    const [{ id, reason } = { id: '', reason: '' }] = refused;
    const fields = { ...logFields(run), count: refused.length, first: id.slice(0, MAX_REASON_LENGTH) };
    this.#parts.logger.error('the event store refused events', {
      ...fields,
      reason: reason.slice(0, MAX_REASON_LENGTH),
    });
  }

  async #recordFailure(run: WorkRun, delivery: Delivery, error: unknown): Promise<number> {
    const { store, clock, logger } = this.#parts;
    const pause = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** delivery.failures);
    delivery.failures += 1;
    delivery.retryAt = clock.now() + pause * 1000;
    delivery.lastFailed = { registered: run.registered, config: run.config };
    delivery.waiting = await store.eventOutbox.count(run.work.realm, MAX_COUNTED);
    // Log only the first failure of a series.
    if (delivery.failures === 1) {
      const reason = String(messageOf(error)).slice(0, MAX_REASON_LENGTH);
      logger.error('the event store is away: events wait', { ...logFields(run), reason });
    }
    return pause;
  }

  #recordRecovery(run: WorkRun, delivery: Delivery): void {
    if (delivery.failures === 0) return;
    const { waiting } = delivery;
    delivery.failures = 0;
    delivery.lastFailed = undefined;
    this.#parts.logger.info('the event store is back', { ...logFields(run), waiting });
  }
}

function storeEvents(provider: object, events: Parameters<EventStoreProvider['store']>[0]['events']) {
  return (provider as EventStoreProvider).store({ events });
}

function isSameProvider({ registered, config }: WorkRun, lastFailed: Delivery['lastFailed']): boolean {
  return registered === lastFailed?.registered && isDeepStrictEqual(config, lastFailed.config);
}

function logFields({ work: { realm, provider }, registered }: WorkRun) {
  return { plugin: registered.plugin.name, provider, realm };
}

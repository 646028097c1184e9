import { isDeepStrictEqual } from 'node:util';
import { EventStore, type EventStoreProvider, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import { nameOf, type RealmSource, RealmWorkRunner, type WorkingProvider } from '../background/realm-work-runner.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { OutboxCapacity } from '../events/outbox-capacity.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { BATCH_LIMITS, eventsToSend } from './delivery-batch.js';
import type { DeliveryLeases } from './delivery-lease.js';

/** The pause in seconds before the next attempt if another node delivers. */
const LEASED_RETRY_SECONDS = 1;
/** The pause after a failure, in seconds: doubled with each further failure. */
const FIRST_RETRY_SECONDS = 1;
const MAX_RETRY_SECONDS = 60;
/** How often to look for events that another node has left behind, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;
/** Maximum number of waiting events to count. */
const MAX_COUNTED = 200_000;
/** Maximum number of characters of a plugin's reason in the log. */
const REASON_LIMIT = 300;

/** The state of a realm's event store. */
interface Delivery {
  readonly provider: string;
  failures: number;
  /** By the host's clock. */
  retryAt: number;
  waiting: number;
  /**
   * The provider and settings that failed, until the store answers again. A different plugin or configuration is tried
   * at once.
   */
  failed: Pick<WorkingProvider, 'registered' | 'config'> | undefined;
}

export interface EventDeliveryParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly store: Store;
  /**
   * Resolves when all events that this node has emitted before are stored: they precede events that are stored later.
   */
  readonly written: () => Promise<void>;
  readonly room: Pick<OutboxCapacity, 'forget'>;
  /** Set if nodes share the store. */
  readonly leases: DeliveryLeases | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Delivers the events in the outbox to plugins' event stores: each realm separately, on one node, in order, with
 * retries until they are accepted.
 */
export class EventDelivery {
  /** Realms whose event store this node has called. */
  readonly #realms = new Map<string, Delivery>();
  /** Number of events that event stores refused, by realm. */
  readonly refused = new Map<string, number>();
  readonly #parts: EventDeliveryParts;
  readonly #works: RealmWorkRunner;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: EventDeliveryParts) {
    this.#parts = parts;
    const { store } = parts;
    this.#works = new RealmWorkRunner(
      parts,
      ({ spi, plugin }) => spi.id === EventStore.id && !plugin.builtin,
      // Its writes must not carry the events of the surrounding change.
      (working) => store.withoutEvents(() => this.#run(working)),
      (work) => this.#forget(work),
    );
  }

  /** Delivers waiting events, and from now on each new one. Called once. */
  open(realms: RealmSource): void {
    this.#works.open(realms);
    if (this.#parts.leases !== undefined)
      this.#looking = setInterval(() => void this.#wakeWaitingRealms(), POLL_INTERVAL_MS).unref();
  }

  /** Called after plugins have changed. */
  pluginsChanged(): void {
    const known = new Set(this.#works.currentProviders().map(nameOf));
    for (const [realm, { provider }] of this.#realms) if (!known.has(provider)) this.#forget({ realm, provider });
    this.#works.pluginsChanged();
  }

  /** Called for each waiting event. After a failure, the event waits for the next attempt. */
  wake(realm: string): void {
    if (this.#pauseOf(this.#realms.get(realm)) > 0) return;
    for (const provider of this.#works.currentProviders()) this.#works.wake({ realm, provider: nameOf(provider) });
  }

  /** The state of the event stores and the number of events that wait for them, as far as this node knows. */
  *states(): Iterable<{ readonly realm: string; readonly isAway: boolean; readonly waiting: number }> {
    for (const [realm, { failures, waiting }] of this.#realms) yield { realm, isAway: failures > 0, waiting };
  }

  /** Resolves when everything that is due now was tried. */
  settled(): Promise<void> {
    return this.#works.settled();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#works.close();
  }

  /** Looks for events that stopped nodes have left behind. */
  async #wakeWaitingRealms(): Promise<void> {
    if (this.#works.currentProviders().length === 0) return;
    try {
      for (const realm of await this.#parts.store.eventOutbox.realms()) this.wake(realm);
    } catch (error) {
      this.#parts.logger.warn('events that wait could not be looked for', { reason: messageOf(error) });
    }
  }

  async #run(working: WorkingProvider): Promise<number | undefined> {
    const { leases } = this.#parts;
    const { realm } = working.work;
    // Woken during the previous attempt.
    const delivery = this.#deliveryOf(working.work);
    const pause = this.#pauseOf(delivery);
    if (pause > 0 && isSame(working, delivery.failed)) return pause / 1000;
    if (leases !== undefined && !(await leases.take(realm))) return LEASED_RETRY_SECONDS;
    try {
      return await this.#deliver(working, delivery);
    } finally {
      await leases?.release(realm);
    }
  }

  /** Sends one batch after another. @returns seconds until the next attempt */
  async #deliver(working: WorkingProvider, delivery: Delivery): Promise<number | undefined> {
    const { store, leases, clock, written } = this.#parts;
    const { work, signal, within } = working;
    const { realm } = work;
    while (!signal.aborted) {
      await written();
      const rows = await store.eventOutbox.waiting(realm, BATCH_LIMITS);
      if (rows.length === 0) {
        delivery.waiting = 0;
        return undefined;
      }
      const events = eventsToSend(rows, clock.now());
      try {
        if (events.length > 0) this.#recordRefused(working, await within((provider) => stored(provider, events)));
      } catch (error) {
        if (signal.aborted) return undefined;
        return await this.#away(working, delivery, error);
      }
      this.#back(working, delivery);
      await store.eventOutbox.remove(realm, rows);
      if (leases !== undefined && !(await leases.renew(realm))) return LEASED_RETRY_SECONDS;
    }
    return undefined;
  }

  /** The realm no longer has the store. */
  #forget({ realm, provider }: WorkKey): void {
    if (this.#realms.get(realm)?.provider !== provider) return;
    this.#realms.delete(realm);
    this.refused.delete(realm);
    this.#parts.room.forget(realm);
  }

  #deliveryOf({ realm, provider }: WorkKey): Delivery {
    const known = this.#realms.get(realm);
    if (known?.provider === provider) return known;
    const delivery = { provider, failures: 0, retryAt: 0, waiting: 0, failed: undefined };
    this.#realms.set(realm, delivery);
    return delivery;
  }

  /** Milliseconds until the next attempt after a failure; 0 for now. */
  #pauseOf(delivery: Delivery | undefined): number {
    if (delivery === undefined || delivery.failures === 0) return 0;
    return Math.max(0, delivery.retryAt - this.#parts.clock.now());
  }

  /** Logs and counts the events that the store rejects for good. They are not sent again. */
  #recordRefused(working: WorkingProvider, outcome: Awaited<ReturnType<EventStoreProvider['store']>>): void {
    const { refused = [] } = outcome ?? {};
    if (refused.length === 0) return;
    const { realm } = working.work;
    this.refused.set(realm, (this.refused.get(realm) ?? 0) + refused.length);
    const [{ id, reason } = { id: '', reason: '' }] = refused;
    const fields = { ...logFields(working), count: refused.length, first: id.slice(0, REASON_LIMIT) };
    this.#parts.logger.error('the event store refused events', { ...fields, reason: reason.slice(0, REASON_LIMIT) });
  }

  async #away(working: WorkingProvider, delivery: Delivery, error: unknown): Promise<number> {
    const { store, clock, logger } = this.#parts;
    const pause = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** delivery.failures);
    delivery.failures += 1;
    delivery.retryAt = clock.now() + pause * 1000;
    delivery.failed = { registered: working.registered, config: working.config };
    delivery.waiting = await store.eventOutbox.count(working.work.realm, MAX_COUNTED);
    // Log the first failure only, not each further one.
    if (delivery.failures === 1) {
      const reason = String(messageOf(error)).slice(0, REASON_LIMIT);
      logger.error('the event store is away: events wait', { ...logFields(working), reason });
    }
    return pause;
  }

  #back(working: WorkingProvider, delivery: Delivery): void {
    if (delivery.failures === 0) return;
    const { waiting } = delivery;
    delivery.failures = 0;
    delivery.failed = undefined;
    this.#parts.logger.info('the event store is back', { ...logFields(working), waiting });
  }
}

function stored(provider: object, events: Parameters<EventStoreProvider['store']>[0]['events']) {
  return (provider as EventStoreProvider).store({ events });
}

function isSame({ registered, config }: WorkingProvider, failed: Delivery['failed']): boolean {
  return registered === failed?.registered && isDeepStrictEqual(config, failed.config);
}

function logFields({ work: { realm, provider }, registered }: WorkingProvider) {
  return { plugin: registered.plugin.name, provider, realm };
}

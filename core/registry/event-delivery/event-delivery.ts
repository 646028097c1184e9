import { isDeepStrictEqual } from 'node:util';
import { EventStore, type EventStoreProvider, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import type { Work } from '../background/background-runs.js';
import { nameOf, type RealmSource, RealmWorks, type WorkingProvider } from '../background/realm-works.js';
import type { OutboxRoom } from '../events/outbox-room.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { eventsOf, MOST_AT_ONCE } from './delivery-batch.js';
import type { DeliveryLeases } from './delivery-lease.js';

/** How soon it is looked at again where another node delivers, in seconds. */
const LEASED_AGAIN = 1;
/** After a failure, in seconds: doubled with each one that follows. */
const FIRST_PAUSE = 1;
const LAST_PAUSE = 60;
/** How often events are looked for that a node has left behind, in milliseconds. */
const LOOK_MS = 10_000;
/** Beyond this it is not counted how many wait. */
const COUNTED = 200_000;
/** Characters of a plugin's reason that are told. */
const REASON_LIMIT = 300;

/** How the event store of a realm does. */
interface Delivery {
  readonly provider: string;
  failures: number;
  /** By the host's clock. */
  retryAt: number;
  waiting: number;
  /** What failed, until it is back: with another plugin or other settings it does not wait for the next try. */
  failed: Pick<WorkingProvider, 'registered' | 'config'> | undefined;
}

export interface EventDeliveryParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly store: Store;
  /** Resolves when what this node has told so far is stored: it goes before what was stored after it. */
  readonly written: () => Promise<void>;
  readonly room: Pick<OutboxRoom, 'forget'>;
  /** Where nodes share the store. */
  readonly leases: DeliveryLeases | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Hands the events that wait in the outbox to the event stores of plugins: each realm's by itself, by one node, in order, again and
 * again until they are taken.
 */
export class EventDelivery {
  /** Realms whose store was tried on this node. */
  readonly #realms = new Map<string, Delivery>();
  /** Events that stores refused, by realm. */
  readonly refused = new Map<string, number>();
  readonly #parts: EventDeliveryParts;
  readonly #works: RealmWorks;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: EventDeliveryParts) {
    this.#parts = parts;
    const { store } = parts;
    this.#works = new RealmWorks(
      parts,
      ({ spi, plugin }) => spi.id === EventStore.id && !plugin.builtin,
      // What it writes belongs to nobody's change.
      (working) => store.apart(() => this.#run(working)),
      (work) => this.#gone(work),
    );
  }

  /** Delivers what waits, and from here on whatever comes. Once. */
  open(realms: RealmSource): void {
    this.#works.open(realms);
    if (this.#parts.leases !== undefined) this.#looking = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** Other plugins serve. */
  renewed(): void {
    const known = new Set(this.#works.now().map(nameOf));
    for (const [realm, { provider }] of this.#realms) if (!known.has(provider)) this.#gone({ realm, provider });
    this.#works.renewed();
  }

  /** An event waits. While the store is away, it waits for the next try. */
  wake(realm: string): void {
    if (this.#pauseOf(this.#realms.get(realm)) > 0) return;
    for (const provider of this.#works.now()) this.#works.wake({ realm, provider: nameOf(provider) });
  }

  /** Whether stores answer, and how many events wait for them, as this node knows. */
  *states(): Iterable<{ readonly realm: string; readonly isAway: boolean; readonly waiting: number }> {
    for (const [realm, { failures, waiting }] of this.#realms) yield { realm, isAway: failures > 0, waiting };
  }

  /** Resolves when all that is due now was tried. */
  settled(): Promise<void> {
    return this.#works.settled();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#works.close();
  }

  /** What nodes that are gone have left. */
  async #look(): Promise<void> {
    if (this.#works.now().length === 0) return;
    try {
      for (const realm of await this.#parts.store.eventOutbox.realms()) this.wake(realm);
    } catch (error) {
      this.#parts.logger.warn('events that wait could not be looked for', { reason: messageOf(error) });
    }
  }

  async #run(working: WorkingProvider): Promise<number | undefined> {
    const { leases } = this.#parts;
    const { realm } = working.work;
    // Woken while the try before was under way.
    const delivery = this.#deliveryOf(working.work);
    const pause = this.#pauseOf(delivery);
    if (pause > 0 && isSame(working, delivery.failed)) return pause / 1000;
    if (leases !== undefined && !(await leases.take(realm))) return LEASED_AGAIN;
    try {
      return await this.#deliver(working, delivery);
    } finally {
      await leases?.release(realm);
    }
  }

  /** Batch after batch. @returns seconds until it is tried again */
  async #deliver(working: WorkingProvider, delivery: Delivery): Promise<number | undefined> {
    const { store, leases, clock, written } = this.#parts;
    const { work, signal, within } = working;
    const { realm } = work;
    while (!signal.aborted) {
      await written();
      const rows = await store.eventOutbox.waiting(realm, MOST_AT_ONCE);
      if (rows.length === 0) {
        delivery.waiting = 0;
        return undefined;
      }
      const events = eventsOf(rows, clock.now());
      try {
        if (events.length > 0) this.#settle(working, await within((provider) => stored(provider, events)));
      } catch (error) {
        if (signal.aborted) return undefined;
        return await this.#away(working, delivery, error);
      }
      this.#back(working, delivery);
      await store.eventOutbox.remove(realm, rows);
      if (leases !== undefined && !(await leases.renew(realm))) return LEASED_AGAIN;
    }
    return undefined;
  }

  /** The realm has the store no more. */
  #gone({ realm, provider }: Work): void {
    if (this.#realms.get(realm)?.provider !== provider) return;
    this.#realms.delete(realm);
    this.refused.delete(realm);
    this.#parts.room.forget(realm);
  }

  #deliveryOf({ realm, provider }: Work): Delivery {
    const known = this.#realms.get(realm);
    if (known?.provider === provider) return known;
    const delivery = { provider, failures: 0, retryAt: 0, waiting: 0, failed: undefined };
    this.#realms.set(realm, delivery);
    return delivery;
  }

  /** Milliseconds until the next try after a failure; 0: now. */
  #pauseOf(delivery: Delivery | undefined): number {
    if (delivery === undefined || delivery.failures === 0) return 0;
    return Math.max(0, delivery.retryAt - this.#parts.clock.now());
  }

  /** What the store never takes is told, and is not sent again. */
  #settle(working: WorkingProvider, outcome: Awaited<ReturnType<EventStoreProvider['store']>>): void {
    const { refused = [] } = outcome ?? {};
    if (refused.length === 0) return;
    const { realm } = working.work;
    this.refused.set(realm, (this.refused.get(realm) ?? 0) + refused.length);
    const [{ id, reason } = { id: '', reason: '' }] = refused;
    const fields = { ...told(working), count: refused.length, first: id.slice(0, REASON_LIMIT) };
    this.#parts.logger.error('the event store refused events', { ...fields, reason: reason.slice(0, REASON_LIMIT) });
  }

  async #away(working: WorkingProvider, delivery: Delivery, error: unknown): Promise<number> {
    const { store, clock, logger } = this.#parts;
    const pause = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** delivery.failures);
    delivery.failures += 1;
    delivery.retryAt = clock.now() + pause * 1000;
    delivery.failed = { registered: working.registered, config: working.config };
    delivery.waiting = await store.eventOutbox.count(working.work.realm, COUNTED);
    // Its end is told when it comes about, its going on is not.
    if (delivery.failures === 1) {
      const reason = String(messageOf(error)).slice(0, REASON_LIMIT);
      logger.error('the event store is away: events wait', { ...told(working), reason });
    }
    return pause;
  }

  #back(working: WorkingProvider, delivery: Delivery): void {
    if (delivery.failures === 0) return;
    const { waiting } = delivery;
    delivery.failures = 0;
    delivery.failed = undefined;
    this.#parts.logger.info('the event store is back', { ...told(working), waiting });
  }
}

function stored(provider: object, events: Parameters<EventStoreProvider['store']>[0]['events']) {
  return (provider as EventStoreProvider).store({ events });
}

function isSame({ registered, config }: WorkingProvider, failed: Delivery['failed']): boolean {
  return registered === failed?.registered && isDeepStrictEqual(config, failed.config);
}

function told({ work: { realm, provider }, registered }: WorkingProvider) {
  return { plugin: registered.plugin.name, provider, realm };
}

import { setImmediate as turn } from 'node:timers/promises';
import { EventListener, type Session } from '@keyhost/spi';
import { DeadLetters } from './dead-letters.js';
import { EndpointHealth } from './endpoint-health.js';
import { type EndpointState, entriesOf, type Item, POKE, QUEUE, STATE } from './entries.js';
import { LISTENER, type RealmQueue } from './realm-queue.js';
import { endpointOf, type Settings } from './settings.js';

/** The interval of full reads of the queue, in seconds. They find messages that a different node has not sent. */
const SCAN_INTERVAL_S = 60;
/** A queue that is too long is cut to this share of its limit, so that it is not cut again with each event. */
const CUT_SHARE = 0.9;
/** The number of entries that are read before other work of the process gets its turn. */
const READS_AT_ONCE = 50;

type QueueEntry = { readonly key: string; readonly value: Item };

/** Maintains the queue of a realm as a whole. Messages are sent by a separate run for each endpoint. */
export class QueueMaintenance {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #queue: RealmQueue;
  readonly #dead: DeadLetters;

  constructor(session: Session, settings: Settings, queue: RealmQueue) {
    this.#session = session;
    this.#settings = settings;
    this.#queue = queue;
    this.#dead = new DeadLetters(session.store, queue, settings);
  }

  /** @returns seconds until the next run */
  async run(): Promise<{ again: number }> {
    const { store, clock, logger, realm, background } = this.#session;
    const queue = this.#queue;
    await this.#updateStates();
    const poke = await store.get(POKE);
    const names = Object.keys(this.#settings.endpoints).join();
    const isOld = queue.scannedAt === undefined || clock.now() - queue.scannedAt >= SCAN_INTERVAL_S * 1000;
    const isPoked = poke !== queue.poke;
    if (isOld || isPoked || names !== queue.names) {
      const scannedAt = clock.now();
      await this.#scan();
      // Set these only now, so that the next run repeats a read that failed.
      queue.scannedAt = scannedAt;
      queue.poke = poke;
      queue.names = names;
    }
    // A message that was queued from outside may be before the message for which a lane waits.
    if (isPoked) for (const name of Object.keys(this.#settings.endpoints)) queue.lanesOf(name).markAllReady();
    if (queue.pending > this.#settings.maxPending) await this.#cut();
    const forgotten = await this.#dead.trim();
    if (forgotten > 0) logger.warn('deleted the oldest dead letters of webhooks', { realm: realm.name, forgotten });
    for (const name of Object.keys(this.#settings.endpoints)) {
      if (queue.lanesOf(name).nextDue() < Number.POSITIVE_INFINITY)
        await background.wake(EventListener, LISTENER, name);
    }
    return { again: Math.max(0, (queue.scannedAt ?? 0) / 1000 + SCAN_INTERVAL_S - clock.now() / 1000) };
  }

  /** Updates the stored states of endpoints, which operators see, to the realm's settings. */
  async #updateStates(): Promise<void> {
    const { endpoints } = this.#settings;
    const gone = new Map<string, string>();
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const health = await EndpointHealth.of(this.#session, name, endpoint);
      if (health.gone !== undefined) gone.set(name, health.gone);
    }
    this.#queue.gone = gone;
    for await (const { key } of entriesOf<EndpointState>(this.#session.store, STATE)) {
      if (!Object.hasOwn(endpoints, key.slice(STATE.length))) await this.#session.store.delete(key);
    }
  }

  /**
   * Reads the whole queue, for messages that another node left or that were queued from outside. Gives up those without
   * an endpoint.
   */
  async #scan(): Promise<void> {
    const { store, clock } = this.#session;
    const queue = this.#queue;
    const [removed, gone]: [QueueEntry[], QueueEntry[]] = [[], []];
    const keys: string[] = [];
    const endRead = queue.beginRead();
    for await (const one of entriesOf<Item>(store, QUEUE)) {
      const { endpoint, lane } = one.value;
      keys.push(one.key);
      if (endpointOf(this.#settings, endpoint) === undefined) removed.push(one);
      else if (queue.gone.has(endpoint)) gone.push(one);
      else queue.lanesOf(endpoint).add(lane);
    }
    endRead(keys);
    await this.#dead.addAll(removed, 'endpoint_removed', clock.now());
    await this.#dead.addAll(gone, 'endpoint_gone', clock.now());
  }

  /** Moves the oldest messages of a queue that is too long to the dead letters. */
  async #cut(): Promise<void> {
    const { store, clock, logger, realm } = this.#session;
    const now = clock.now();
    const queue = this.#queue;
    const surplus = queue.pending - Math.floor(this.#settings.maxPending * CUT_SHARE);
    const oldest: QueueEntry[] = [];
    for (const [index, key] of queue.oldest(surplus).entries()) {
      const value = (await store.get(key)) as Item | undefined;
      // Another node has sent it, or is about to.
      if (value === undefined) queue.onRemoved(key);
      else if ((value.leasedUntil ?? 0) <= now) oldest.push({ key, value });
      if (index % READS_AT_ONCE === READS_AT_ONCE - 1) await turn();
    }
    if (oldest.length === 0) return;
    await this.#dead.addAll(oldest, 'queue_full', now);
    const fields = { realm: realm.name, events: oldest.length };
    logger.warn('the queue of webhooks is full: its oldest events became dead letters', fields);
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import { EventListener, type Session } from '@keyhost/spi';
import { DeadLetters } from './dead-letters.js';
import { EndpointHealth } from './endpoint-health.js';
import { type EndpointState, entriesOf, type Item, POKE, QUEUE, STATE } from './entries.js';
import { LISTENER, type RealmQueue } from './realm-queue.js';
import { endpointOf, type Settings } from './settings.js';

/** The interval of full reads of the queue, to find messages that another node left behind, in seconds. */
const SCAN = 60;
/** A full queue is cut to this share of its limit, so that it is not cut again with each event. */
const CUT_TO = 0.9;
/** The number of entries that are read before other work of the process gets its turn. */
const READ_TOGETHER = 50;

type Found = { readonly key: string; readonly value: Item };

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
  async go(): Promise<{ again: number }> {
    const { store, clock, logger, realm, background } = this.#session;
    const queue = this.#queue;
    await this.#states();
    const poke = await store.get(POKE);
    const names = Object.keys(this.#settings.endpoints).join();
    const isOld = queue.scannedAt === undefined || clock.now() - queue.scannedAt >= SCAN * 1000;
    const isPoked = poke !== queue.poke;
    if (isOld || isPoked || names !== queue.names) {
      const scannedAt = clock.now();
      await this.#scan();
      // Set only now: the next run repeats a read that failed.
      queue.scannedAt = scannedAt;
      queue.poke = poke;
      queue.names = names;
    }
    // A message from outside may be ahead of the one that a lane waits for.
    if (isPoked) for (const name of Object.keys(this.#settings.endpoints)) queue.of(name).markAllReady();
    if (queue.pending > this.#settings.maxPending) await this.#cut();
    const forgotten = await this.#dead.trim();
    if (forgotten > 0) logger.warn('deleted the oldest dead letters of webhooks', { realm: realm.name, forgotten });
    for (const name of Object.keys(this.#settings.endpoints)) {
      if (queue.of(name).nextDue() < Number.POSITIVE_INFINITY) await background.wake(EventListener, LISTENER, name);
    }
    return { again: Math.max(0, (queue.scannedAt ?? 0) / 1000 + SCAN - clock.now() / 1000) };
  }

  /** Updates the states that operators see to the realm's settings. */
  async #states(): Promise<void> {
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
    const [removed, gone]: [Found[], Found[]] = [[], []];
    const keys: string[] = [];
    const read = queue.beginRead();
    for await (const one of entriesOf<Item>(store, QUEUE)) {
      const { endpoint, lane } = one.value;
      keys.push(one.key);
      if (endpointOf(this.#settings, endpoint) === undefined) removed.push(one);
      else if (queue.gone.has(endpoint)) gone.push(one);
      else queue.of(endpoint).add(lane);
    }
    read(keys);
    await this.#dead.takeAll(removed, 'endpoint_removed', clock.now());
    await this.#dead.takeAll(gone, 'endpoint_gone', clock.now());
  }

  /** Moves the oldest messages of a queue that is too long to the dead letters. */
  async #cut(): Promise<void> {
    const { store, clock, logger, realm } = this.#session;
    const now = clock.now();
    const queue = this.#queue;
    const surplus = queue.pending - Math.floor(this.#settings.maxPending * CUT_TO);
    const oldest: Found[] = [];
    for (const [index, key] of queue.oldest(surplus).entries()) {
      const value = (await store.get(key)) as Item | undefined;
      // Another node has sent it, or is about to.
      if (value === undefined) queue.onRemoved(key);
      else if ((value.leasedUntil ?? 0) <= now) oldest.push({ key, value });
      if (index % READ_TOGETHER === READ_TOGETHER - 1) await turn();
    }
    if (oldest.length === 0) return;
    await this.#dead.takeAll(oldest, 'queue_full', now);
    const told = { realm: realm.name, events: oldest.length };
    logger.warn('the queue of webhooks is full: its oldest events became dead letters', told);
  }
}

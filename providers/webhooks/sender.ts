import { randomUUID } from 'node:crypto';
import type { Session } from '@keyhost/spi';
import { attempt, type Outcome } from './attempt.js';
import type { DeadLetters } from './dead-letters.js';
import type { EndpointHealth } from './endpoint-health.js';
import { type Item, laneKey } from './entries.js';
import { poke, type RealmQueue } from './realm-queue.js';
import { waitAfter } from './schedule.js';
import type { Endpoint } from './settings.js';

/** How much longer than an attempt its lease lasts, in milliseconds: what is written after it, and clocks that differ. */
const LEASE_SPARE_MS = 15_000;

/** When a lane may send again, in milliseconds since the epoch: 0 at once; undefined: it has nothing. */
type Next = number | undefined;

/** What a sender sends to. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
  readonly dead: DeadLetters;
}

/** Sends what lanes have: of each the first message, and the next one only when that is delivered or given up. */
export class Sender {
  readonly #session: Session;
  readonly #queue: RealmQueue;
  readonly #target: Target;

  constructor(session: Session, queue: RealmQueue, target: Target) {
    this.#session = session;
    this.#queue = queue;
    this.#target = target;
  }

  /** One attempt for the first message of a lane, where it is due and nobody else is at it. */
  async send(lane: string): Promise<Next> {
    const { store, clock } = this.#session;
    const { name, endpoint } = this.#target;
    const [head] = await store.list(laneKey({ endpoint: name, lane }), { max: 1 });
    if (head === undefined) return undefined;
    const { key } = head;
    const item = head.value as Item;
    const now = clock.now();
    const notBefore = Math.max(item.due ?? 0, item.leasedUntil ?? 0);
    if (notBefore > now) return notBefore;
    const leasedUntil = now + endpoint.timeout * 1000 + LEASE_SPARE_MS;
    const leased: Item = { ...item, leasedUntil, lease: randomUUID() };
    // Of several nodes one is told true; the others see its lease.
    if (!(await store.replace(key, item, leased))) return 0;
    const outcome = await attempt(this.#session, endpoint, leased);
    return this.#settle({ key, item, leased }, outcome);
  }

  async #settle(
    { key, item, leased }: { readonly key: string; readonly item: Item; readonly leased: Item },
    outcome: Outcome,
  ): Promise<Next> {
    const { store, clock } = this.#session;
    const { endpoint, health, dead } = this.#target;
    if (outcome.end === 'delivered') {
      await store.delete(key);
      this.#queue.removed(key);
      await health.delivered();
      return 0;
    }
    if (outcome.end === 'broken_off') {
      await store.replace(key, leased, item);
      return 0;
    }
    const { failure, pause } = outcome;
    const { lease: _, leasedUntil: __, ...rest } = item;
    const failed: Item = { ...rest, attempts: item.attempts + 1, last: failure };
    if (outcome.end === 'gone') {
      await health.went(endpoint.url, failure.at);
      await dead.take(key, failed, 'endpoint_gone', clock.now());
      // What else waits for it is given up, too.
      await poke(this.#session);
      return undefined;
    }
    await health.failed(failure, pause);
    if (failed.attempts >= endpoint.maxAttempts) {
      await dead.take(key, failed, 'attempts', clock.now());
      return 0;
    }
    const due = clock.now() + Math.max(waitAfter(failed.attempts), pause ?? 0);
    // Whoever took it after the lease had run out decides what becomes of it.
    return (await store.replace(key, leased, { ...failed, due })) ? due : 0;
  }
}

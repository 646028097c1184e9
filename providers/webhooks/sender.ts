import { randomUUID } from 'node:crypto';
import type { Session } from '@keyhost/spi';
import { attempt, type Outcome } from './attempt.js';
import type { DeadLetters } from './dead-letters.js';
import type { EndpointHealth } from './endpoint-health.js';
import { type Item, laneKey } from './entries.js';
import { type RealmQueue, requestFullRead } from './realm-queue.js';
import { waitAfter } from './schedule.js';
import type { Endpoint } from './settings.js';

/**
 * The time for which a lease is valid after the timeout of the attempt, in milliseconds. It covers the writes after the
 * attempt, and differences between clocks.
 */
const LEASE_MARGIN_MS = 15_000;

/** The time at which a lane may send again, in milliseconds since the epoch: 0 for now; undefined if it is empty. */
type Next = number | undefined;

/** The endpoint that a sender sends to. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
  readonly dead: DeadLetters;
}

/**
 * Sends the messages of lanes, one at a time for each lane. The next message of a lane is only sent after the previous
 * one was delivered or given up.
 */
export class Sender {
  readonly #session: Session;
  readonly #queue: RealmQueue;
  readonly #target: Target;

  constructor(session: Session, queue: RealmQueue, target: Target) {
    this.#session = session;
    this.#queue = queue;
    this.#target = target;
  }

  /** Makes one attempt for the first message of a lane, if it is due and not leased. */
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
    const leasedUntil = now + endpoint.timeout * 1000 + LEASE_MARGIN_MS;
    const leased: Item = { ...item, leasedUntil, lease: randomUUID() };
    // Only one of several nodes gets the lease.
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
      this.#queue.onRemoved(key);
      await health.recordDelivery();
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
      await health.markGone(endpoint.url, failure.at);
      await dead.add(key, failed, 'endpoint_gone', clock.now());
      // Make the maintenance run give up all other messages for it, too.
      await requestFullRead(this.#session);
      return undefined;
    }
    await health.recordFailure(failure, pause);
    if (failed.attempts >= endpoint.maxAttempts) {
      await dead.add(key, failed, 'attempts', clock.now());
      return 0;
    }
    const due = clock.now() + Math.max(waitAfter(failed.attempts), pause ?? 0);
    // If the lease has ended and a different node has the message, that node updates it.
    return (await store.replace(key, leased, { ...failed, due })) ? due : 0;
  }
}

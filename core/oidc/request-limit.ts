import { HostError } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { networkOfAddress } from '../model/network-of.js';
import { recentEntries } from '../model/recent-entries.js';
import { REQUEST_LIMITS, type RequestLimitName } from '../model/request-limits.js';

/** The capacity of a bucket, in seconds' worth of requests. */
const BURST_SECONDS = 10;
/**
 * Maximum number of buckets in memory. Beyond it the least recently used one is dropped; its client starts again with a
 * full bucket.
 */
const MAX_CALLERS = 10_000;

interface Bucket {
  /** Requests left in the bucket. */
  remaining: number;
  /** When `remaining` was updated, in milliseconds. */
  updatedAt: number;
}

/**
 * Limits a client's requests to an endpoint, per network. The limit is a realm attribute, enforced by a token bucket in
 * this process. It protects others from a client that sends far too many requests; a well-behaved client never reaches
 * it.
 */
export class RequestLimit {
  readonly #clock: Clock;
  readonly #attribute: RequestLimitName;
  readonly #buckets = recentEntries<string, Bucket>(MAX_CALLERS);

  constructor(clock: Clock, attribute: RequestLimitName) {
    this.#clock = clock;
    this.#attribute = attribute;
  }

  /** Counts one request. @throws HostError `too_many_requests` (429, with Retry-After) */
  count({ realm, ip }: Exchange, client: Client): void {
    const attribute = realm.settings.attribute(this.#attribute);
    const perSecond = attribute ? Number(attribute) : REQUEST_LIMITS[this.#attribute];
    if (perSecond === 0) return;
    const capacity = perSecond * BURST_SECONDS;
    const key = `${realm.id} ${client.id} ${networkOfAddress(ip)}`;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { remaining: capacity, updatedAt: now };
    bucket.remaining = Math.min(capacity, bucket.remaining + (Math.max(0, now - bucket.updatedAt) * perSecond) / 1000);
    bucket.updatedAt = now;
    this.#buckets.set(key, bucket);
    if (bucket.remaining < 1) {
      const headers = { 'retry-after': String(Math.ceil((1 - bucket.remaining) / perSecond)) };
      throw new HostError('too_many_requests', 'Too many requests', { status: 429, headers });
    }
    bucket.remaining -= 1;
  }
}

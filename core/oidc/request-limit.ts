import { HostError } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { networkOfAddress } from '../model/network-of.js';
import { recentEntries } from '../model/recent-entries.js';
import { REQUEST_LIMITS, type RequestLimitName } from '../model/request-limits.js';

/** Size of a burst, in seconds' worth of requests. */
const BURST_SECONDS = 10;
/**
 * Maximum number of callers in memory. Beyond it the least recently active one is dropped, and starts again with a full
 * bucket.
 */
const MOST_CALLERS = 10_000;

interface Bucket {
  /** Requests left in the bucket. */
  left: number;
  /** When `left` was updated, in milliseconds. */
  at: number;
}

/**
 * Limits the requests of a client to an endpoint per network, by a realm attribute: a token bucket in this process. It
 * protects others from a client that sends far too many requests; a well-behaved client never reaches it.
 */
export class RequestLimit {
  readonly #clock: Clock;
  readonly #attribute: RequestLimitName;
  readonly #buckets = recentEntries<string, Bucket>(MOST_CALLERS);

  constructor(clock: Clock, attribute: RequestLimitName) {
    this.#clock = clock;
    this.#attribute = attribute;
  }

  /** Counts one request. @throws HostError `too_many_requests` (429, with Retry-After) */
  count({ realm, ip }: Exchange, client: Client): void {
    const attribute = realm.settings.attribute(this.#attribute);
    const perSecond = attribute ? Number(attribute) : REQUEST_LIMITS[this.#attribute];
    if (perSecond === 0) return;
    const most = perSecond * BURST_SECONDS;
    const key = `${realm.id} ${client.id} ${networkOfAddress(ip)}`;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { left: most, at: now };
    bucket.left = Math.min(most, bucket.left + (Math.max(0, now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.left < 1) {
      const headers = { 'retry-after': String(Math.ceil((1 - bucket.left) / perSecond)) };
      throw new HostError('too_many_requests', 'Too many requests', { status: 429, headers });
    }
    bucket.left -= 1;
  }
}

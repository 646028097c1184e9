import { HostError } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { networkOf } from '../model/network-of.js';
import { recentEntries } from '../model/recent-entries.js';
import { REQUEST_LIMITS, type RequestLimitName } from '../model/request-limits.js';

/** So many seconds' worth of requests may come at once. */
const BURST_SECONDS = 10;
/** Callers that are kept in memory; beyond that, the one that was away longest is forgotten and begins with all its requests. */
const CALLERS = 10_000;

interface Bucket {
  /** Requests that may come at once. */
  left: number;
  /** When `left` was right, in milliseconds. */
  at: number;
}

/**
 * How often one client may ask one endpoint from one network, by a realm attribute: a token bucket in this process. It
 * protects others from a client that sends far too many requests; a sound client never reaches it.
 */
export class RequestLimit {
  readonly #clock: Clock;
  readonly #attribute: RequestLimitName;
  readonly #buckets = recentEntries<string, Bucket>(CALLERS);

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
    const key = `${realm.id} ${client.id} ${networkOf(ip)}`;
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

import { HostError, type Route } from '@keyhost/spi';
import { networkOfAddress } from '../model/network-of.js';
import { recentEntries } from '../model/recent-entries.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { Exchange } from './exchange.js';

/** Maximum number of callers over their limit in the memory of this node. */
const MAX_REFUSED = 10_000;

/** A plugin's route with a rate limit. */
interface LimitedRoute {
  readonly plugin: string;
  /** The ID of the provider. */
  readonly provider: string;
  readonly operation: string;
  readonly limit: NonNullable<Route['rateLimit']>;
}

/**
 * Limits the requests of a network to a route in a realm. The counters are in the store, shared by all nodes. A caller
 * over the limit is rejected from memory until the window ends, so that a flood causes no writes.
 */
export class RouteLimits {
  readonly #parts: Pick<SessionFactory, 'store' | 'clock'>;
  /** When the rejection of each caller ends, in milliseconds since the epoch. */
  readonly #refusedUntil = recentEntries<string, number>(MAX_REFUSED);

  constructor(parts: Pick<SessionFactory, 'store' | 'clock'>) {
    this.#parts = parts;
  }

  /**
   * Counts a request.
   * @throws HostError `too_many_requests` (429, with Retry-After) if the caller is over the limit
   */
  async count({ realm, ip }: Exchange, { plugin, provider, operation, limit }: LimitedRoute): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const subject = `route ${plugin} ${provider}/${operation} of ${networkOfAddress(ip)}`;
    const caller = `${realm.id} ${subject} ${limit.requests} ${limit.seconds}`;
    const refusedUntil = this.#refusedUntil.get(caller);
    if (refusedUntil !== undefined && refusedUntil > now) throw tooMany(refusedUntil - now);
    const windowMs = limit.seconds * 1000;
    const { count, firstAt } = await store.counters.bump({ realm: realm.name, subject, now, windowMs });
    if (count <= limit.requests) return;
    const windowEnd = firstAt + windowMs;
    this.#refusedUntil.set(caller, windowEnd);
    throw tooMany(windowEnd - now);
  }
}

function tooMany(milliseconds: number): HostError {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / 1000))) };
  return new HostError('too_many_requests', 'Too many requests', { status: 429, headers });
}

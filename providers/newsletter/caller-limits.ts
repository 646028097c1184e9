import { HostError, type Session } from '@keyhost/spi';
import type { RateLimiterMemory } from 'rate-limiter-flexible';

/** The window in which requests are counted, in seconds. */
const WINDOW_SECONDS = 10;

/** Counts the requests of each caller to each realm, in this process. */
export class CallerLimits {
  /** By requests per second, since realms may differ. */
  readonly #limiters = new Map<number, RateLimiterMemory>();

  /**
   * Counts one request.
   * @param perSecond the average over ten seconds; 0: no limit
   * @throws HostError `too_many_requests` (429, with Retry-After)
   */
  async count(session: Session, caller: string, perSecond: number): Promise<void> {
    if (perSecond === 0) return;
    // Loaded with the first counted request, since it contains limiters for thirty databases.
    const { default: limits } = await import('rate-limiter-flexible');
    try {
      await this.#limiter(perSecond, limits).consume(`${session.realm.name} ${caller}`);
    } catch (reason) {
      if (!(reason instanceof limits.RateLimiterRes)) throw reason;
      const wait = String(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)));
      throw new HostError('too_many_requests', 'Too many requests', { status: 429, headers: { 'retry-after': wait } });
    }
  }

  #limiter(perSecond: number, limits: typeof import('rate-limiter-flexible')): RateLimiterMemory {
    const existing = this.#limiters.get(perSecond);
    if (existing !== undefined) return existing;
    const created = new limits.RateLimiterMemory({ points: perSecond * WINDOW_SECONDS, duration: WINDOW_SECONDS });
    this.#limiters.set(perSecond, created);
    return created;
  }
}

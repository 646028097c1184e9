import { HostError, type Session } from '@keyhost/spi';
import type { RateLimiterMemory } from 'rate-limiter-flexible';

/** Over how long requests are counted. */
const WINDOW_SECONDS = 10;

/** Counts what each caller asks of each realm, in this process. */
export class CallerLimits {
  /** By requests per second: realms may differ. */
  readonly #limiters = new Map<number, RateLimiterMemory>();

  /**
   * Counts one request.
   * @param perSecond on the average of ten seconds; 0: no limit
   * @throws HostError `too_many_requests` (429, with Retry-After)
   */
  async count(session: Session, caller: string, perSecond: number): Promise<void> {
    if (perSecond === 0) return;
    // Loaded with the first request that is counted, for it brings limiters of thirty databases along.
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
    const known = this.#limiters.get(perSecond);
    if (known !== undefined) return known;
    const made = new limits.RateLimiterMemory({ points: perSecond * WINDOW_SECONDS, duration: WINDOW_SECONDS });
    this.#limiters.set(perSecond, made);
    return made;
  }
}

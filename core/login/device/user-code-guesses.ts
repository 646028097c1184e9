import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { networkOfAddress } from '../../model/network-of.js';
import type { Store } from '../../store/store.js';

/**
 * Maximum number of wrong user codes per network (an IPv4 address, or the prefix of an IPv6 address) within the window.
 */
const MAX_GUESSES = 10;
const WINDOW_MS = 600_000;

/**
 * Limits the guessing of user codes (RFC 8628 §5.1). Each attempt is counted before its code is checked, so that
 * concurrent attempts count too. The attempt of an existing code is then removed from the count.
 */
export class UserCodeGuesses {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Counts an attempt, whether or not it is allowed.
   * @returns 0 if the attempt is allowed; else the seconds until the network may try again
   */
  async countAttempt(exchange: Exchange): Promise<number> {
    const now = this.#parts.clock.now();
    const { count, firstAt } = await this.#parts.store.counters.bump({
      ...counterKey(exchange),
      now,
      windowMs: WINDOW_MS,
    });
    return count <= MAX_GUESSES ? 0 : Math.ceil((firstAt + WINDOW_MS - now) / 1000);
  }

  /** Removes the attempt from the count, because its code exists. */
  uncount(exchange: Exchange): Promise<void> {
    return this.#parts.store.counters.release(counterKey(exchange));
  }
}

function counterKey({ realm, ip }: Exchange) {
  return { realm: realm.name, subject: `user-codes ${networkOfAddress(ip)}` };
}

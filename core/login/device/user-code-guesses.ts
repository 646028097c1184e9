import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { networkOfAddress } from '../../model/network-of.js';
import type { Store } from '../../store/store.js';

/** Maximum number of wrong user codes per IP address within the window. */
const MAX_GUESSES = 10;
const WINDOW_MS = 600_000;

/**
 * Limits the guessing of user codes (RFC 8628 §5.1). Each attempt is counted before its code is checked, so that
 * concurrent attempts count too. A valid code is then removed from the count.
 */
export class UserCodeGuesses {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Counts an attempt, if the address may make one.
   * @returns seconds until the address may try again; 0 if it may now
   */
  async begin(exchange: Exchange): Promise<number> {
    const now = this.#parts.clock.now();
    const { count, firstAt } = await this.#parts.store.counters.bump({
      ...counterKey(exchange),
      now,
      windowMs: WINDOW_MS,
    });
    return count <= MAX_GUESSES ? 0 : Math.ceil((firstAt + WINDOW_MS - now) / 1000);
  }

  /** Removes the attempt from the count, because its code was valid. */
  uncount(exchange: Exchange): Promise<void> {
    return this.#parts.store.counters.release(counterKey(exchange));
  }
}

function counterKey({ realm, ip }: Exchange) {
  return { realm: realm.name, subject: `user-codes ${networkOfAddress(ip)}` };
}

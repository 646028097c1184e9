import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { networkOfAddress } from '../../model/network-of.js';
import type { Store } from '../../store/store.js';

/** Maximum number of wrong user codes per IP address within the window. */
const MOST = 10;
const WINDOW_MS = 600_000;

/**
 * Limits the guessing of user codes (RFC 8628 §5.1). Each attempt is counted before its code is checked, so that
 * concurrent attempts count too; a valid code is then uncounted.
 */
export class UserCodeGuesses {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Seconds until the address may try again; 0 if it may now: the attempt is then counted. */
  async begin(exchange: Exchange): Promise<number> {
    const now = this.#clock.now();
    const { count, firstAt } = await this.#store.counters.bump({ ...counter(exchange), now, windowMs: WINDOW_MS });
    return count <= MOST ? 0 : Math.ceil((firstAt + WINDOW_MS - now) / 1000);
  }

  /** Uncounts the attempt: its code was valid. */
  succeeded(exchange: Exchange): Promise<void> {
    return this.#store.counters.release(counter(exchange));
  }
}

function counter({ realm, ip }: Exchange) {
  return { realm: realm.name, subject: `user-codes ${networkOfAddress(ip)}` };
}

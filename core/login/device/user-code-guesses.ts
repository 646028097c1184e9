import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { networkOf } from '../../model/network-of.js';
import type { Store } from '../../store/store.js';

/** Wrong user codes that one address may enter within the window. */
const MOST = 10;
const WINDOW_MS = 600_000;

/**
 * Keeps people from finding user codes by trying (RFC 8628 §5.1). Every attempt counts before it is looked at, so that
 * attempts at the same time are counted too, and a right one is taken back.
 */
export class UserCodeGuesses {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Seconds until the address may try again; 0: it may now, and has used up one of its attempts. */
  async begin(exchange: Exchange): Promise<number> {
    const now = this.#clock.now();
    const { count, firstAt } = await this.#store.counters.bump({ ...counter(exchange), now, windowMs: WINDOW_MS });
    return count <= MOST ? 0 : Math.ceil((firstAt + WINDOW_MS - now) / 1000);
  }

  /** The attempt was right. */
  succeeded(exchange: Exchange): Promise<void> {
    return this.#store.counters.release(counter(exchange));
  }
}

function counter({ realm, ip }: Exchange) {
  return { realm: realm.name, subject: `user-codes ${networkOf(ip)}` };
}

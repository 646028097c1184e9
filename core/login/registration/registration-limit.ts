import type { Clock } from '../../model/clock.js';
import { networkOfAddress } from '../../model/network-of.js';
import type { Realm } from '../../model/realm.js';
import type { Store } from '../../store/store.js';

/**
 * Maximum number of valid forms per realm and network within the window. Each form creates a user, or reveals that a
 * user exists.
 */
const MAX_FORMS = 60;
const WINDOW_MS = 3_600_000;

/** Limits registrations, because they could probe for accounts or fill a realm. */
export class RegistrationLimit {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Counts an attempt. It must be called before the check whether the user exists, so that concurrent attempts count
   * too.
   * @returns false if the limit is exceeded
   */
  async countAttempt(realm: Realm, ip: string): Promise<boolean> {
    const subject = `registrations ${networkOfAddress(ip)}`;
    const counter = { realm: realm.name, subject, now: this.#parts.clock.now(), windowMs: WINDOW_MS };
    return (await this.#parts.store.counters.bump(counter)).count <= MAX_FORMS;
  }
}

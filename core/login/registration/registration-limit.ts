import type { Clock } from '../../model/clock.js';
import { networkOf } from '../../model/network-of.js';
import type { Realm } from '../../model/realm.js';
import type { Store } from '../../store/store.js';

/** Complete forms that one address may send within the window: each makes a user or tells that there is one. */
const MOST = 60;
const WINDOW_MS = 3_600_000;

/** Keeps people from finding out who has an account by registering, and from filling a realm. */
export class RegistrationLimit {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Counts before anything is looked up, so that attempts at the same time are counted too. False: too many. */
  async allows(realm: Realm, ip: string): Promise<boolean> {
    const subject = `registrations ${networkOf(ip)}`;
    const counter = { realm: realm.name, subject, now: this.#clock.now(), windowMs: WINDOW_MS };
    return (await this.#store.counters.bump(counter)).count <= MOST;
  }
}

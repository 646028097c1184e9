import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { EntryStore } from '../../store/store.js';

/** One node delivers for so long, in milliseconds: longer than a call may take. Another one goes on after that where it is gone. */
const LEASE_MS = 60_000;
/** No plugin's name has a slash in front. */
const PLACE = { namespace: '/event-delivery', key: 'lease' };

/** Which node delivers the events of a realm: one at a time, so that they keep their order. */
export class DeliveryLeases {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #node = JSON.stringify(randomToken(12));

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  /** @returns false where another node has it */
  async take(realm: string): Promise<boolean> {
    const now = this.#clock.now();
    const entry = { realm, ...PLACE, value: this.#node, expiresAt: now + LEASE_MS, now };
    return (await this.#entries.claim(entry)) || this.renew(realm);
  }

  /** @returns false where it was lost */
  renew(realm: string): Promise<boolean> {
    const now = this.#clock.now();
    const lease = { value: this.#node, expected: this.#node, expiresAt: now + LEASE_MS, now };
    return this.#entries.replace({ realm, ...PLACE, ...lease });
  }

  async release(realm: string): Promise<void> {
    // Only while it is this node's.
    const now = this.#clock.now();
    const lease = { value: this.#node, expected: this.#node, expiresAt: now + 1, now };
    await this.#entries.replace({ realm, ...PLACE, ...lease });
  }
}

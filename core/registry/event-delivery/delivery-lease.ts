import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { EntryStore } from '../../store/store.js';

/**
 * The duration of a lease in milliseconds, longer than a call may take. If a node dies, another one takes over after
 * this time.
 */
const LEASE_MS = 60_000;
/** The namespace begins with a slash, which the name of a plugin never does. */
const LEASE_KEY = { namespace: '/event-delivery', key: 'lease' };

/** The leases for delivering the events of a realm. Only one node delivers at a time, to preserve the order. */
export class DeliveryLeases {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #leaseValue = JSON.stringify(randomToken(12));

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  /** @returns false if another node holds the lease */
  async take(realm: string): Promise<boolean> {
    const now = this.#clock.now();
    const entry = { realm, ...LEASE_KEY, value: this.#leaseValue, expiresAt: now + LEASE_MS, now };
    return (await this.#entries.claim(entry)) || this.renew(realm);
  }

  /** @returns false if the lease was lost */
  renew(realm: string): Promise<boolean> {
    const now = this.#clock.now();
    const lease = { value: this.#leaseValue, expected: this.#leaseValue, expiresAt: now + LEASE_MS, now };
    return this.#entries.replace({ realm, ...LEASE_KEY, ...lease });
  }

  async release(realm: string): Promise<void> {
    // Only if this node still holds it.
    const now = this.#clock.now();
    const lease = { value: this.#leaseValue, expected: this.#leaseValue, expiresAt: now + 1, now };
    await this.#entries.replace({ realm, ...LEASE_KEY, ...lease });
  }
}

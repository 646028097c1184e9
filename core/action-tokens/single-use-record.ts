import type { ActionToken } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { OneTimeTokenKey, Store } from '../store/store.js';
import { usedTokenKey } from './action-token-keys.js';
import { createRefusal } from './action-token-refusal.js';
import type { SingleUseKey } from './link-logins.js';

/** The single-use records of links in the store. */
export class SingleUseRecords {
  readonly #parts: { readonly store: Store; readonly clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * The record of a link.
   * @param token of a single-use link; undefined for any other
   */
  recordFor(realm: Realm, token: ActionToken | undefined): SingleUseRecord {
    return new SingleUseRecord(this.#parts, realm, token);
  }
}

/** The single-use record of a link in the store. A reusable link has none. */
export class SingleUseRecord {
  /** The key to claim with the first completed action; undefined for a reusable link. */
  readonly singleUseKey: SingleUseKey | undefined;
  readonly #key: OneTimeTokenKey | undefined;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }, realm: Realm, token: ActionToken | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#key = token && usedTokenKey(realm.name, token);
    this.singleUseKey = token && { ...usedTokenKey(realm.name, token), expiresAt: token.expiresAt * 1000 };
  }

  /**
   * Checks that the link is unused.
   * @throws ActionTokenRefusal `expired_code` if it was used before
   */
  async requireUnused(): Promise<void> {
    if (this.#key === undefined) return;
    if (await this.#store.marks.has({ ...this.#key, now: this.#clock.now() })) throw usedLinkRefusal();
  }

  /**
   * Marks the link as used.
   * @throws ActionTokenRefusal `expired_code` if another request has claimed it
   */
  async claim(): Promise<void> {
    if (this.singleUseKey === undefined) return;
    if (!(await this.#store.marks.claim({ ...this.singleUseKey, now: this.#clock.now() }))) throw usedLinkRefusal();
  }

  /** Releases the record after a failure, so that the link may be followed again. */
  async release(): Promise<void> {
    if (this.#key !== undefined) await this.#store.marks.release(this.#key);
  }
}

function usedLinkRefusal() {
  return createRefusal('expired_code', 'expiredActionMessage');
}

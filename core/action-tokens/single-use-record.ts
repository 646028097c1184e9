import type { ActionToken } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { OneTimeTokenKey, Store } from '../store/store.js';
import type { SingleUseKey } from './link-logins.js';
import { refused } from './refused.js';
import { usedActionToken } from './single-use-keys.js';

/** The single-use records of links in the store. */
export class SingleUseRecords {
  readonly #parts: { readonly store: Store; readonly clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /** @param token of a single-use link; undefined for any other */
  of(realm: Realm, token: ActionToken | undefined): SingleUseRecord {
    return new SingleUseRecord(this.#parts, realm, token);
  }
}

/** The single-use record of a link in the store. A reusable link has none. */
export class SingleUseRecord {
  /** The record to claim with the first completed action; undefined: none. */
  readonly spends: SingleUseKey | undefined;
  readonly #key: OneTimeTokenKey | undefined;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }, realm: Realm, token: ActionToken | undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#key = token && usedActionToken(realm.name, token);
    this.spends = token && { ...usedActionToken(realm.name, token), expiresAt: token.expiresAt * 1000 };
  }

  /** @throws Refused `expired_code` if the link was used before */
  async requireUnused(): Promise<void> {
    if (this.#key === undefined) return;
    if (await this.#store.marks.has({ ...this.#key, now: this.#clock.now() })) throw spent();
  }

  /** @throws Refused `expired_code` if another request has claimed it */
  async claim(): Promise<void> {
    if (this.spends === undefined) return;
    if (!(await this.#store.marks.claim({ ...this.spends, now: this.#clock.now() }))) throw spent();
  }

  /** Releases the record after a failure, so that the link may be followed again. */
  async release(): Promise<void> {
    if (this.#key !== undefined) await this.#store.marks.release(this.#key);
  }
}

function spent() {
  return refused('expired_code', 'expiredActionMessage');
}

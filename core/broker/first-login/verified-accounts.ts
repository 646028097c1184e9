import { hash } from 'node:crypto';
import type { AuthenticationContext, BrokeredIdentity } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { recentEntries } from '../../model/recent-entries.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';

/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/broker-verified';
/** Maximum number of logins that are remembered to have sent a mail. */
const MOST_LOGINS = 10_000;

/**
 * Links between users and accounts that were confirmed by mail, until the authentication session that requested it has
 * read that.
 */
export class ConfirmedLinks {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #mailed = recentEntries<string, true>(MOST_LOGINS);

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** @param expiresAt milliseconds */
  async confirm(realm: Realm, user: { id: string }, account: Account, expiresAt: number): Promise<void> {
    await this.#store.entries.put({ ...place(realm, user, account), value: 'true', expiresAt });
  }

  /** True once for each confirmation. */
  async take(realm: Realm, user: { id: string }, account: Account): Promise<boolean> {
    const key = place(realm, user, account);
    const value = await this.#store.entries.get({ ...key, now: this.#clock.now() });
    if (value === undefined) return false;
    await this.#store.entries.delete(key);
    return true;
  }

  /** True if this login has mailed the user already, so that reloading the page sends no other mail. */
  wasMailed({ login }: AuthenticationContext, { id }: User): boolean {
    return this.#mailed.has(`${login} ${id}`);
  }

  mailed({ login }: AuthenticationContext, { id }: User): void {
    this.#mailed.set(`${login} ${id}`, true);
  }
}

type Account = Pick<BrokeredIdentity, 'identityProvider' | 'id'>;

function place(realm: Realm, { id: userId }: { id: string }, { identityProvider, id }: Account) {
  const key = hash('sha256', JSON.stringify([userId, identityProvider, id]), 'base64url');
  return { realm: realm.name, namespace: NAMESPACE, key };
}

import { hash } from 'node:crypto';
import type { AuthenticationContext, BrokeredIdentity } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { recentEntries } from '../../model/recent-entries.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';

/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/broker-verified';
/** Maximum number of logins in memory that have sent a mail. */
const MAX_LOGINS = 10_000;

/**
 * Links between users and accounts that were confirmed by mail. A confirmation is stored until the login that requested
 * it reads it.
 */
export class ConfirmedLinks {
  readonly #parts: { store: Store; clock: Clock };
  readonly #mailedLogins = recentEntries<string, true>(MAX_LOGINS);

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Stores a confirmation.
   * @param expiresAt milliseconds since the epoch
   */
  async confirm(realm: Realm, user: { id: string }, account: Account, expiresAt: number): Promise<void> {
    await this.#parts.store.entries.put({ ...entryKey(realm, user, account), value: 'true', expiresAt });
  }

  /** Reads and deletes a confirmation: true once for each. */
  async take(realm: Realm, user: { id: string }, account: Account): Promise<boolean> {
    const key = entryKey(realm, user, account);
    const value = await this.#parts.store.entries.get({ ...key, now: this.#parts.clock.now() });
    if (value === undefined) return false;
    await this.#parts.store.entries.delete(key);
    return true;
  }

  /** True if this login has already mailed the user, so that reloading the page does not send the mail again. */
  wasMailed({ login }: AuthenticationContext, { id }: User): boolean {
    return this.#mailedLogins.has(`${login} ${id}`);
  }

  recordMail({ login }: AuthenticationContext, { id }: User): void {
    this.#mailedLogins.set(`${login} ${id}`, true);
  }
}

type Account = Pick<BrokeredIdentity, 'identityProvider' | 'id'>;

function entryKey(realm: Realm, { id: userId }: { id: string }, { identityProvider, id }: Account) {
  const key = hash('sha256', JSON.stringify([userId, identityProvider, id]), 'base64url');
  return { realm: realm.name, namespace: NAMESPACE, key };
}

import type { ChangeStore } from '../store/store.js';

/** Prefix of the message to other nodes. The realm's name follows, which never contains a `/`. */
const CHANGE_PREFIX = '/fetched-keys/';

/** Generations of the key sets fetched for a realm: those of its identity providers and of its clients. */
export class FetchedKeyGenerations {
  readonly #rounds = new Map<string, number>();

  /** Cache key prefix of the realm's key sets. It changes when an admin clears them. */
  cachePrefix(realm: string): string {
    return `${realm} ${this.#rounds.get(realm) ?? 0}`;
  }

  /** Makes the realm's key sets be fetched again, here at once and on other nodes within a second. */
  async forget(realm: string, changes: Pick<ChangeStore, 'tell'>): Promise<void> {
    this.#forget(realm);
    await changes.tell(CHANGE_PREFIX + realm);
  }

  /** @param name the name in another node's change message @returns false if it is the name of a realm */
  handleChange(name: string): boolean {
    if (!name.startsWith(CHANGE_PREFIX)) return false;
    this.#forget(name.slice(CHANGE_PREFIX.length));
    return true;
  }

  #forget(realm: string): void {
    this.#rounds.set(realm, (this.#rounds.get(realm) ?? 0) + 1);
  }
}

import type { ChangeStore } from '../store/store.js';

/** Prefix of what other nodes are sent: the name of a realm follows, and no name of a realm has a `/`. */
const TOLD = '/fetched-keys/';

/** Key sets that were fetched from addresses of a realm: those of its identity providers and of its clients. */
export class FetchedKeys {
  readonly #rounds = new Map<string, number>();

  /** Cache key prefix of the realm's key sets. It changes when an admin clears them. */
  roundOf(realm: string): string {
    return `${realm} ${this.#rounds.get(realm) ?? 0}`;
  }

  /** Key sets of the realm are fetched again, here at once and at other nodes within a second. */
  async forget(realm: string, changes: Pick<ChangeStore, 'tell'>): Promise<void> {
    this.#forget(realm);
    await changes.tell(TOLD + realm);
  }

  /** @param name of what another node has changed @returns false if that is a realm */
  heard(name: string): boolean {
    if (!name.startsWith(TOLD)) return false;
    this.#forget(name.slice(TOLD.length));
    return true;
  }

  #forget(realm: string): void {
    this.#rounds.set(realm, (this.#rounds.get(realm) ?? 0) + 1);
  }
}

import type { ChangeStore } from '../store/store.js';

/** Prefix of the change message to other nodes. The realm's name follows; names of realms never contain a `/`. */
const CHANGE_PREFIX = '/fetched-keys/';

/**
 * Counts the generations of the key sets that are fetched for a realm: those of its identity providers and of its
 * clients.
 */
export class FetchedKeyGenerations {
  readonly #generations = new Map<string, number>();

  /** The prefix for cache keys of the realm's key sets. It changes when an admin clears them. */
  cachePrefix(realm: string): string {
    return `${realm} ${this.#generations.get(realm) ?? 0}`;
  }

  /**
   * Clears the realm's key sets, so that they are fetched again: on this node at once, on other nodes within a second.
   */
  async forget(realm: string, changes: Pick<ChangeStore, 'tell'>): Promise<void> {
    this.#startGeneration(realm);
    await changes.tell(CHANGE_PREFIX + realm);
  }

  /**
   * Handles a change message of another node.
   * @param name the name in the message
   * @returns false if the message is not about fetched keys
   */
  handleChange(name: string): boolean {
    if (!name.startsWith(CHANGE_PREFIX)) return false;
    this.#startGeneration(name.slice(CHANGE_PREFIX.length));
    return true;
  }

  #startGeneration(realm: string): void {
    this.#generations.set(realm, (this.#generations.get(realm) ?? 0) + 1);
  }
}

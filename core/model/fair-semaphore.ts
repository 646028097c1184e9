interface Slot {
  onEvicted(): void;
}

/**
 * A limited number of slots that realms share. When all are taken, a realm evicts the newest slot of the realm with the
 * most slots, so that no realm can take them all.
 */
export class FairSemaphore {
  readonly #limit: number;
  readonly #byRealm = new Map<string, Set<Slot>>();
  #takenCount = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get takenCount(): number {
    return this.#takenCount;
  }

  /**
   * Takes a slot for the realm.
   * @param onEvicted called when another realm evicts the slot, which is already released by then
   * @returns a function that releases the slot and may be called again; undefined if all slots are taken and none can
   * be evicted for this realm
   */
  acquire(realm: string, onEvicted: () => void): (() => void) | undefined {
    if (this.#takenCount >= this.#limit && !this.#evict(realm)) return undefined;
    const slots = this.#byRealm.get(realm) ?? new Set();
    const slot = { onEvicted };
    slots.add(slot);
    this.#byRealm.set(realm, slots);
    this.#takenCount += 1;
    return () => this.#release(realm, slot);
  }

  #evict(realm: string): boolean {
    let [largestRealm, largestSlots]: [string, ReadonlySet<Slot>] = [realm, new Set()];
    for (const [name, slots] of this.#byRealm)
      if (slots.size > largestSlots.size) [largestRealm, largestSlots] = [name, slots];
    // The difference must be two or more. Otherwise two realms would evict each other's slot again and again.
    if ((this.#byRealm.get(realm)?.size ?? 0) + 1 >= largestSlots.size) return false;
    const newest = [...largestSlots].at(-1);
    if (newest === undefined) return false;
    this.#release(largestRealm, newest);
    newest.onEvicted();
    return true;
  }

  #release(realm: string, slot: Slot): void {
    const slots = this.#byRealm.get(realm);
    if (!slots?.delete(slot)) return;
    this.#takenCount -= 1;
    if (slots.size === 0) this.#byRealm.delete(realm);
  }
}

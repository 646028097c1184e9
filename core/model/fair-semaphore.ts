interface Slot {
  giveWay(): void;
}

/**
 * A bounded set of slots shared by realms. When it is full, a newcomer evicts the newest slot of the realm that holds
 * the most, so no realm can starve another.
 */
export class FairSemaphore {
  readonly #limit: number;
  readonly #byRealm = new Map<string, Set<Slot>>();
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a slot for the realm.
   * @param giveWay called when another realm evicts the slot, which is already released by then
   * @returns a function that releases the slot and may be called again; undefined if all slots are taken and none can
   * be evicted for this realm
   */
  acquire(realm: string, giveWay: () => void): (() => void) | undefined {
    if (this.#taken >= this.#limit && !this.#evict(realm)) return undefined;
    const slots = this.#byRealm.get(realm) ?? new Set();
    const slot = { giveWay };
    slots.add(slot);
    this.#byRealm.set(realm, slots);
    this.#taken += 1;
    return () => this.#release(realm, slot);
  }

  #evict(realm: string): boolean {
    let [largestRealm, largestSlots]: [string, ReadonlySet<Slot>] = [realm, new Set()];
    for (const [name, slots] of this.#byRealm)
      if (slots.size > largestSlots.size) [largestRealm, largestSlots] = [name, slots];
    // Require a difference of two, or two realms would take the same slot from each other forever.
    if ((this.#byRealm.get(realm)?.size ?? 0) + 1 >= largestSlots.size) return false;
    const newest = [...largestSlots].at(-1);
    if (newest === undefined) return false;
    this.#release(largestRealm, newest);
    newest.giveWay();
    return true;
  }

  #release(realm: string, slot: Slot): void {
    const slots = this.#byRealm.get(realm);
    if (!slots?.delete(slot)) return;
    this.#taken -= 1;
    if (slots.size === 0) this.#byRealm.delete(realm);
  }
}

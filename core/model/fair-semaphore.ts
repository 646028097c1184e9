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
   * @param giveWay called when another realm gets the slot; it is released by then
   * @returns a function that releases the slot, which may be called again; undefined if all slots are taken and no
   * realm has more than this one
   */
  acquire(realm: string, giveWay: () => void): (() => void) | undefined {
    if (this.#taken >= this.#limit && !this.#evict(realm)) return undefined;
    const places = this.#byRealm.get(realm) ?? new Set();
    const place = { giveWay };
    places.add(place);
    this.#byRealm.set(realm, places);
    this.#taken += 1;
    return () => this.#release(realm, place);
  }

  #evict(realm: string): boolean {
    let [most, ofMost]: [string, ReadonlySet<Slot>] = [realm, new Set()];
    for (const [name, places] of this.#byRealm) if (places.size > ofMost.size) [most, ofMost] = [name, places];
    // Require a difference of two, or two realms would take the same slot from each other forever.
    if ((this.#byRealm.get(realm)?.size ?? 0) + 1 >= ofMost.size) return false;
    const last = [...ofMost].at(-1);
    if (last === undefined) return false;
    this.#release(most, last);
    last.giveWay();
    return true;
  }

  #release(realm: string, place: Slot): void {
    const places = this.#byRealm.get(realm);
    if (!places?.delete(place)) return;
    this.#taken -= 1;
    if (places.size === 0) this.#byRealm.delete(realm);
  }
}

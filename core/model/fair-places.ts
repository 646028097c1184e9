interface Place {
  giveWay(): void;
}

/**
 * A bounded number of places that realms share. When all are taken, whoever comes gets the one that was taken last by the realm that
 * has the most: no realm can keep another out.
 */
export class FairPlaces {
  readonly #limit: number;
  readonly #byRealm = new Map<string, Set<Place>>();
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * @param giveWay is called when the place goes to another realm; it is given back by then
   * @returns gives the place back; once is enough, more does no harm. Undefined: all are taken, and no realm has more than this one
   */
  take(realm: string, giveWay: () => void): (() => void) | undefined {
    if (this.#taken >= this.#limit && !this.#makeRoom(realm)) return undefined;
    const places = this.#byRealm.get(realm) ?? new Set();
    const place = { giveWay };
    places.add(place);
    this.#byRealm.set(realm, places);
    this.#taken += 1;
    return () => this.#giveBack(realm, place);
  }

  #makeRoom(realm: string): boolean {
    let [most, ofMost]: [string, ReadonlySet<Place>] = [realm, new Set()];
    for (const [name, places] of this.#byRealm) if (places.size > ofMost.size) [most, ofMost] = [name, places];
    // One more than the other has would be a place that goes to and fro.
    if ((this.#byRealm.get(realm)?.size ?? 0) + 1 >= ofMost.size) return false;
    const last = [...ofMost].at(-1);
    if (last === undefined) return false;
    this.#giveBack(most, last);
    last.giveWay();
    return true;
  }

  #giveBack(realm: string, place: Place): void {
    const places = this.#byRealm.get(realm);
    if (!places?.delete(place)) return;
    this.#taken -= 1;
    if (places.size === 0) this.#byRealm.delete(realm);
  }
}

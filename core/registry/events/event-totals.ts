/** So many realms are told by name; others together. */
const MOST_REALMS = 100;
const OTHERS = '(others)';

export interface EventTotal {
  readonly realm: string;
  /** Without `_ERROR`. */
  readonly type: string;
  /** Empty: it succeeded. */
  readonly error: string;
  total: number;
}

/** How many user events there were since the process started, for `/metrics`. */
export class EventTotals {
  readonly #realms = new Map<string, Map<string, EventTotal>>();

  add(realm: string, type: string, error: string): void {
    const name = this.#realms.has(realm) || this.#realms.size < MOST_REALMS ? realm : OTHERS;
    let totals = this.#realms.get(name);
    if (totals === undefined) {
      totals = new Map();
      this.#realms.set(name, totals);
    }
    const key = `${type} ${error}`;
    const total = totals.get(key);
    if (total === undefined) totals.set(key, { realm: name, type, error, total: 1 });
    else total.total += 1;
  }

  *all(): Iterable<EventTotal> {
    for (const totals of this.#realms.values()) yield* totals.values();
  }
}

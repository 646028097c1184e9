import { randomUUID } from 'node:crypto';

/** A list that an import changes. Items are found by name and replaced without a search of the list. */
export class ImportList<T extends object> {
  readonly #keyOf: (item: T) => string;
  readonly #idsOf: (item: T) => readonly (string | undefined)[];
  readonly #items = new Set<T>();
  readonly #byKey = new Map<string, T>();
  readonly #ids: Set<string>;

  /**
   * @param idsOf every ID that an item uses
   * @param ids the used IDs, if several lists share them
   */
  constructor(
    items: readonly T[],
    parts: { keyOf: (item: T) => string; idsOf: (item: T) => readonly (string | undefined)[]; ids?: Set<string> },
  ) {
    this.#keyOf = parts.keyOf;
    this.#idsOf = parts.idsOf;
    this.#ids = parts.ids ?? new Set();
    for (const item of items) this.#add(item);
  }

  /** The first item with this name. */
  find(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** Removes the former item and appends the new one. @param make is called once the IDs of the former item are free */
  replace(former: T | undefined, make: () => T): T {
    if (former !== undefined) this.#remove(former);
    const item = make();
    this.#add(item);
    return item;
  }

  /** The ID that was sent, if no item uses it; otherwise a new one. */
  freeId(sent: string | undefined): string {
    return sent !== undefined && !this.#ids.has(sent) ? sent : randomUUID();
  }

  all(): T[] {
    return [...this.#items];
  }

  #add(item: T): void {
    this.#items.add(item);
    const key = this.#keyOf(item);
    if (!this.#byKey.has(key)) this.#byKey.set(key, item);
    for (const id of this.#idsOf(item)) if (id !== undefined) this.#ids.add(id);
  }

  #remove(item: T): void {
    this.#items.delete(item);
    if (this.#byKey.get(this.#keyOf(item)) === item) this.#byKey.delete(this.#keyOf(item));
    for (const id of this.#idsOf(item)) if (id !== undefined) this.#ids.delete(id);
  }
}

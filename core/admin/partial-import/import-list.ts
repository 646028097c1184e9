import { randomUUID } from 'node:crypto';

/** A list that an import changes. Items are found and replaced by key without a search of the list. */
export class ImportList<T extends object> {
  readonly #parts: {
    keyOf: (item: T) => string;
    idsOf: (item: T) => readonly (string | undefined)[];
    ids?: Set<string>;
  };
  readonly #items = new Set<T>();
  readonly #byKey = new Map<string, T>();
  readonly #ids: Set<string>;

  /**
   * @param parts.idsOf returns every ID that an item uses
   * @param parts.ids the used IDs, if several lists share them
   */
  constructor(
    items: readonly T[],
    parts: { keyOf: (item: T) => string; idsOf: (item: T) => readonly (string | undefined)[]; ids?: Set<string> },
  ) {
    this.#parts = parts;
    this.#ids = parts.ids ?? new Set();
    for (const item of items) this.#add(item);
  }

  /** The first item with this key. */
  find(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /**
   * Removes the previous item and appends the new one.
   * @param createItem called after the IDs of the previous item are free
   */
  replace(previousItem: T | undefined, createItem: () => T): T {
    if (previousItem !== undefined) this.#remove(previousItem);
    const item = createItem();
    this.#add(item);
    return item;
  }

  /** Returns the ID that was sent if no item uses it, otherwise a new one. */
  freeId(requestedId: string | undefined): string {
    return requestedId !== undefined && !this.#ids.has(requestedId) ? requestedId : randomUUID();
  }

  items(): T[] {
    return [...this.#items];
  }

  #add(item: T): void {
    this.#items.add(item);
    const key = this.#parts.keyOf(item);
    if (!this.#byKey.has(key)) this.#byKey.set(key, item);
    for (const id of this.#parts.idsOf(item)) if (id !== undefined) this.#ids.add(id);
  }

  #remove(item: T): void {
    this.#items.delete(item);
    if (this.#byKey.get(this.#parts.keyOf(item)) === item) this.#byKey.delete(this.#parts.keyOf(item));
    for (const id of this.#parts.idsOf(item)) if (id !== undefined) this.#ids.delete(id);
  }
}

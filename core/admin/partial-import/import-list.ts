import { randomUUID } from 'node:crypto';

/** A list of things under import: what has a name is found, and replaced by what comes, without looking through it. */
export class ImportList<T extends object> {
  readonly #keyOf: (item: T) => string;
  readonly #idsOf: (item: T) => readonly (string | undefined)[];
  readonly #items = new Set<T>();
  readonly #byKey = new Map<string, T>();
  readonly #ids: Set<string>;

  /**
   * @param idsOf every id that an item takes
   * @param ids the ids that are taken, where several lists share them
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

  /** The first item with the name. */
  find(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** Puts what comes at the end, in place of the item that goes. @param make is called when the former ids are free */
  replace(former: T | undefined, make: () => T): T {
    if (former !== undefined) this.#remove(former);
    const item = make();
    this.#add(item);
    return item;
  }

  /** The id that was sent, when it is one and nothing else has it. */
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

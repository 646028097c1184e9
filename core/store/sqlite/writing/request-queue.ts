import type { OperationName } from '../../records/operations.js';
import type { Request } from './group-commit.js';

/**
 * Operations that write many rows. Each has a transaction of its own. Not `realms.put`, because a first start with
 * thousands of small realms would write each to the disk by itself.
 */
const BULK_OPERATIONS: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['userLoads.add', 'userLoads.undo', 'realms.remove', 'sweep', 'users.index'] as const),
]);

export function isBulk([name, parameters]: Request): boolean {
  return BULK_OPERATIONS.has(name === 'fenced' ? (parameters[1] as OperationName) : name);
}

/**
 * Requests that are not sent yet. If not all of them can be sent, realms take turns, so a request does not wait for all
 * that another realm has requested before. One bulk request is taken at a time. Requests of a realm that are not bulk
 * stay in order.
 */
export class RequestQueue<Item extends { readonly request: Request }> {
  /** Those that arrived since the last turns. Usually all of them are taken at once. */
  #arrived: Item[] = [];
  #bulk: Item[] = [];
  /** By realm, in the order of their turns. */
  readonly #delayed = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    this.#size += 1;
    (isBulk(item.request) ? this.#bulk : this.#arrived).push(item);
  }

  /**
   * Removes the next requests. At most the last one is bulk.
   * @param count the maximum number
   * @param mayBeBulk false if none may be bulk
   */
  take(count: number, mayBeBulk: boolean): Item[] {
    if (count <= 0) return [];
    const bulk = mayBeBulk ? this.#bulk.shift() : undefined;
    const taken = this.#takeOthers(bulk === undefined ? count : count - 1);
    if (bulk !== undefined) taken.push(bulk);
    this.#size -= taken.length;
    return taken;
  }

  clear(): Item[] {
    const items = [...[...this.#delayed.values()].flat(), ...this.#arrived, ...this.#bulk];
    this.#delayed.clear();
    this.#arrived = [];
    this.#bulk = [];
    this.#size = 0;
    return items;
  }

  #takeOthers(count: number): Item[] {
    if (this.#delayed.size === 0 && this.#arrived.length <= count) {
      const all = this.#arrived;
      this.#arrived = [];
      return all;
    }
    for (const item of this.#arrived) this.#delay(item);
    this.#arrived = [];
    const taken: Item[] = [];
    // A realm that is set again is the last one, and the loop reaches it there.
    for (const [realm, items] of this.#delayed) {
      if (taken.length === count) break;
      taken.push(items.shift() as Item);
      this.#delayed.delete(realm);
      if (items.length > 0) this.#delayed.set(realm, items);
    }
    return taken;
  }

  #delay(item: Item): void {
    const realm = realmOf(item.request[1][0]);
    const items = this.#delayed.get(realm);
    if (items === undefined) this.#delayed.set(realm, [item]);
    else items.push(item);
  }
}

/** The realm that the first parameter of a request names; empty if it names none. */
function realmOf(parameter: unknown): string {
  if (typeof parameter === 'string') return parameter;
  if (Array.isArray(parameter)) return realmOf(parameter[0]);
  if (typeof parameter !== 'object' || parameter === null) return '';
  const { realm, args } = parameter as { readonly realm?: unknown; readonly args?: unknown };
  return typeof realm === 'string' ? realm : realmOf(args);
}

import { waitForRealmTurn } from '../model/loop-turns.js';

/** Number of items after which other requests may run. */
const ITEMS_PER_TURN = 100;

/** Iterates over a possibly long list, and regularly lets requests of other realms run. */
export async function forEachYielding<T>(
  realm: string,
  items: readonly T[],
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_TURN === 0) await waitForRealmTurn(realm);
    const result = each(item);
    if (result !== undefined) await result;
  }
}

/** Like `map`, for possibly long lists. The callback may be asynchronous. */
export async function mapYielding<T, R>(
  realm: string,
  items: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const mapped: R[] = [];
  for (let first = 0; first < items.length; first += ITEMS_PER_TURN) {
    await waitForRealmTurn(realm);
    mapped.push(...(await Promise.all(items.slice(first, first + ITEMS_PER_TURN).map(map))));
  }
  return mapped;
}

import { realmTurn } from '../model/loop-turns.js';

/** Number of items before the realm yields to other requests. */
const ITEMS_PER_TURN = 100;

/** Iterates over a possibly long list, and yields the main thread to other realms at intervals. */
export async function forEachYielding<T>(
  realm: string,
  items: readonly T[],
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_TURN === 0) await realmTurn(realm);
    const work = each(item);
    if (work !== undefined) await work;
  }
}

/** Like `map` for possibly long lists; `map` may be asynchronous. */
export async function mapYielding<T, R>(
  realm: string,
  items: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const mapped: R[] = [];
  for (let first = 0; first < items.length; first += ITEMS_PER_TURN) {
    await realmTurn(realm);
    mapped.push(...(await Promise.all(items.slice(first, first + ITEMS_PER_TURN).map(map))));
  }
  return mapped;
}

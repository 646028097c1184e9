import { realmTurn } from '../model/loop-turns.js';

/** Number of items before the realm yields to other requests. */
const TOGETHER = 100;

/** Iterates over a possibly long list, and yields the main thread to other realms at intervals. */
export async function forEachInTurns<T>(
  realm: string,
  items: readonly T[],
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % TOGETHER === 0) await realmTurn(realm);
    const work = each(item);
    if (work !== undefined) await work;
  }
}

/** Like `map` for possibly long lists; `map` may be asynchronous. */
export async function mapInTurns<T, R>(
  realm: string,
  items: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const mapped: R[] = [];
  for (let first = 0; first < items.length; first += TOGETHER) {
    await realmTurn(realm);
    mapped.push(...(await Promise.all(items.slice(first, first + TOGETHER).map(map))));
  }
  return mapped;
}

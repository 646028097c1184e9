import { realmTurn } from '../model/loop-turns.js';

/** Items of one turn of a realm. */
const TOGETHER = 100;

/** Goes through a list that may be long, in turns of the realm on the main thread. */
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

/** Like `map`, for lists that may be long; `map` may answer later. */
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

import { listPieces } from '../model/list-pieces.js';

/** Iterates over a possibly long list, and regularly lets requests of other realms run. */
export async function forEachYielding<T>(
  realm: string,
  list: readonly T[],
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  for await (const { items } of listPieces(realm, list)) {
    for (const item of items) {
      const result = each(item);
      if (result !== undefined) await result;
    }
  }
}

/** Like `map`, for possibly long lists. The callback may be asynchronous. */
export async function mapYielding<T, R>(
  realm: string,
  list: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const mapped: R[] = [];
  for await (const { items } of listPieces(realm, list)) mapped.push(...(await Promise.all(items.map(map))));
  return mapped;
}

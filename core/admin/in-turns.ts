/** So many at a time, before other requests have their turn. */
const TOGETHER = 200;

/** Goes through a list that may be long. */
export async function forEachInTurns<T>(items: readonly T[], each: (item: T) => void | Promise<void>): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % TOGETHER === 0) await new Promise(setImmediate);
    const work = each(item);
    if (work !== undefined) await work;
  }
}

/** Like `map`, for lists that may be long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  await forEachInTurns(items, (item) => void mapped.push(map(item)));
  return mapped;
}

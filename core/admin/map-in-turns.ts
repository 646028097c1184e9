/** So many at a time, before other requests have their turn. */
const TOGETHER = 200;

/** Like `map`, for lists that may be long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % TOGETHER === 0) await new Promise(setImmediate);
    mapped.push(map(item));
  }
  return mapped;
}

import { LRUCache } from 'lru-cache';

/**
 * A cache of the entries that were used last. It takes memory as it fills: with `max`, lru-cache makes lists of that length at
 * once, a millisecond of the host's start for each 10,000 places, and wipes them each time that the last entry is removed.
 * @param most entries that it keeps
 */
export function recentEntries<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}

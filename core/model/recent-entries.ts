import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU cache that allocates memory as it fills. With the option `max`, lru-cache would allocate lists of that
 * length at once, and again whenever its last entry is removed. This takes a millisecond for each 10,000 entries.
 * @param maxEntries maximum number of entries
 */
export function recentEntries<K extends {}, V extends {}>(maxEntries: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}

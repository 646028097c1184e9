import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU cache that allocates memory as it fills. With the option `max`, lru-cache allocates lists of that
 * length at once, a millisecond of the host's start for each 10,000 entries. It also clears them whenever the last
 * entry is removed.
 * @param maxEntries maximum number of entries
 */
export function recentEntries<K extends {}, V extends {}>(maxEntries: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}

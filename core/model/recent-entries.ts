import { LRUCache } from 'lru-cache';

/**
 * An LRU cache that takes memory as it fills. With `max`, lru-cache allocates lists of that length: a millisecond of
 * the host's start for each 10,000 entries. It clears them whenever the last entry is removed.
 * @param most maximum number of entries
 */
export function recentEntries<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}

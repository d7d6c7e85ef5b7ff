/** Limits a cache by its number of entries. */

/**
 * Options of an `LRUCache` with at most `count` entries, whose memory grows with its content. The option `max` would
 * allocate 22 bytes for each possible entry in advance.
 */
export function entryLimit(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}

/** The bound of a cache by its number of entries. */

/**
 * Options of an `LRUCache` with at most `count` entries, which grows with its content. With its option `max` it
 * allocates 22 bytes for each entry that it may ever have.
 */
export function entryLimit(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}

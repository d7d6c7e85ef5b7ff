/** Memory that callers may use: everything behind what the program itself holds. */

/** The first byte, a multiple of 16. */
export function heapStart(): usize {
  return (__heap_base + 15) & ~15;
}

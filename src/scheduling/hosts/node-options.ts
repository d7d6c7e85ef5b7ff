/** How V8 and the allocator of a render host divide their memory and time. */

/**
 * JavaScript heap of each thread; a job that needs more ends its thread. All golden images one after the other take 52
 * MB (measured), a fifth of it. Pixels, fonts and base renders are not part of it.
 */
const heapMbMax = 256;

/**
 * Bytes of heap from which V8 marks the whole heap. By default, V8 would start near the 18 MB of live data, which
 * renders exceed with pixels 30 times a second. Marking then took a fifth of all CPU time.
 */
const collectFromBytesDefault = 96 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** Node options of a render host, for each thread. More than V8's default of 16 MB for new objects is no faster. */
export function nodeOptions(collectFromBytes = collectFromBytesDefault): string[] {
  return [
    `--max-old-space-size=${heapMbMax}`,
    `--initial-old-space-size=${Math.round(collectFromBytes / mebibyte)}`,
    '--max-semi-space-size=4',
  ];
}

/**
 * Settings of glibc's allocator in a render host; other systems ignore them. Each thread renders one job at a time, so
 * one thread for libvips and one heap for each suffice. Four threads with a heap each kept 22 MB more before their first
 * work. Buffers from 4 MiB on, which are those above 1200 × 630 pixels, are mapped one by one and return to the system
 * when they are freed. By default that threshold rises to 32 MiB, and the holes that large buffers left in the heap were
 * up to half of the memory. Huge pages make the mapping cheap (measured: no CPU time).
 */
export function memoryEnvironment(threads: number): Record<string, string> {
  return {
    UV_THREADPOOL_SIZE: String(threads),
    MALLOC_ARENA_MAX: String(threads),
    MALLOC_MMAP_THRESHOLD_: String(4 * mebibyte),
    MALLOC_TRIM_THRESHOLD_: String(16 * mebibyte),
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  };
}

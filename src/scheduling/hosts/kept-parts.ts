/** The templates and image files that a render host keeps, as counted by the service: each is sent once. */

/** Default bytes of documents and image files that a process keeps, without its pixels and base renders. */
const keptBytesMaxDefault = 16 * 1024 * 1024;
/** Maximum of parts; by the bytes alone, there could be 8,000 of 2 KB. */
const keptCountMax = 4096;

/** An LRU list of a process's parts. Only the service decides on evictions, so both sides agree without messages. */
export class KeptParts {
  readonly #bytesMax: number;
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax = keptBytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a use of a part; returns true if the process does not have it yet, so that it must be sent. */
  use(key: string, sizeBytes: number): boolean {
    const isNew = !this.#sizes.delete(key);
    if (isNew) this.#bytes += sizeBytes;
    this.#sizes.set(key, sizeBytes);
    return isNew;
  }

  /**
   * Removes what exceeds the bounds and returns the keys, which the process drops after it has read the job that uses
   * them.
   */
  trim(): string[] {
    const forgotten: string[] = [];
    for (const [key, sizeBytes] of this.#sizes) {
      if (this.#bytes <= this.#bytesMax && this.#sizes.size <= keptCountMax) break;
      this.#sizes.delete(key);
      this.#bytes -= sizeBytes;
      forgotten.push(key);
    }
    return forgotten;
  }
}

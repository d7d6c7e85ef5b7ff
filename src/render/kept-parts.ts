/** What a render process keeps of templates and image files, as the service counts it: each is sent once. */

/** Bytes of documents and image files that a process keeps; of its pixels and base renders these are no part. */
const keptBytesMax = 32 * 1024 * 1024;
/** Documents of 2 KB each would need 16,000 to fill the bytes. */
const keptCountMax = 4096;

/** Least recently used first. The service decides alone, so neither side ever asks the other what it has. */
export class KeptParts {
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /** Counts a use of a part; true when the process does not have it yet, and it must be sent. */
  use(key: string, sizeBytes: number): boolean {
    const isNew = !this.#sizes.delete(key);
    if (isNew) this.#bytes += sizeBytes;
    this.#sizes.set(key, sizeBytes);
    return isNew;
  }

  /** Removes what is over the bounds and gives the keys, for the process to forget once it has them at hand. */
  trim(): string[] {
    const forgotten: string[] = [];
    for (const [key, sizeBytes] of this.#sizes) {
      if (this.#bytes <= keptBytesMax && this.#sizes.size <= keptCountMax) break;
      this.#sizes.delete(key);
      this.#bytes -= sizeBytes;
      forgotten.push(key);
    }
    return forgotten;
  }
}

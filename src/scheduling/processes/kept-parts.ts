/** What a render process keeps of templates and image files, as the service counts it: each is sent once. */

/** Bytes of documents and image files that a process keeps by default; its pixels and base renders are no part of them. */
const keptBytesMaxDefault = 16 * 1024 * 1024;
/** Documents of 2 KB each would need 16,000 to fill the bytes. */
const keptCountMax = 4096;

/** Least recently used first. The service decides alone, so neither side ever asks the other what it has. */
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
      if (this.#bytes <= this.#bytesMax && this.#sizes.size <= keptCountMax) break;
      this.#sizes.delete(key);
      this.#bytes -= sizeBytes;
      forgotten.push(key);
    }
    return forgotten;
  }
}

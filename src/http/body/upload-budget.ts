/** The memory of request bodies. */

/** Bytes of bodies in all connections of a server at a time, with those that handlers use. */
export const uploadsBytesMax = 64 * 1024 * 1024;

/** Counts the bytes that the bodies of one server hold. */
export class UploadBudget {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number = uploadsBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves `bytes` if they are available; returns whether they were. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Releases reserved bytes. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

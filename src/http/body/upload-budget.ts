/** The memory of request bodies. */

/** Bytes of bodies in all connections of a server at a time, with those that handlers use. */
export const uploadsBytesMax = 64 * 1024 * 1024;

/** Share of one organization, so that its slow uploads leave memory for others. */
const organizationShare = 1 / 2;

/** Counts the bytes that the bodies of one server hold. */
export class UploadBudget {
  readonly #bytesMax: number;
  /** Bytes by organization; those of requests without a key count under an empty uid, and only for one turn. */
  readonly #held = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number = uploadsBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves `bytes` if they are available to the organization; returns whether they were. */
  take(bytes: number, organizationUid: string): boolean {
    const held = (this.#held.get(organizationUid) ?? 0) + bytes;
    if (this.#bytes + bytes > this.#bytesMax || held > this.#bytesMax * organizationShare) {
      return false;
    }
    this.#bytes += bytes;
    this.#held.set(organizationUid, held);
    return true;
  }

  /** Releases reserved bytes. */
  give(bytes: number, organizationUid: string): void {
    this.#bytes -= bytes;
    const held = (this.#held.get(organizationUid) ?? 0) - bytes;
    if (held > 0) this.#held.set(organizationUid, held);
    else this.#held.delete(organizationUid);
  }
}

/** The uploads of lists that a process stores at a time. */
import { AppError } from './errors.ts';

const retryAfterSeconds = 5;

export class UploadSlots {
  readonly #what: string;
  readonly #countMax: number;
  readonly #organizationUids = new Set<string>();

  /** `what` is uploaded, in the plural; `countMax` at a time. */
  constructor(what: string, countMax: number) {
    this.#what = what;
    this.#countMax = countMax;
  }

  /** Begins `work` at once. Rejects with OVERLOADED while the organization has an upload, or all have too many. */
  async use<Result>(organizationUid: string, work: () => Promise<Result>): Promise<Result> {
    if (
      this.#organizationUids.size >= this.#countMax ||
      this.#organizationUids.has(organizationUid)
    ) {
      throw this.#tooMany();
    }
    this.#organizationUids.add(organizationUid);
    try {
      return await work();
    } finally {
      this.#organizationUids.delete(organizationUid);
    }
  }

  #tooMany(): AppError {
    return new AppError(
      'OVERLOADED',
      `Too many ${this.#what} are being uploaded: one at a time for an organization, and ${this.#countMax} in all. Send it again in a moment.`,
      { reason: 'uploads', retryAfterSeconds },
    );
  }
}

/** Limits concurrent work in all and by organization, so that slow work of one organization does not block others. */
import { AppError } from './errors.ts';

const retryAfterSeconds = 5;

export interface SlotLimits {
  /** The work in the plural, for messages: `lists are being uploaded`. */
  what: string;
  /** Upper bound for one organization. */
  organizationMax: number;
  /** Upper bound for all organizations together. */
  countMax: number;
  /** The reason of a refusal in the log. */
  reason: string;
}

export class OrganizationSlots {
  readonly #limits: SlotLimits;
  readonly #counts = new Map<string, number>();
  #count = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Begins `work` at once. Rejects as `take` throws. */
  async use<Result>(organizationUid: string, work: () => Promise<Result>): Promise<Result> {
    const giveBack = this.take(organizationUid);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /**
   * Yields the chunks of an answer and holds a slot while they are sent. Throws as `take` does. The slot is taken at
   * the first read, because a HEAD reads nothing.
   */
  stream<Chunk>(
    organizationUid: string,
    chunks: () => AsyncGenerator<Chunk>,
  ): AsyncGenerator<Chunk> {
    this.take(organizationUid)();
    return this.#whileHeld(organizationUid, chunks);
  }

  async *#whileHeld<Chunk>(
    organizationUid: string,
    chunks: () => AsyncGenerator<Chunk>,
  ): AsyncGenerator<Chunk> {
    const giveBack = this.take(organizationUid);
    try {
      yield* chunks();
    } finally {
      giveBack();
    }
  }

  /** Takes a slot and returns the function that releases it; call it once. Throws OVERLOADED if no slot is free. */
  take(organizationUid: string): () => void {
    const { organizationMax, countMax } = this.#limits;
    const count = this.#counts.get(organizationUid) ?? 0;
    if (count >= organizationMax || this.#count >= countMax) throw this.#tooMany();
    this.#change(organizationUid, 1);
    return () => this.#change(organizationUid, -1);
  }

  #change(organizationUid: string, change: number): void {
    this.#count += change;
    const count = (this.#counts.get(organizationUid) ?? 0) + change;
    if (count === 0) this.#counts.delete(organizationUid);
    else this.#counts.set(organizationUid, count);
  }

  #tooMany(): AppError {
    const { what, organizationMax, countMax, reason } = this.#limits;
    const each = organizationMax === 1 ? 'one' : organizationMax;
    return new AppError(
      'OVERLOADED',
      `Too many ${what}: ${each} at a time for an organization, and ${countMax} in all. Send it again in a moment.`,
      { reason, retryAfterSeconds },
    );
  }
}

/** Slots for uploads of `what`, in the plural: one for an organization. */
export function uploadSlots(what: string, countMax: number): OrganizationSlots {
  return new OrganizationSlots({
    what: `${what} are being uploaded`,
    organizationMax: 1,
    countMax,
    reason: 'uploads',
  });
}

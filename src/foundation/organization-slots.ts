/** Work of limited number, of which one organization has a share: what it holds for long leaves the rest to others. */
import { AppError } from './errors.ts';

const retryAfterSeconds = 5;

export interface SlotLimits {
  /** What an answer says of the work, in the plural: `lists are being uploaded`. */
  what: string;
  /** Of one organization. */
  organizationMax: number;
  /** In all. */
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
   * The chunks of an answer, with a slot while they are sent. Throws as `take` does; the slot itself is taken when the
   * first chunk is asked for, because a HEAD asks for none.
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

  /** Takes a slot and returns what gives it back, once. Throws OVERLOADED if the organization, or all, have too many. */
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

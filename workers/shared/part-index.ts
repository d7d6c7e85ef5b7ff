/**
 * The index of the parts that the threads of a host share: base renders, and decoded images. One thread makes a part, the
 * host keeps the index of all, and every thread uses it. The large arrays of a part stand once, in shared memory.
 */
import { LRUCache } from 'lru-cache';
import type { PartKind, PartReport, PartUpdate, SharedPart } from '#wire/render-wire.ts';

/** Default bound of base renders in bytes: some twenty of 1200 × 630. */
export const baseBytesMaxDefault = 128 * 1024 * 1024;

/** Default bound of decoded images in bytes. */
export const drawablesBytesMaxDefault = 32 * 1024 * 1024;

const partsMax = 1000;

/** The parts that exist, least recently used first, and what each thread does not know yet. */
export class PartIndex {
  readonly #kinds: Readonly<Record<PartKind, LRUCache<string, SharedPart>>>;
  readonly #updates = new Map<number, PartUpdate>();

  constructor(bytesMax: Readonly<Record<PartKind, number>>) {
    const create = (maxSize: number): LRUCache<string, SharedPart> =>
      new LRUCache({
        max: partsMax,
        maxSize,
        sizeCalculation: ({ bytes }) => Math.max(1, bytes),
        dispose: (_part, key, reason) => {
          if (reason !== 'set') for (const { dropped } of this.#updates.values()) dropped.push(key);
        },
      });
    this.#kinds = { base: create(bytesMax.base), image: create(bytesMax.image) };
  }

  bytesOf(kind: PartKind): number {
    return this.#kinds[kind].calculatedSize;
  }

  /** A new thread does not know any part. */
  addThread(id: number): void {
    const known = Object.values(this.#kinds).flatMap((parts) => [...parts.values()]);
    this.#updates.set(id, { made: known, dropped: [] });
  }

  removeThread(id: number): void {
    this.#updates.delete(id);
  }

  /** Takes the report of a job in thread `id`. A part above the bound of its kind is dropped at once. */
  take(id: number, { made, used }: PartReport): void {
    for (const key of used) for (const parts of Object.values(this.#kinds)) parts.get(key);
    for (const part of made) {
      for (const [other, update] of this.#updates) {
        // Threads apply what was dropped last; a part of before has the same key.
        update.dropped = update.dropped.filter((key) => key !== part.key);
        if (other !== id) update.made.push(part);
      }
      const parts = this.#kinds[part.kind];
      parts.set(part.key, part);
      if (parts.has(part.key)) continue;
      for (const { dropped } of this.#updates.values()) dropped.push(part.key);
    }
  }

  /** Returns what has changed since the previous call for thread `id`. */
  updateFor(id: number): PartUpdate {
    const { made, dropped } = this.#updates.get(id) ?? { made: [], dropped: [] };
    this.#updates.set(id, { made: [], dropped: [] });
    return { made, dropped, nextDropped: this.#nextDropped() };
  }

  /** The least recently used base render; undefined if one of average size still fits. */
  #nextDropped(): string | undefined {
    const { base } = this.#kinds;
    const usualBytes = base.calculatedSize / Math.max(1, base.size);
    if (base.calculatedSize + usualBytes <= base.maxSize) return undefined;
    const [oldest] = base.rkeys();
    return oldest;
  }
}

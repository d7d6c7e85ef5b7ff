/** What renders cost: a moving average for each kind of them, from which waiting times are told. */
import type { RenderFormat, RenderJob, RenderOutcome } from '#shared/render-job.ts';

/** Renders that cost about the same. */
export type RenderKind = Pick<RenderJob, 'templateKey' | 'format' | 'scale'>;

interface KindAverage {
  ms: number;
  samples: number;
  /** What its first renders took. */
  firstMs: number[];
}

/** What handing a job over and taking its picture may cost; a busy event loop is no rendering. */
const handoverMsMax = 5;

/** Weight of the newest render in an average: about the last twenty count. */
const averageWeight = 0.1;

/** First renders of a template are many times slower than all later ones: their median counts, once there are so many. */
const samplesMin = 8;

/** Kinds that are remembered, of the most recent renders. */
const kindsMax = 4096;

/** An average of nothing would let everything in. */
const costMsMin = 0.1;

/**
 * Milliseconds of a kind that was never drawn, at scale 1, as long as no other kind of its format was either: a
 * banner of 1200 × 630 with one text changed, on a core of 2020.
 */
const firstMs: Readonly<Record<RenderFormat, number>> = { jpeg: 5, png: 10, webp: 40, avif: 60 };

/** Renders from whose middle one it is told how wrong estimates are: the few first ones of a template do not count. */
const recentMax = 15;

/** Learns from renders, forgets the kinds that were drawn longest ago. */
export class RenderCosts {
  readonly #kinds = new Map<string, KindAverage>();
  readonly #formats = new Map<RenderFormat, number>();
  /** What the last renders took, as multiples of what they had been estimated at. */
  readonly #recent: number[] = [];
  #slowness = 1;

  /**
   * How many times its estimate a render takes at the moment, at least once: many templates of which each is drawn
   * too seldom to be known by itself are known by this.
   */
  get slowness(): number {
    return this.#slowness;
  }

  /** Whether so many of this kind were drawn that their average tells what the next one takes. */
  isKnown(kind: RenderKind): boolean {
    return (this.#kinds.get(keyOf(kind))?.samples ?? 0) >= samplesMin;
  }

  /**
   * Milliseconds of a thread that a render of this kind will take; over zero. Of a kind that was seldom drawn rather
   * too few: what is let in wrongly is found out after some renders, a burst that is refused is not.
   */
  estimateMs(kind: RenderKind): number {
    const known = this.#kinds.get(keyOf(kind));
    if (known !== undefined && known.samples >= samplesMin) return Math.max(costMsMin, known.ms);
    const { format, scale } = kind;
    const othersMs = (this.#formats.get(format) ?? firstMs[format]) * scale ** 2;
    return Math.max(costMsMin, Math.min(othersMs, known?.ms ?? Infinity));
  }

  /**
   * Counts a render by the thread's own clock, with the handover to it as far as `heldMs`, the time for which the
   * thread was held by the clock of this one, tells of it. What failed tells nothing.
   */
  learnOutcome(kind: RenderKind, outcome: RenderOutcome, heldMs: number): void {
    if (!outcome.ok) return;
    const { layoutMs, decodeMs, paintMs, encodeMs } = outcome.timings;
    const ranMs = layoutMs + decodeMs + paintMs + encodeMs;
    this.learn(kind, Math.max(ranMs, Math.min(heldMs, ranMs + handoverMsMax)));
  }

  /** Counts a render that took a thread `ms`. */
  learn(kind: RenderKind, ms: number): void {
    this.#recent.push(ms / this.estimateMs(kind));
    if (this.#recent.length > recentMax) this.#recent.shift();
    if (this.#recent.length === recentMax) this.#slowness = Math.max(1, medianOf(this.#recent));
    const key = keyOf(kind);
    const average = this.#kinds.get(key) ?? { ms, samples: 0, firstMs: [] };
    average.samples += 1;
    if (average.samples > samplesMin) average.ms += (ms - average.ms) * averageWeight;
    else {
      average.firstMs.push(ms);
      average.ms = medianOf(average.firstMs);
    }
    // The kinds drawn last stand last.
    this.#kinds.delete(key);
    this.#kinds.set(key, average);
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > kindsMax && oldest !== undefined) this.#kinds.delete(oldest);
    // What is still cold says nothing about others.
    if (average.samples > samplesMin) this.#learnFormat(kind, ms);
  }

  #learnFormat({ format, scale }: RenderKind, ms: number): void {
    const ownMs = ms / scale ** 2;
    const knownMs = this.#formats.get(format) ?? ownMs;
    this.#formats.set(format, knownMs + (ownMs - knownMs) * averageWeight);
  }
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

function keyOf({ templateKey, format, scale }: RenderKind): string {
  return `${templateKey} ${format} ${scale}`;
}

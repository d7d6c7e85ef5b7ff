/** Estimates what renders cost from what the recent ones took: robust, so that a few expensive ones change nothing for the others. */
import { outputFormats } from '#language/formats.ts';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { shareOf } from './share.ts';

/** What an estimate depends on: template, format, scale, and a coarse measure of the values. */
export type RenderKind = Pick<RenderJob, 'templateKey' | 'format' | 'scale'> & {
  values: Iterable<readonly [name: string, value: string]>;
};

export interface RenderEstimate {
  /** Milliseconds of a thread; over zero. */
  costMs: number;
  /** Renders of this kind were seen, and none of the recent ones was expensive. */
  isCheap: boolean;
}

/**
 * Latest renders of a kind that its estimate is taken from. The first ones are many times slower than the later ones:
 * until there are so many, the estimate is not theirs.
 */
const recentMax = 8;

/** Kinds remembered, those rendered last. The same number bounds the organizations' formats. */
const kindsMax = 4096;

/** An estimate of nothing would admit everything. */
const costMsMin = 0.1;

/**
 * From here on a render is expensive. Half a second: another organization's cheap render waits for at most one that
 * is not, and a first render, which compiles code and loads fonts, stays below it on a core of 2020.
 */
export const expensiveMs = 500;

/** Characters of the values in the lowest class; each further class has four times as many. */
const classCharacters = 64;

const imageSourcePattern = /^(?:https?|data|asset):/i;

/**
 * The middle one of the recent renders counts: renders of one kind that are fewer than half of it, a stranger's
 * values in a public link for instance, change no estimate. One organization's renders change no other's.
 */
export class RenderCosts {
  readonly #kinds = new RecentRenders();
  /** The same in CPU time as far as it is known: a render is expensive by its work, not by a wait for a core. */
  readonly #work = new RecentRenders();
  /** By organization and format, per pixel of scale 1. */
  readonly #formats = new RecentRenders();

  /**
   * Of a kind that was seldom rendered the estimate is rather low: renders admitted wrongly are found out after a few,
   * a burst that is refused is not.
   */
  estimate(kind: RenderKind): RenderEstimate {
    const key = keyOf(kind);
    const recent = this.#kinds.find(key);
    const work = this.#work.find(key);
    return {
      costMs: Math.max(costMsMin, this.#costMs(kind, recent)),
      isCheap: work.length > 0 && Math.max(...work) < expensiveMs,
    };
  }

  /**
   * Counts a render by `heldMs`, the time for which it held its thread: from then on the next one may start. The stages'
   * own times are less: on a busy machine a render process of low priority waits up to seconds for a core, before it
   * reads its job and between the parts of its answer. A failure says nothing.
   */
  learnOutcome(kind: RenderKind, outcome: RenderOutcome, heldMs: number): void {
    if (outcome.ok) this.learn(kind, heldMs, Math.min(heldMs, outcome.cpuMs ?? Infinity));
  }

  /** Counts a render that took a thread `ms`, in which it worked for `workMs`. */
  learn(kind: RenderKind, ms: number, workMs = ms): void {
    const key = keyOf(kind);
    this.#kinds.add(key, ms);
    this.#work.add(key, workMs);
    this.#formats.add(formatKeyOf(kind), ms / kind.scale ** 2);
  }

  #costMs(kind: RenderKind, recent: readonly number[]): number {
    if (recent.length >= recentMax) return medianOf(recent);
    const others = this.#formats.find(formatKeyOf(kind));
    const perScale =
      others.length >= recentMax ? medianOf(others) : outputFormats[kind.format].firstMs;
    const othersMs = perScale * kind.scale ** 2;
    return recent.length === 0 ? othersMs : Math.min(othersMs, medianOf(recent));
  }
}

/** The last milliseconds of each key, of the keys that were added to last. */
class RecentRenders {
  readonly #recent = new Map<string, number[]>();

  find(key: string): readonly number[] {
    return this.#recent.get(key) ?? [];
  }

  add(key: string, ms: number): void {
    const recent = this.#recent.get(key) ?? [];
    recent.push(ms);
    if (recent.length > recentMax) recent.shift();
    // The keys that were added to last stand last.
    this.#recent.delete(key);
    this.#recent.set(key, recent);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > kindsMax && oldest !== undefined) this.#recent.delete(oldest);
  }
}

/** The middle one; of an even number the lower. */
function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

function keyOf(kind: RenderKind): string {
  const { template } = shareOf(kind);
  return `${template} ${kind.format} ${kind.scale} ${classOf(kind.values)}`;
}

function formatKeyOf(kind: RenderKind): string {
  return `${shareOf(kind).organization} ${kind.format}`;
}

/** How much text the values are, in powers of four, and whether an image is among them. */
function classOf(values: RenderKind['values']): string {
  let characters = 0;
  let images = '';
  for (const [, value] of values) {
    if (imageSourcePattern.test(value)) images = ' images';
    else characters += value.length;
  }
  const size = Math.ceil(Math.log2(Math.max(characters, classCharacters) / classCharacters) / 2);
  return `${size}${images}`;
}

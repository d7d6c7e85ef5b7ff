/**
 * Estimates the cost of renders from recent ones. Robust: a few expensive renders do not change the estimate of the
 * others.
 */
import { outputFormats } from '#language/formats.ts';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { shareOf } from './share.ts';

/** The inputs of an estimate: template, format, scale, and a coarse measure of the values. */
export type RenderKind = Pick<RenderJob, 'templateKey' | 'format' | 'scale'> & {
  values: Iterable<readonly [name: string, value: string]>;
};

export interface RenderEstimate {
  /** Milliseconds of a thread; greater than zero. */
  costMs: number;
  /** Renders of this kind are known, and none of the recent ones was expensive. */
  isCheap: boolean;
}

/**
 * Latest renders of a kind in its estimate. The first renders are many times slower than later ones: the estimate
 * ignores them until there are so many.
 */
const recentMax = 8;

/** Number of kinds that are kept, the most recently rendered ones. It also bounds the organizations' formats. */
const kindsMax = 4096;

/** Minimum, because an estimate of zero would admit everything. */
const costMsMin = 0.1;

/**
 * A render from this cost on is expensive. With 500 ms, another organization's cheap render waits for at most one that
 * is not. A first render, which compiles code and loads fonts, stays below it on a core of 2020.
 */
export const expensiveMs = 500;

/** Characters of the values in the lowest class; each further class has four times as many. */
const classCharacters = 64;

const imageSourcePattern = /^(?:https?|data|asset):/i;

/**
 * Estimates by the median of recent renders. Fewer than half of the renders of a kind, such as a stranger's values in a
 * public link, change no estimate. Renders of one organization change no other organization's estimate.
 */
export class RenderCosts {
  readonly #kinds = new RecentRenders();
  /** CPU time, as far as it is known: a render is expensive by its work, not by a wait for a core. */
  readonly #work = new RecentRenders();
  /** By organization and format, per pixel of scale 1. */
  readonly #formats = new RecentRenders();

  /**
   * Returns an estimate. For a kind with few renders it is low on purpose: a few wrongly admitted renders correct it,
   * but a burst that is refused corrects nothing.
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
   * Records a render by `heldMs`, the time for which it held its thread, because the next one can start only then. The
   * sum of its stages is less: on a busy machine a render process of low priority waits up to seconds for a core,
   * before it reads its job and between the parts of its answer. A failure is not recorded.
   */
  learnOutcome(kind: RenderKind, outcome: RenderOutcome, heldMs: number): void {
    if (outcome.ok) this.learn(kind, heldMs, Math.min(heldMs, outcome.cpuMs ?? Infinity));
  }

  /** Records a render that held a thread for `ms` and worked for `workMs` of that. */
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

/** The latest milliseconds of each key, for the most recently updated keys. */
class RecentRenders {
  readonly #recent = new Map<string, number[]>();

  find(key: string): readonly number[] {
    return this.#recent.get(key) ?? [];
  }

  add(key: string, ms: number): void {
    const recent = this.#recent.get(key) ?? [];
    recent.push(ms);
    if (recent.length > recentMax) recent.shift();
    // Moves the key to the end: the map is in order of updates.
    this.#recent.delete(key);
    this.#recent.set(key, recent);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > kindsMax && oldest !== undefined) this.#recent.delete(oldest);
  }
}

/** Returns the median; the lower one of an even number. */
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

/** Class of the values: their amount of text in powers of four, and whether an image is among them. */
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

/**
 * Estimates the cost of renders from recent ones. Robust: a few expensive renders do not change the estimate of the
 * others.
 */
import { outputFormats } from '#language/formats.ts';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';

/** The inputs of an estimate: template, format, frames, scale, and a coarse measure of the values. */
export type RenderKind = Pick<RenderJob, 'templateKey' | 'format' | 'scale'> & {
  values: Iterable<readonly [name: string, value: string]>;
  /** Frames of an animated file; absent for a still image. */
  frames?: number | undefined;
};

export interface RenderEstimate {
  /** Milliseconds of a process; greater than zero. */
  costMs: number;
  /** Renders of this kind are known, and none of the recent ones was expensive. */
  isCheap: boolean;
}

/**
 * Latest renders of a kind in its estimate. The first renders are many times slower than later ones, so with fewer
 * renders their median can only lower the estimate.
 */
const recentMax = 8;

/** Maximum of kinds, and of formats of organizations, that are kept. */
const kindsMax = 4096;

/** Minimum of an estimate in ms: zero would admit everything. */
const costMsMin = 0.1;

/**
 * Cost in ms from which a render is expensive. With 500 ms, another organization's cheap render waits for at most one
 * expensive render. A first render, which compiles code and loads fonts, stays below it on a core of 2020.
 */
export const expensiveMs = 500;

/** Characters of the values in the lowest class; each further class has four times as many. */
const classCharacters = 64;

const imageSourcePattern = /^(?:https?|data|asset):/i;

/** The latest times of a kind, in ms, with their median, which is read more often than times are added. */
interface RecentTimes {
  ms: readonly number[];
  medianMs: number;
}

const noTimes: RecentTimes = { ms: [], medianMs: 0 };

interface RecentRenders {
  /** Times for which a process was held. */
  held: RecentTimes;
  /** CPU time in ms, or the held time if unknown: a wait for a core does not make a render expensive. */
  workMs: readonly number[];
  isCheap: boolean;
}

const noRenders: RecentRenders = { held: noTimes, workMs: [], isCheap: false };

/** The names under which costs are kept. */
interface CostKeys {
  kind: string;
  format: string;
}

/**
 * Estimates costs by the median of recent renders. Expensive renders that are fewer than half of their kind, such as
 * unusual values in a public link, do not change it. Organizations do not affect each other's estimates.
 */
export class RenderCosts {
  readonly #kinds = new LRUCache<string, RecentRenders>(entryLimit(kindsMax));
  /** Milliseconds by organization and format, per pixel of scale 1. */
  readonly #formats = new LRUCache<string, RecentTimes>(entryLimit(kindsMax));
  /** Keys of waiting renders, whose costs are estimated repeatedly. */
  readonly #keys = new WeakMap<RenderKind, CostKeys>();

  /**
   * Returns an estimate. For a kind with few renders it is low on purpose: wrongly admitted renders correct it, but
   * refused ones do not.
   */
  estimate(kind: RenderKind): RenderEstimate {
    const { held, isCheap } = this.#kinds.get(this.#keysOf(kind).kind) ?? noRenders;
    return { costMs: Math.max(costMsMin, this.#costMs(kind, held)), isCheap };
  }

  /**
   * Records a render by `heldMs`, the time for which it held its process, because the next render can start only then.
   * The sum of the stages is less: on a busy machine, a render thread of low priority may wait seconds for a core. A
   * render refused as too expensive or too slow after `expensiveMs` of CPU time is recorded too, because each
   * repetition takes as long. No other failure is recorded. The time of making a base render on demand does not count,
   * because no request waits for it.
   */
  learnOutcome(
    kind: RenderKind & Pick<RenderJob, 'makesBaseRender'>,
    outcome: RenderOutcome,
    heldMs: number,
  ): void {
    const { ok, cpuMs } = outcome;
    const isRefused = !ok && (outcome.code === 'TOO_EXPENSIVE' || outcome.code === 'TOO_SLOW');
    const isLate = isRefused && (cpuMs ?? 0) >= expensiveMs;
    if (!ok && !isLate) return;
    const isOnDemand = (kind.makesBaseRender ?? false) !== false;
    const { buildMs = 0 } = ok && isOnDemand ? outcome.baseRender : {};
    const ms = Math.max(0, heldMs - buildMs);
    this.learn(kind, ms, Math.min(ms, cpuMs ?? Infinity));
  }

  /** Records a render that held a process for `ms` and worked for `workMs` of that. */
  learn(kind: RenderKind, ms: number, workMs = ms): void {
    const keys = this.#keysOf(kind);
    const recent = this.#kinds.get(keys.kind) ?? noRenders;
    const works = withLatest(recent.workMs, workMs);
    this.#kinds.set(keys.kind, {
      held: withTime(recent.held, ms),
      workMs: works,
      isCheap: Math.max(...works) < expensiveMs,
    });
    const others = this.#formats.get(keys.format) ?? noTimes;
    this.#formats.set(keys.format, withTime(others, ms / kind.scale ** 2));
  }

  #costMs(kind: RenderKind, { ms, medianMs }: RecentTimes): number {
    if (ms.length >= recentMax) return medianMs;
    const others = this.#formats.get(this.#keysOf(kind).format) ?? noTimes;
    const perScale =
      others.ms.length >= recentMax ? others.medianMs : outputFormats[kind.format].firstMs;
    const othersMs = perScale * kind.scale ** 2;
    return ms.length === 0 ? othersMs : Math.min(othersMs, medianMs);
  }

  #keysOf(kind: RenderKind): CostKeys {
    let keys = this.#keys.get(kind);
    if (keys === undefined) {
      keys = { kind: keyOf(kind), format: formatKeyOf(kind) };
      this.#keys.set(kind, keys);
    }
    return keys;
  }
}

function withLatest(recent: readonly number[], ms: number): number[] {
  return [...recent, ms].slice(-recentMax);
}

/** The median is the lower one of an even number. */
function withTime(recent: RecentTimes, time: number): RecentTimes {
  const ms = withLatest(recent.ms, time);
  const medianMs = ms.toSorted((a, b) => a - b)[Math.floor((ms.length - 1) / 2)] ?? 0;
  return { ms, medianMs };
}

function keyOf(kind: RenderKind): string {
  const { template } = shareOf(kind);
  return `${template} ${fileOf(kind)} ${kind.scale} ${classOf(kind.values)}`;
}

function formatKeyOf(kind: RenderKind): string {
  return `${shareOf(kind).organization} ${fileOf(kind)}`;
}

/** The format, with the frames of an animated file in powers of two. */
function fileOf({ format, frames = 1 }: RenderKind): string {
  return frames === 1 ? format : `${format}*${Math.ceil(Math.log2(frames))}`;
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

// The organization and template of a render: the names by which the queue shares processes.

export interface RenderShare {
  /** `serviceItself` for a job that belongs to no organization. */
  organization: string;
  template: string;
}

/** The organization of warm-ups, whose keys name none: they may use all processes at a time. */
export const serviceItself = '';

/** Follows the organization in the template key of a preview; a published template has its content id there. */
export const previewKind = 'preview';

/**
 * Derives the share of a job from its template key, which starts with the organization. All previews of an organization
 * count as one template: an editor sends a new document at each move of the pointer, and must not delay links.
 */
export function shareOf({ templateKey }: Pick<RenderJob, 'templateKey'>): RenderShare {
  const end = templateKey.indexOf(':');
  const organization = end === -1 ? serviceItself : templateKey.slice(0, end);
  return {
    organization,
    template: isPreviewKey(templateKey) ? `${organization}:${previewKind}` : templateKey,
  };
}

/** Whether a template key is that of a preview. */
export function isPreviewKey(templateKey: string): boolean {
  return templateKey.startsWith(`${previewKind}:`, templateKey.indexOf(':') + 1);
}

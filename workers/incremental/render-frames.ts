/** Renders an animation: lays out every frame, paints the first as a whole, and the differences of the others. */
import { animationOf, framesOf, frameValues } from '#language/animation/frames.ts';
import { registerOrganizationFonts } from '../assets/organization-fonts.ts';
import { freeDrawables } from '../assets/drawable-cache.ts';
import { bindScene, parseTemplate } from '../bind-scene.ts';
import { decodeSources } from '../decode-sources.ts';
import { imageSize } from '../display-list.ts';
import type { DisplayItem, DisplayList } from '../display-list.ts';
import { layoutScene } from '../layout/layout.ts';
import { checkWork, leftMs, TooExpensiveError } from '../work-limit.ts';
import type { Animation } from '../encode/animation/frames.ts';
import type { JobFrame, RenderJob, RenderWarning } from '#wire/render-job.ts';
import { firstFrameWarning } from './first-frame.ts';
import type { LaidOutJob } from './make-base-render.ts';
import { findFrameChanges, requirePaintable, TooManyFramesError } from './frame-changes.ts';
import type { FrameChanges } from './frame-changes.ts';
import { paintFrames } from './paint-frames.ts';
import type { FrameList } from './paint-frames.ts';

/** The frames as pixels, and the durations of decoding and painting. */
export interface PaintedAnimation {
  animation: Animation;
  /** Whether a frame after the first has a layer that could not be drawn. */
  degraded: boolean;
  decodeMs: number;
  paintMs: number;
}

/** Lays out and paints the frames of a job. Adds each new warning of a frame. Throws the errors of a single image. */
export async function renderFrames(
  laidOut: LaidOutJob,
  { frames, plays, needsAll = false }: NonNullable<RenderJob['animation']>,
  warnings: RenderWarning[],
): Promise<PaintedAnimation> {
  const { job, list, files } = laidOut;
  const paintable = layoutPaintable(laidOut, { frames, needsAll }, warnings);
  const { lists, degraded, frameChanges, heldBytes } = paintable;
  const startedMs = performance.now();
  const items = new Set<DisplayItem>(lists.flatMap((each) => each.list.items));
  const all = { ...list, items: [...items] };
  const drawables = await decodeSources(all, files, job.scale, warnings, all.items, heldBytes);
  const decodedMs = performance.now();
  const painted = paintFrames(lists, frameChanges, drawables, job.scale);
  freeDrawables();
  const animation = { ...imageSize(list, job.scale), frames: painted, plays };
  return {
    animation,
    degraded,
    decodeMs: decodedMs - startedMs,
    paintMs: performance.now() - decodedMs,
  };
}

/**
 * Upper bound of the estimated CPU time of all frames, if some can be left out. Most renders have more time left, so
 * that the number of frames depends on the image and not on the time used before.
 */
const allFramesMsMax = 1400;

interface LaidOutFrames {
  lists: [FrameList, ...FrameList[]];
  degraded: boolean;
}

interface PaintableFrames extends LaidOutFrames {
  frameChanges: FrameChanges;
  heldBytes: number;
}

/** Lays out the frames. An animation above the bound gets fewer frames and a warning if `mayHaveFewer`. */
function layoutPaintable(
  laidOut: LaidOutJob,
  { frames, needsAll }: { frames: readonly JobFrame[]; needsAll: boolean },
  warnings: RenderWarning[],
): PaintableFrames {
  const { job } = laidOut;
  const msMax = mayHaveFewer(job) ? allFramesMsMax : Infinity;
  const all = layoutFrames(laidOut, frames, warnings);
  try {
    return requireFrames(all, job, msMax);
  } catch (error) {
    if (needsAll || msMax === Infinity || !(error instanceof TooExpensiveError)) throw error;
    const most = mostPaintable(all, error, laidOut, warnings);
    if (most === undefined) throw error;
    warnings.push(leftOutWarning(most.lists.length, frames.length, error));
    return most;
  }
}

/** Throws `TooExpensiveError` for frames that are not affordable together. */
function requireFrames(frames: LaidOutFrames, job: RenderJob, msMax: number): PaintableFrames {
  const [{ list: first }, ...later] = frames.lists;
  const lists: [DisplayList, ...DisplayList[]] = [first, ...later.map(({ list }) => list)];
  const frameChanges = findFrameChanges(lists, job.scale);
  return { ...frames, frameChanges, heldBytes: requirePaintable(lists, frameChanges, job, msMax) };
}

/** Whether frames can be left out. In other animations each frame has different values. */
function mayHaveFewer({ templateKey, templateJson }: RenderJob): boolean {
  const animation = animationOf(parseTemplate(templateKey, templateJson));
  return animation?.type === 'countdown' || animation?.type === 'motion';
}

/**
 * Returns the largest affordable number of frames; undefined if a single frame is not affordable. Starts with the
 * number estimated from the refusal of all frames. Continues in steps that double, until one more frame is too many:
 * two to four attempts for most animations. Each attempt lays out a motion. With little time left, the search therefore
 * starts lower and takes the first affordable number.
 */
function mostPaintable(
  all: LaidOutFrames,
  refusal: TooExpensiveError,
  laidOut: LaidOutJob,
  warnings: RenderWarning[],
): PaintableFrames | undefined {
  const { job } = laidOut;
  const isMotion = animationOf(parseTemplate(job.templateKey, job.templateJson))?.type === 'motion';
  const isHurried = (): boolean => isMotion && leftMs() < allFramesMsMax;
  let most: PaintableFrames | undefined;
  let tooMany = all.lists.length;
  let next = fittingFrames(refusal, tooMany, isHurried());
  for (let step = 1; next > (most?.lists.length ?? 0); step *= 2) {
    try {
      const fewer = isMotion ? layoutMotion(next, laidOut, warnings) : firstFrames(next, all);
      most = requireFrames(fewer, job, Math.min(allFramesMsMax, Math.floor(leftMs())));
      if (isHurried()) return most;
      next = Math.min(next + step, tooMany - 1);
    } catch (error) {
      if (!(error instanceof TooExpensiveError)) throw error;
      tooMany = next;
      const fitting = fittingFrames(error, tooMany, isHurried());
      next =
        most === undefined
          ? Math.min(fitting, Math.max(1, tooMany - step))
          : Math.floor((most.lists.length + tooMany) / 2);
    }
  }
  return most;
}

/** Estimates the affordable frames from the refusal of `count` frames: less than `count`; 0 if `count` is 1. */
function fittingFrames(refusal: TooExpensiveError, count: number, isHurried: boolean): number {
  const less = 3 / 4;
  const fitting = refusal instanceof TooManyFramesError ? refusal.fitting : count * less;
  return Math.min(count - 1, Math.max(1, Math.floor(fitting * (isHurried ? less : 1))));
}

/** Lays out a motion in `count` larger steps. */
function layoutMotion(
  count: number,
  laidOut: LaidOutJob,
  warnings: RenderWarning[],
): LaidOutFrames {
  const { templateKey, templateJson } = laidOut.job;
  const sequence = framesOf(parseTemplate(templateKey, templateJson), undefined, count);
  return layoutFrames(laidOut, sequence?.frames ?? [], warnings);
}

/** Returns the first seconds of a countdown. */
function firstFrames(count: number, { lists, degraded }: LaidOutFrames): LaidOutFrames {
  const [first, ...later] = lists;
  return { lists: [first, ...later.slice(0, count - 1)], degraded };
}

function leftOutWarning(count: number, designed: number, { message }: Error): RenderWarning {
  return {
    code: 'FRAMES_LEFT_OUT',
    detail: `The animation has ${count} of ${designed} frames, because with all of them it ${message}`,
  };
}

/** Returns the display list of each frame; the first is the list of the job. */
function layoutFrames(
  { job, list, files, frameItems }: LaidOutJob,
  [first, ...others]: readonly JobFrame[],
  warnings: RenderWarning[],
): LaidOutFrames {
  const template = parseTemplate(job.templateKey, job.templateJson);
  const families = registerOrganizationFonts(job.fonts);
  const known = new Set(warnings.map(warningKey));
  const lists: [FrameList, ...FrameList[]] = [{ list, delayMs: first?.delayMs ?? 0 }];
  let degraded = false;
  for (const frame of others) {
    checkWork();
    const scene = bindScene(template, frameValues(job, frame), families, { ...job, ...frame });
    const laidOut = layoutScene(scene, files.images, frameItems);
    degraded ||= laidOut.degraded;
    lists.push({ list: laidOut.displayList, delayMs: frame.delayMs });
    for (const warning of laidOut.warnings) {
      const key = warningKey(warning);
      if (known.has(key)) continue;
      known.add(key);
      warnings.push(warning);
    }
  }
  const { animation } = template;
  const isDesigned = animation !== undefined && animation.type !== 'countdown';
  const warning = isDesigned ? firstFrameWarning(lists.map(({ list: each }) => each)) : undefined;
  if (warning !== undefined && !known.has(warningKey(warning))) warnings.push(warning);
  return { lists, degraded };
}

function warningKey({ code, layer }: RenderWarning): string {
  return `${code} ${layer ?? ''}`;
}

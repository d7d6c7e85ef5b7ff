/** Renders an animation: every frame is laid out, the first is painted as a whole, and of the others what differs. */
import { animationOf, framesOf, frameValues } from '#language/animation/frames.ts';
import { registerOrganizationFonts } from '../assets/organization-fonts.ts';
import { freeDrawables } from '../assets/drawable-cache.ts';
import { bindScene, parseTemplate } from '../bind-scene.ts';
import { decodeSources } from '../decode-sources.ts';
import { imageSize } from '../display-list.ts';
import type { DisplayItem, DisplayList } from '../display-list.ts';
import { layoutScene } from '../layout/layout.ts';
import { checkWork, TooExpensiveError } from '../work-limit.ts';
import type { Animation } from '../encode/animation/frames.ts';
import type { JobFrame, RenderJob, RenderWarning } from '#wire/render-job.ts';
import { firstFrameWarning } from './first-frame.ts';
import type { LaidOutJob } from './make-base-render.ts';
import { findFrameChanges, requirePaintable } from './frame-changes.ts';
import type { FrameChanges } from './frame-changes.ts';
import { paintFrames } from './paint-frames.ts';
import type { FrameList } from './paint-frames.ts';

/** The frames as pixels, and the milliseconds of both steps. */
export interface PaintedAnimation {
  animation: Animation;
  /** A frame after the first has a layer that could not be drawn. */
  degraded: boolean;
  decodeMs: number;
  paintMs: number;
}

/** Lays out and paints the frames of a job. Adds each new warning of a frame. Throws what a single image throws. */
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
 * CPU time above which frames are left out where that is possible, by estimate. Less than what is left for most images: the
 * number then depends on the image, and not on how long it took until here.
 */
const allFramesMsMax = 1400;

interface LaidOutFrames {
  lists: [FrameList, ...FrameList[]];
  degraded: boolean;
}

/** Lays out frames that are affordable together: fewer, with a warning, of a countdown or a motion that is not. */
function layoutPaintable(
  laidOut: LaidOutJob,
  { frames, needsAll }: { frames: readonly JobFrame[]; needsAll: boolean },
  warnings: RenderWarning[],
): LaidOutFrames & { frameChanges: FrameChanges; heldBytes: number } {
  const { job } = laidOut;
  const isFixed = needsAll || !mayHaveFewer(job);
  const msMax = isFixed ? Infinity : allFramesMsMax;
  let refusal: TooExpensiveError | undefined;
  let shown = layoutFrames(laidOut, frames, warnings);
  for (;;) {
    const [{ list: first }, ...later] = shown.lists;
    const lists: [DisplayList, ...DisplayList[]] = [first, ...later.map(({ list }) => list)];
    const frameChanges = findFrameChanges(lists, job.scale);
    try {
      const { changes } = frameChanges;
      const heldBytes = requirePaintable(lists, changes, job, msMax);
      if (refusal !== undefined) {
        warnings.push(leftOutWarning(lists.length, frames.length, refusal));
      }
      return { ...shown, frameChanges, heldBytes };
    } catch (error) {
      if (isFixed || !(error instanceof TooExpensiveError)) throw error;
      const fewer = fewerFrames(shown, laidOut, warnings);
      if (fewer === undefined) throw error;
      refusal ??= error;
      shown = fewer;
    }
  }
}

/** Whether frames can be left out: each frame of values says something else. */
function mayHaveFewer({ templateKey, templateJson }: RenderJob): boolean {
  const animation = animationOf(parseTemplate(templateKey, templateJson));
  return animation?.type === 'countdown' || animation?.type === 'motion';
}

/** Three quarters of the frames: the first ones of a countdown, larger steps of a motion. Undefined where one is left. */
function fewerFrames(
  { lists, degraded }: LaidOutFrames,
  laidOut: LaidOutJob,
  warnings: RenderWarning[],
): LaidOutFrames | undefined {
  const { job } = laidOut;
  const template = parseTemplate(job.templateKey, job.templateJson);
  const count = Math.floor((lists.length * 3) / 4);
  if (count === 0) return undefined;
  if (animationOf(template)?.type === 'motion') {
    return layoutFrames(laidOut, framesOf(template, undefined, count)?.frames ?? [], warnings);
  }
  const [first, ...later] = lists;
  return { lists: [first, ...later.slice(0, count - 1)], degraded };
}

function leftOutWarning(count: number, designed: number, { message }: Error): RenderWarning {
  return {
    code: 'FRAMES_LEFT_OUT',
    detail: `The animation has ${count} of ${designed} frames, because with all of them it ${message}`,
  };
}

/** The display list of each frame; the first is that of the job. */
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
  if (warning !== undefined) warnings.push(warning);
  return { lists, degraded };
}

function warningKey({ code, layer }: RenderWarning): string {
  return `${code} ${layer ?? ''}`;
}

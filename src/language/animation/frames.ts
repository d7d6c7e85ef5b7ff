/** Computes the frames of a template's animation: the values and the time of each frame. */
import { outputFormat } from '../formats.ts';
import type { JobFrame, RenderFormat, RenderJob } from '#wire/render-job.ts';
import { clockUseOf } from '../clock/clock-use.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Animation } from '../schema/animation.ts';
import type { Template } from '../schema/template.ts';

/** Frames and their number of plays; 0 plays repeat without end. */
type FrameSequence = NonNullable<RenderJob['animation']>;

const { animationCanvasPixelsMax, animationPixelsMax } = templateLimits;
const secondMs = 1000;

/** Whether the template shows a value that changes every second. */
function showsSeconds(template: Template): boolean {
  return clockUseOf(template).shown.some(
    ({ name }) => name === 'countdown.seconds' || name === 'countdown.totalSeconds',
  );
}

/** The animation of a template. A template without one that shows the seconds of a clock has a countdown. */
export function animationOf(template: Template): Animation | undefined {
  if (template.animation !== undefined) return template.animation;
  return showsSeconds(template) ? { type: 'countdown' } : undefined;
}

/**
 * The frames from `timeMs` on; undefined for a template without an animation. A countdown has `count` frames, any other
 * animation at most `count`.
 */
export function framesOf(
  template: Template,
  timeMs: number | undefined,
  count: number = mostFrames(template),
): FrameSequence | undefined {
  const animation = animationOf(template);
  if (animation === undefined) return undefined;
  switch (animation.type) {
    case 'countdown': {
      const frames = Array.from({ length: count }, (_, index) => ({
        delayMs: secondMs,
        ...(timeMs === undefined ? {} : { timeMs: timeMs + index * secondMs }),
      }));
      return { frames, plays: animation.plays ?? 1 };
    }
    case 'values': {
      const frames = animation.frames.slice(0, count).map(({ values, seconds }) => ({
        delayMs: Math.round(seconds * secondMs),
        values,
      }));
      return { frames, plays: animation.plays ?? 0 };
    }
    case 'motion': {
      const { seconds, plays = 0 } = animation;
      const length = Math.min(motionFrames(animation), count);
      const delayMs = (seconds * secondMs) / length;
      const frames = Array.from({ length }, (_, index) => ({
        // The first frame shows the start of the motion, the last frame its end.
        motionMs: length === 1 ? 0 : (index * seconds * secondMs) / (length - 1),
        delayMs: Math.round((index + 1) * delayMs) - Math.round(index * delayMs),
      }));
      return { frames, plays };
    }
    default:
      return animation satisfies never;
  }
}

const defaultCountdownFrames = 60;

/** Frames of a motion, at least 1. Checks limit this number to `framesMax`. */
export function motionFrames({
  seconds,
  framesPerSecond = 10,
}: Pick<Extract<Animation, { type: 'motion' }>, 'seconds' | 'framesPerSecond'>): number {
  return Math.max(1, Math.round(seconds * framesPerSecond));
}

/** Number of frames of an animation, before the limit on pixels. */
export function designedFrames(animation: Animation): number {
  if (animation.type === 'countdown') return animation.frames ?? defaultCountdownFrames;
  return animation.type === 'values' ? animation.frames.length : motionFrames(animation);
}

/**
 * Number of frames of a file whose link sets no number. The limit on pixels at this scale shortens countdowns and
 * motions, but not animations with frame values.
 */
export function mostFrames(template: Template, scale = 1): number {
  const animation = animationOf(template);
  if (animation === undefined) return 1;
  const designed = designedFrames(animation);
  if (animation.type === 'values') return designed;
  return Math.max(1, Math.min(designed, animationCanvasFrames(template, scale)));
}

/** Maximum number of frames of an animation on a canvas, by the limit on pixels. */
export function animationCanvasFrames(canvas: Canvas, scale = 1): number {
  return Math.floor(animationCanvasPixelsMax / canvasPixels(canvas, scale));
}

type Canvas = Pick<Template, 'width' | 'height'>;

function canvasPixels({ width, height }: Canvas, scale: number): number {
  return width * height * scale * scale;
}

/**
 * Whether a `values` animation fits into `animationPixelsMax` at this scale even if all pixels change. None of its
 * frames can be left out. True for other animations.
 */
export function valueFramesFit(template: Template, scale: number): boolean {
  if (template.animation?.type !== 'values') return true;
  const { length } = template.animation.frames;
  return length * canvasPixels(template, scale) <= animationPixelsMax;
}

/**
 * Number of frames of a file; undefined for a still image. `isAsked`: the link asks for an animation, for formats that
 * also have stills. `wanted`: the number of frames in the link.
 */
export function frameCount(
  template: Template,
  format: RenderFormat,
  isAsked: boolean,
  wanted: number | undefined,
  scale: number,
): number | undefined {
  const { animates } = outputFormat(format);
  if (animates === 'never' || (animates === 'asked' && !isAsked)) return undefined;
  const animation = animationOf(template);
  if (animation === undefined) return undefined;
  const most = mostFrames(template, scale);
  const count = animation.type === 'countdown' ? (wanted ?? most) : Math.min(most, wanted ?? most);
  return count > 1 ? count : undefined;
}

/** The values of a job, with the values of the frame in place of those with the same name. */
export function frameValues(
  { values }: Pick<RenderJob, 'values'>,
  frame: { values?: JobFrame['values'] | undefined } | undefined,
): ReadonlyMap<string, string> {
  if (frame?.values === undefined) return values;
  const inFrame = new Map(values);
  for (const [name, value] of Object.entries(frame.values)) {
    if (inFrame.has(name)) inFrame.set(name, value);
  }
  return inFrame;
}

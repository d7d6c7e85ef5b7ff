/** The frames of a template's animation: the values and the times that each draws. */
import { outputFormat } from '../formats.ts';
import type { JobFrame, RenderFormat, RenderJob } from '#wire/render-job.ts';
import { clockUseOf } from '../clock/clock-use.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Animation } from '../schema/animation.ts';
import type { Template } from '../schema/template.ts';

/** Frames, and how often they play; 0 without end. */
type FrameSequence = NonNullable<RenderJob['animation']>;

const { animationCanvasPixelsMax, animationPixelsMax } = templateLimits;
const secondMs = 1000;

/** Whether the template draws what another second changes. */
function showsSeconds(template: Template): boolean {
  return clockUseOf(template).shown.some(
    ({ name }) => name === 'countdown.seconds' || name === 'countdown.totalSeconds',
  );
}

/** The animation of a template; a template that shows the seconds of a clock counts, also without one. */
export function animationOf(template: Template): Animation | undefined {
  if (template.animation !== undefined) return template.animation;
  return showsSeconds(template) ? { type: 'countdown' } : undefined;
}

/**
 * The frames from `timeMs` on; undefined for a template that has no animation. A countdown has `count` frames, any other
 * animation at most as many.
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
        // The frames fill the motion, from its start to its very end.
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

/** Frames of a motion, of which a document may not have more than `framesMax`. */
export function motionFrames({
  seconds,
  framesPerSecond = 10,
}: Pick<Extract<Animation, { type: 'motion' }>, 'seconds' | 'framesPerSecond'>): number {
  return Math.max(1, Math.round(seconds * framesPerSecond));
}

/** The frames of an animation as it is designed. */
export function designedFrames(animation: Animation): number {
  if (animation.type === 'countdown') return animation.frames ?? defaultCountdownFrames;
  return animation.type === 'values' ? animation.frames.length : motionFrames(animation);
}

/**
 * The frames of a file whose link asks for no number: the most for all but a countdown. A countdown has fewer seconds, and a
 * motion fewer steps, where all of them have too many pixels at this scale.
 */
export function mostFrames(template: Template, scale = 1): number {
  const animation = animationOf(template);
  if (animation === undefined) return 1;
  const designed = designedFrames(animation);
  if (animation.type === 'values') return designed;
  return Math.max(1, Math.min(designed, animationCanvasFrames(template, scale)));
}

/** The most frames of an animation on a canvas, by its pixels alone. */
export function animationCanvasFrames(canvas: Canvas, scale = 1): number {
  return Math.floor(animationCanvasPixelsMax / canvasPixels(canvas, scale));
}

type Canvas = Pick<Template, 'width' | 'height'>;

function canvasPixels({ width, height }: Canvas, scale: number): number {
  return width * height * scale * scale;
}

/** Whether frames with values of their own, of which none can be left out, are surely not too many at this scale. */
export function valueFramesFit(template: Template, scale: number): boolean {
  if (template.animation?.type !== 'values') return true;
  const { length } = template.animation.frames;
  return length * canvasPixels(template, scale) <= animationPixelsMax;
}

/**
 * The frames of a file; undefined for a file of one image. `isAsked` counts for formats that have stills, too; `wanted` is
 * the number that a link asks for.
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

/** The values of a frame: those of its job, and its own in their place. */
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

/** The times of the tracks of a motion: bars that snap to frames, and the length of all. */
import { animationCanvasFrames, motionFrames } from '#language/animation/frames.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { MotionTrack } from '#language/schema/animation.ts';
import type { Template } from '#language/schema/template.ts';
import { tracksOf } from '../../state/motion.ts';
import type { Motion } from '../../state/motion.ts';

/** Bounds of the schema. */
const secondsMin = 0.1;
const secondsMax = 60;
const framesPerSecondMax = 15;

/** Seconds between two frames. */
export function frameSeconds(motion: Motion): number {
  return motion.seconds / Math.max(1, motionFrames(motion) - 1);
}

/** From the start to the end of a track, seconds. */
export type TimeSpan = readonly [start: number, end: number];

export function spanOf({ start = 0, end }: MotionTrack, { seconds }: Motion): TimeSpan {
  return [start, end ?? seconds];
}

/** Sets the times of a track; those of the whole motion are the defaults. */
export function setSpan(track: MotionTrack, [start, end]: TimeSpan, { seconds }: Motion): void {
  if (start > 0) track.start = start;
  else delete track.start;
  if (end < seconds) track.end = end;
  else delete track.end;
}

/** What of a bar is dragged. */
export type SpanPart = 'whole' | 'start' | 'end';

/** The times of a track after a drag by some seconds, snapped to frames unless it is free; a bar stays in the motion. */
export function dragSpan(
  [start, end]: TimeSpan,
  part: SpanPart,
  bySeconds: number,
  motion: Motion,
  isFree: boolean,
): TimeSpan {
  const step = isFree ? 0.01 : frameSeconds(motion);
  const snap = (seconds: number, least: number, most: number): number =>
    milliseconds(Math.min(most, Math.max(least, Math.round(seconds / step) * step)));
  if (part === 'start') return [snap(start + bySeconds, 0, end), end];
  if (part === 'end') return [start, snap(end + bySeconds, start, motion.seconds)];
  const moved = snap(start + bySeconds, 0, motion.seconds - (end - start));
  return [moved, milliseconds(moved + end - start)];
}

/** As a document keeps a time. */
function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** The longest motion of all canvases of a document, seconds. */
export function secondsMost(document: Template, { framesPerSecond = 10 }: Motion): number {
  const frames = canvasFramesMost(document);
  return Math.min(secondsMax, Math.floor((frames * 10) / framesPerSecond) / 10);
}

/** The highest frame rate of a motion on all canvases of a document. */
export function framesPerSecondMost(document: Template, { seconds }: Motion): number {
  return Math.max(
    1,
    Math.min(framesPerSecondMax, Math.floor(canvasFramesMost(document) / seconds)),
  );
}

/** The most frames that all canvases of a document can have. */
export function canvasFramesMost(document: Template): number {
  const canvases = [document, ...(document.sizes ?? [])];
  return Math.min(templateLimits.framesMax, ...canvases.map((each) => animationCanvasFrames(each)));
}

/** Makes the motion as long as that, from what it was; tracks end with it. */
export function setSeconds(draft: Template, before: Motion, seconds: number): void {
  const motion = structuredClone(before);
  motion.seconds = Math.max(secondsMin, milliseconds(seconds));
  for (const track of tracksOf(motion)) {
    const [start, end] = spanOf(track, before);
    const isWhole = track.end === undefined;
    setSpan(track, [Math.min(start, motion.seconds), isWhole ? motion.seconds : end], motion);
  }
  draft.animation = motion;
}

/** Times of the tracks of a motion: tracks that snap to frames, and the length of the motion. */
import { animationCanvasFrames, motionFrames } from '#language/animation/frames.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { MotionTrack } from '#language/schema/animation.ts';
import type { Template } from '#language/schema/template.ts';
import { tracksOf } from '../../state/motion.ts';
import type { Motion } from '../../state/motion.ts';

/** Bounds of `seconds` and `framesPerSecond`, as in the schema. */
const secondsMin = 0.1;
const secondsMax = 60;
const framesPerSecondMax = 15;

/** Seconds between two frames. */
export function frameSeconds(motion: Motion): number {
  return motion.seconds / Math.max(1, motionFrames(motion) - 1);
}

/** Start and end of a track, seconds. */
export type TimeSpan = readonly [start: number, end: number];

export function spanOf({ start = 0, end }: MotionTrack, { seconds }: Motion): TimeSpan {
  return [start, end ?? seconds];
}

/** Sets the times of a track. Removes times that equal the start or end of the motion. */
export function setSpan(track: MotionTrack, [start, end]: TimeSpan, { seconds }: Motion): void {
  if (start > 0) track.start = start;
  else delete track.start;
  if (end < seconds) track.end = end;
  else delete track.end;
}

/** The dragged part of a bar. */
export type SpanPart = 'whole' | 'start' | 'end';

/** Times of a track after a drag, within the motion. They snap to frames, or to 0.01 s if `isFree`. */
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

/** Rounds a time to milliseconds, as documents store it. Takes and returns seconds. */
function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Maximum length of a motion that all canvases of a document allow, seconds. */
export function secondsMost(document: Template, { framesPerSecond = 10 }: Motion): number {
  const frames = canvasFramesMost(document);
  return Math.min(secondsMax, Math.floor((frames * 10) / framesPerSecond) / 10);
}

/** Maximum frame rate that all canvases of a document allow for a motion. */
export function framesPerSecondMost(document: Template, { seconds }: Motion): number {
  return Math.max(
    1,
    Math.min(framesPerSecondMax, Math.floor(canvasFramesMost(document) / seconds)),
  );
}

/** Maximum number of frames that all canvases of a document allow. */
export function canvasFramesMost(document: Template): number {
  const canvases = [document, ...(document.sizes ?? [])];
  return Math.min(templateLimits.framesMax, ...canvases.map((each) => animationCanvasFrames(each)));
}

/** Sets the length of a motion, starting from `before`. Tracks end no later than the motion. */
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

/** The tracks of a motion, and the properties that a track of a layer may change. Works on drafts of documents. */
import { isParent } from '#language/layer-tree.ts';
import type { Animation, MotionTrack } from '#language/schema/animation.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { positionOf } from './layer-sizes.ts';
import { findPosition } from './layers.ts';

export type Motion = Extract<Animation, { type: 'motion' }>;
export type TrackProperty = MotionTrack['property'];

/** Tracks of a motion at most (bound of the schema). */
export const tracksMax = 32;

/** Duration of a new motion, in seconds. */
const newSeconds = 2;

/** Returns the motion of a document; undefined without one. */
export function motionOf({ animation }: Pick<Template, 'animation'>): Motion | undefined {
  return animation?.type === 'motion' ? animation : undefined;
}

export function tracksOf({ tracks }: Motion): MotionTrack[] {
  return tracks;
}

/** Initial `from` values by property: a movement begins 80 design pixels left of or above the designed position. */
const beginnings: Readonly<Record<TrackProperty, (layer: Layer) => number | string>> = {
  x: ({ x }) => positionOf((typeof x === 'number' ? x : 0) - 80),
  y: ({ y }) => positionOf((typeof y === 'number' ? y : 0) - 80),
  opacity: () => 0,
  scale: () => 0.8,
  rotation: () => -15,
  fill: () => '#ffffff',
  typed: () => 0,
};

/** Returns the properties of a layer that a track may change, by the rules of the service. */
export function movesOf(document: Template, id: string): TrackProperty[] {
  const position = findPosition(document, id);
  if (position === undefined || isRepeated(document, id)) return [];
  const { layer, group } = position;
  const isFree = group?.type !== 'stack';
  const isFixed = typeof layer.width === 'number' && typeof layer.height === 'number';
  const { fill } = layer as { fill?: unknown };
  const isBlackText = layer.type === 'text' && fill === undefined;
  const may: Readonly<Record<TrackProperty, boolean>> = {
    x: isFree,
    y: isFree,
    opacity: true,
    scale: isFree && isFixed && !isParent(layer),
    rotation: true,
    fill: isBlackText || (typeof fill === 'string' && fill.startsWith('#')),
    typed: layer.type === 'text',
  };
  return (Object.keys(may) as TrackProperty[]).filter((property) => may[property]);
}

/** Whether a layer can get a track, which is impossible beside an animation of another type. */
export function mayAnimate(document: Template, id: string): boolean {
  const isMotion = document.animation === undefined || motionOf(document) !== undefined;
  return isMotion && movesOf(document, id).length > 0;
}

/** Whether a layer is in a stack that repeats, at any depth. */
function isRepeated(document: Template, id: string): boolean {
  for (let at = findPosition(document, id)?.group; at !== undefined;) {
    if (at.type === 'stack' && at.repeat !== undefined) return true;
    at = findPosition(document, at.id)?.group;
  }
  return false;
}

/** Adds a track from `start` seconds on, to the motion or a new one. False without a layer or with too many tracks. */
export function addTrack(draft: Template, id: string, property: TrackProperty, start = 0): boolean {
  const layer = findPosition(draft, id)?.layer;
  if (layer === undefined) return false;
  const motion = motionOf(draft) ?? { type: 'motion' as const, seconds: newSeconds, tracks: [] };
  const tracks = tracksOf(motion);
  if (tracks.length >= tracksMax) return false;
  const isLater = start > 0 && start < motion.seconds;
  const from = beginnings[property](layer);
  tracks.push({ layer: id, property, from, ...(isLater ? { start } : {}) });
  draft.animation = motion;
  return true;
}

/** Removes a track, and the motion with its last track. */
export function removeTrack(draft: Template, index: number): void {
  const motion = motionOf(draft);
  if (motion === undefined) return;
  motion.tracks.splice(index, 1);
  if (motion.tracks.length === 0) delete draft.animation;
}

/** Removes tracks whose layer is gone or repeated, and tracks that a layer in a stack may not have. */
export function settleTracks(draft: Template): void {
  const motion = motionOf(draft);
  if (motion === undefined) return;
  for (const [index, { layer, property }] of [...tracksOf(motion).entries()].toReversed()) {
    const position = findPosition(draft, layer);
    const isStacked = position?.group?.type === 'stack';
    const isLost = position === undefined || isRepeated(draft, layer);
    if (isLost || (isStacked && ['x', 'y', 'scale'].includes(property))) removeTrack(draft, index);
  }
}

/** The movement of a layer: its tracks across and down. */
import type { MotionTrack } from '#language/schema/animation.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { positionOf } from '../../state/layer-sizes.ts';
import { findPosition } from '../../state/layers.ts';
import { motionOf, tracksMax, tracksOf } from '../../state/motion.ts';
import type { Motion } from '../../state/motion.ts';

/** Offsets of the two ends of a movement from the designed position of the layer, design pixels. */
export interface Movement {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

/** The movement of a layer. Undefined if no track moves the layer, or if a variable sets its position. */
export function movementOf(motion: Motion, layer: Layer): Movement | undefined {
  const tracks = tracksOf(motion).filter(
    (track) => track.layer === layer.id && (track.property === 'x' || track.property === 'y'),
  );
  const isFixed = typeof layer.x === 'number' && typeof layer.y === 'number';
  if (tracks.length === 0 || !isFixed) return undefined;
  const offset = (axis: 'x' | 'y', end: 'from' | 'to'): number => {
    const along = tracks.filter(({ property }) => property === axis);
    const value = (end === 'from' ? along[0] : along.at(-1))?.[end];
    return typeof value === 'number' ? value - Number(layer[axis]) : 0;
  };
  const pointAt = (end: 'from' | 'to') => ({ x: offset('x', end), y: offset('y', end) });
  return { from: pointAt('from'), to: pointAt('to') };
}

/** Sets one end of a movement as an offset from the designed position. Adds a track for the other axis if needed. */
export function setMovementEnd(
  draft: Template,
  id: string,
  end: 'from' | 'to',
  offset: { x: number; y: number },
): void {
  const motion = motionOf(draft);
  const layer = findPosition(draft, id)?.layer;
  if (motion === undefined || layer === undefined) return;
  const tracks = tracksOf(motion);
  const along = (axis: 'x' | 'y'): MotionTrack[] =>
    tracks.filter((track) => track.layer === id && track.property === axis);
  for (const axis of ['x', 'y'] as const) {
    let track = end === 'from' ? along(axis)[0] : along(axis).at(-1);
    if (track === undefined) {
      const other = axis === 'x' ? along('y') : along('x');
      const [like] = end === 'from' ? other : other.slice(-1);
      if (offset[axis] === 0 || like === undefined || tracks.length >= tracksMax) continue;
      const { from: _from, to: _to, ...timing } = like;
      track = { ...timing, property: axis };
      tracks.splice(tracks.indexOf(like) + 1, 0, track);
    }
    if (offset[axis] === 0) delete track[end];
    else track[end] = positionOf(Number(layer[axis]) + offset[axis]);
  }
}

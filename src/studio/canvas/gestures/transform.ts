/** Gestures that change layers: moving, resizing and turning the selection, with snapping. */
import { batch } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import type { CanvasState, Carried } from '../canvas-state.ts';
import { labelFor, selectedPositions } from '../commands.ts';
import { moveTo, resizeTo, rotateTo, scaleWithin } from '../edit-layers.ts';
import type { Box, Handle, Point, Rect } from '../geometry.ts';
import { angleTo, boundsOf, centerOf, normalAngle, rotatePoint } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { targetsIn } from '../guides/targets.ts';
import type { Guide, Snapped } from './snapping.ts';
import { dropCopies, dropLayers, stackAt } from './stack-drop.ts';
import type { StackDrop } from './stack-drop.ts';
import { findPosition } from '../../state/layers.ts';
import { hasRatio, isRatioLocked } from '../../state/ratio-locks.ts';
import { drop, liftedFrom } from './carry.ts';
import { resizeSnapped } from './snapped-resize.ts';
import { snapMove, snapReachPx } from './snapping.ts';

/** How a press ends: with a release, before or after the pointer moved, or canceled, by Escape for example. */
export type GestureEnd = 'clicked' | 'dragged' | 'canceled';

/** A drag from press to release. Points are of the canvas, design pixels. */
export interface Gesture {
  move(point: Point, event: PointerEvent): void;
  end(how: GestureEnd): void;
  /** The gesture changes the document. Canceling the gesture reverts the change. */
  changes?: true;
}

/** A history step that combines several changes. */
interface Step {
  label: string;
  key: string;
}

/** Step of a rotation while shift is held, degrees. */
const angleStep = 15;

/** Distance within which a rotation snaps to a right angle, degrees. */
const angleReach = 2;

/** A press that changes nothing when it is dragged. */
export const nothing: Gesture = { move: () => undefined, end: () => undefined };

/** Converts a reach in screen pixels to design pixels. */
export function reachOf({ view }: CanvasState, screenPx: number): number {
  return screenPx / view.value.zoom;
}

/**
 * Moves the selection. Over a stack, a line shows where a drop inserts the layers. Layers of a stack leave it if they
 * are dropped beside all stacks. `lifted` has the layers whose image moves.
 */
export function move(
  state: CanvasState,
  from: Point,
  step?: Step,
  lifted: Carried = liftedFrom(state),
): Gesture {
  const { editor, guides, carried, insertion, positions } = state;
  const moving = selectedPositions(editor);
  const ids = moving.map(({ id }) => id);
  const bounds = boundsOf(moving.map(({ seen }) => seen));
  if (bounds === undefined) return nothing;
  const { isFloating } = lifted;
  const isCopy = isFloating && lifted.isCopy;
  const targets = targetsIn(state, ids);
  const { label, key } = step ?? { label: labelFor('Move', ids), key: `move:${ids.join()}` };
  let last: { target: StackDrop | undefined; delta: Point } | undefined;
  return {
    move(point, event) {
      const target = isFree(event) ? undefined : stackAt(state, point, ids, isCopy);
      const free = { x: bounds.x + point.x - from.x, y: bounds.y + point.y - from.y };
      const isSnapping = !isFree(event) && target === undefined;
      const moved = { ...bounds, ...free };
      const found = isSnapping ? snapMove(moved, targets, reachOf(state, snapReachPx)) : undefined;
      const { delta, met } = snappedDelta(from, point, bounds, event.shiftKey, found);
      last = { target, delta };
      batch(() => {
        guides.value = met;
        insertion.value = target?.line;
        carried.value = { ...lifted, delta, isInserting: target !== undefined };
        if (!isFloating) editor.change(label, (draft) => moveTo(draft, moving, delta), key);
      });
    },
    end: (how) => {
      if (how === 'dragged' && last !== undefined && (isFloating || last.target !== undefined)) {
        const { target, delta } = last;
        const all = positions.value;
        let dropped = ids;
        const recipe = (draft: Template): void => {
          if (isCopy) dropped = dropCopies(draft, moving, delta, target, all);
          else dropLayers(draft, moving, delta, target, all);
        };
        editor.change(label, recipe, key);
        editor.selection.value = dropped;
        state.entered.value = findPosition(editor.document.value, dropped[0] ?? '')?.group?.id;
      }
      drop(state);
    },
    changes: true,
  };
}

/** Movement of a drag: by whole pixels, along one axis while shift is held, and snapped to guides. */
function snappedDelta(
  from: Point,
  point: Point,
  bounds: Rect,
  isStraight: boolean,
  found: Snapped | undefined,
): { delta: Point; met: Guide[] } {
  let x = Math.round(point.x - from.x);
  let y = Math.round(point.y - from.y);
  if (isStraight) [x, y] = Math.abs(x) > Math.abs(y) ? [x, 0] : [0, y];
  const free = { x: bounds.x + point.x - from.x, y: bounds.y + point.y - from.y };
  const holds = { x: isStraight && x === 0, y: isStraight && y === 0 };
  const met = found?.guides.filter(({ axis }) => !holds[axis]) ?? [];
  if (met.some(({ axis }) => axis === 'x')) x = free.x + (found?.shift.x ?? 0) - bounds.x;
  if (met.some(({ axis }) => axis === 'y')) y = free.y + (found?.shift.y ?? 0) - bounds.y;
  return { delta: { x, y }, met };
}

/** Whether ctrl or the command key is held, which disables snapping. */
export function isFree(event: PointerEvent): boolean {
  return event.ctrlKey || event.metaKey;
}

/** Resizes the selected layer, or several by the frame round them. */
export function resize(state: CanvasState, handle: Handle, from: Point): Gesture | undefined {
  const { editor, guides, hint } = state;
  const chosen = selectedPositions(editor);
  const [position] = chosen;
  if (chosen.length > 1) return resizeMany(state, handle, from);
  if (position === undefined) return undefined;
  const targets = targetsIn(state, [position.id]);
  const isCorner = handle.horizontal !== 0 && handle.vertical !== 0;
  const isInRatio = hasRatio(position.layer);
  // An edge of an image cuts the image.
  const isRatioKept =
    isRatioLocked(editor, [position.id]) && (isCorner || position.layer.type !== 'image');
  const isUpright = position.motion.angle === 0 && normalAngle(position.box.rotation) === 0;
  return {
    move(point, event) {
      const delta = rotatePoint(
        { x: point.x - from.x, y: point.y - from.y },
        -position.motion.angle,
      );
      const keepsRatio = isInRatio ? isRatioKept !== event.shiftKey : isRatioKept || event.shiftKey;
      const options = {
        keepsRatio,
        fromCenter: event.altKey,
        sideMin: position.layer.type === 'line' ? 0 : 1,
        isWhole: true,
      };
      const isSnapping = isUpright && !isFree(event) && (isInRatio || !keepsRatio);
      const reach = isSnapping ? reachOf(state, snapReachPx) : 0;
      const { to, met } = resizeSnapped(position.box, handle, delta, options, targets, reach);
      const isScaled = event.shiftKey && isCorner;
      batch(() => {
        guides.value = met;
        hint.value = { text: `${round(to.width)} × ${round(to.height)}`, at: point };
        const recipe = (draft: Template): void => resizeTo(draft, position, to, isScaled);
        editor.change('Resize layer', recipe, `resize:${position.id}`);
      });
    },
    end: () => drop(state),
    changes: true,
  };
}

/** Resizes several layers by the frame round them. The frame keeps its ratio if one of them is turned. */
function resizeMany(state: CanvasState, handle: Handle, from: Point): Gesture | undefined {
  const { editor, guides, hint } = state;
  const chosen = selectedPositions(editor);
  const bounds = boundsOf(chosen.map(({ seen }) => seen));
  if (bounds === undefined) return undefined;
  const box = { ...bounds, rotation: 0 };
  const ids = chosen.map(({ id }) => id);
  const targets = targetsIn(state, ids);
  const hasTurned = chosen.some(({ seen }) => normalAngle(seen.rotation) !== 0);
  return {
    move(point, event) {
      const keepsRatio = event.shiftKey || hasTurned;
      const options = { keepsRatio, fromCenter: event.altKey, isWhole: !keepsRatio };
      const reach = keepsRatio || isFree(event) ? 0 : reachOf(state, snapReachPx);
      const delta = { x: point.x - from.x, y: point.y - from.y };
      const { to, met } = resizeSnapped(box, handle, delta, options, targets, reach);
      batch(() => {
        guides.value = met;
        hint.value = { text: `${round(to.width)} × ${round(to.height)}`, at: point };
        const label = labelFor('Resize', ids);
        const recipe = (draft: Template): void => {
          for (const position of chosen) {
            resizeTo(draft, position, scaleWithin(position, bounds, to), keepsRatio);
          }
        };
        editor.change(label, recipe, `resize:${ids.join()}`);
      });
    },
    end: () => drop(state),
    changes: true,
  };
}

/** Turns the selection about its middle. */
export function rotate(state: CanvasState, from: Point): Gesture | undefined {
  const { editor, hint } = state;
  const turning = selectedPositions(editor);
  const bounds = boundsOf(turning.map(({ seen }) => seen));
  const [single] = turning;
  if (bounds === undefined || single === undefined) return undefined;
  const center = centerOf(turning.length === 1 ? single.seen : bounds);
  const start = angleTo(center, from);
  const before = turning.length === 1 ? single.seen.rotation : 0;
  const ids = turning.map(({ id }) => id);
  return {
    move(point, event) {
      const raw = normalAngle(before + angleTo(center, point) - start);
      const angle = event.shiftKey
        ? Math.round(raw / angleStep) * angleStep
        : catchAngle(raw, event);
      const added = angle - before;
      const turned = turning.map((position) => ({
        position,
        to: turnAbout(position, center, added),
      }));
      batch(() => {
        hint.value = { text: `${normalAngle(angle)}°`, at: point };
        const label = labelFor('Rotate', ids);
        editor.change(label, (draft) => rotateTo(draft, turned), `rotate:${ids.join()}`);
      });
    },
    end: () => drop(state),
    changes: true,
  };
}

/** Rounds to whole degrees, or snaps to a right angle within `angleReach`. */
function catchAngle(degrees: number, event: PointerEvent): number {
  const right = Math.round(degrees / 90) * 90;
  if (!isFree(event) && Math.abs(degrees - right) <= angleReach) return right;
  return Math.round(degrees);
}

/** The layer's box in its own space, after it was turned about a point of the canvas. */
function turnAbout({ box, seen, motion }: LayerGeometry, center: Point, added: number): Box {
  const middle = centerOf(seen);
  const turned = rotatePoint({ x: middle.x - center.x, y: middle.y - center.y }, added);
  const shift = rotatePoint(
    { x: center.x + turned.x - middle.x, y: center.y + turned.y - middle.y },
    -motion.angle,
  );
  return { ...box, x: box.x + shift.x, y: box.y + shift.y, rotation: box.rotation + added };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

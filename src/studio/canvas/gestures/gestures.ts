/** Gestures of the pointer on the canvas: draw, select, move, resize, rotate, crop, marquee and pan. */
import { batch } from '@preact/signals';
import type { CanvasState } from '../canvas-state.ts';
import { duplicateSelected, selectedPositions } from '../commands.ts';
import type { Handle, Point } from '../geometry.ts';
import { handles, isInBox, touchesRect } from '../geometry.ts';
import { pickAt, pickIn } from '../layer-geometry.ts';
import { cropAt } from '../crop/crop.ts';
import { arranger } from '../../state/arrangement/arranger.ts';
import { topmostIds } from '../../state/layers.ts';
import { liftedFrom } from './carry.ts';
import { drawLayer } from './draw.ts';
import type { Gesture, GestureEnd } from './transform.ts';
import { move, nothing, reachOf, resize, rotate } from './transform.ts';
import { dragStack } from './stack-space.ts';
import type { SpaceName } from '../stack-spaces.ts';
import { keepInSight, toDesign } from '../canvas-state.ts';

/** Screen pixels round thin layers that count as hit. */
const hitReachPx = 4;

/** The gesture that a press begins. Undefined if the press has no meaning. */
export function beginGesture(
  state: CanvasState,
  event: PointerEvent,
  point: Point,
): Gesture | undefined {
  if (event.button === 1 || (event.button === 0 && state.isSpaceDown.value))
    return pan(state, event);
  if (event.button !== 0) return undefined;
  const tool = state.tool.value;
  if (tool === 'hand') return pan(state, event);
  if (tool !== 'select') return drawLayer(state, tool, point, event);
  const cropped = cropAt(state, handleOf(event), point);
  if (cropped !== undefined) return cropped;
  if (handleName(event) === 'rotate') return rotate(state, point);
  const space = datasetOf(event.target)['space'];
  if (space !== undefined) return dragStack(state, space as SpaceName, point);
  const found = handleOf(event);
  return found === undefined ? press(state, event, point) : resize(state, found, point);
}

function handleName({ target }: Event): string | undefined {
  return datasetOf(target)['handle'];
}

/** The resize handle under a press. Undefined if the press hit none. */
export function handleOf(event: Event): Handle | undefined {
  return handles.find(({ name }) => name === handleName(event));
}

function datasetOf(element: EventTarget | null): DOMStringMap {
  return element instanceof HTMLElement || element instanceof SVGElement ? element.dataset : {};
}

/** Updates the selection for a press on the image, and returns the gesture of a drag from there. */
function press(state: CanvasState, event: PointerEvent, point: Point): Gesture {
  const { editor, entered, positions } = state;
  const options = {
    locked: editor.locked.value,
    entered: entered.value,
    reach: reachOf(state, hitReachPx),
  };
  const hits = pickAt(positions.value, point, options);
  const selection = editor.selection.value;
  const [top] = hits;
  if (event.shiftKey) {
    if (top === undefined) return frame(state, point, selection);
    const isOn = selection.includes(top);
    select(state, isOn ? selection.filter((id) => id !== top) : [...selection, top]);
    return isOn ? nothing : move(state, point);
  }
  const isOnSelected = selectedPositions(editor).some(({ seen }) => isInBox(seen, point));
  if (event.altKey && hits.length > 0) {
    const next = hits[(hits.findIndex((id) => selection.includes(id)) + 1) % hits.length];
    return moveCopies(state, point, isOnSelected ? selection : hits.slice(0, 1), () =>
      select(state, next === undefined ? [] : [next]),
    );
  }
  if (isOnSelected) {
    const gesture = move(state, point);
    // A click selects the layer above the selection. A drag moves the selection itself.
    const end = (how: GestureEnd): void => {
      gesture.end(how);
      if (how === 'clicked' && top !== undefined) select(state, [top]);
    };
    return { ...gesture, end };
  }
  if (top === undefined) {
    batch(() => {
      select(state, []);
      entered.value = undefined;
    });
    return frame(state, point, []);
  }
  select(state, [top]);
  return move(state, point);
}

/** A drag copies layers and moves the copies, in one history step. A click calls `choose`. */
function moveCopies(
  state: CanvasState,
  point: Point,
  ids: readonly string[],
  choose: () => void,
): Gesture {
  const { editor } = state;
  let moving: Gesture | undefined;
  const begin = (): Gesture => {
    select(state, ids);
    const lifted = { ...liftedFrom(state), isCopy: true };
    // Copies inserted now would move the layers of the stack before the drop sets their position.
    if (!lifted.isFloating) duplicateSelected(editor, 0, copyGesture);
    return move(state, point, copyGesture, lifted);
  };
  return {
    move(to, event) {
      moving ??= begin();
      moving.move(to, event);
    },
    end(how) {
      moving?.end(how);
      if (how === 'clicked') choose();
      if (how === 'dragged') spreadCopies(state, ids);
    },
    changes: true,
  };
}

/** Moves dragged copies, which are selected, in the sizes that do not show. */
function spreadCopies({ editor }: CanvasState, ids: readonly string[]): void {
  const { document, selection, size, whole } = editor;
  const originals = topmostIds(document.value, ids);
  const copies = topmostIds(document.value, selection.value);
  const { code } = arranger;
  if (code === undefined || whole.value.sizes === undefined) return;
  if (copies.length !== originals.length) return;
  const pairs = new Map(originals.map((id, index) => [id, copies[index] ?? id]));
  const { label, key } = copyGesture;
  editor.changeWhole(label, (draft) => code.moveCopiesInSizes(draft, pairs, size.value), key);
}

/** History step that contains the copying and the movement. */
const copyGesture = { label: 'Duplicate', key: 'drag-copies' };

/** Selects layers in paint order, and leaves a group that none of them is in. */
function select({ editor, entered, positions }: CanvasState, ids: readonly string[]): void {
  const chosen = positions.value.filter(({ id }) => ids.includes(id));
  batch(() => {
    editor.selection.value = chosen.map(({ id }) => id);
    const group = entered.value;
    const isInside = chosen.every(({ groups }) => group !== undefined && groups.includes(group));
    if (chosen.length > 0 && !isInside) entered.value = undefined;
  });
}

function pan({ view, window, editor }: CanvasState, pressed: PointerEvent): Gesture {
  const before = view.value;
  return {
    move(_point, event) {
      const x = before.x + event.clientX - pressed.clientX;
      const y = before.y + event.clientY - pressed.clientY;
      batch(() => {
        // An image that was scrolled is no longer fitted into the window.
        editor.zoom.value = before.zoom;
        view.value = keepInSight({ ...before, x, y }, window.value, editor.document.value);
      });
    },
    end: () => undefined,
  };
}

function frame(state: CanvasState, from: Point, kept: readonly string[]): Gesture {
  const { editor, marquee, positions, entered } = state;
  return {
    move(point) {
      const rect = {
        x: Math.min(from.x, point.x),
        y: Math.min(from.y, point.y),
        width: Math.abs(point.x - from.x),
        height: Math.abs(point.y - from.y),
      };
      const options = { locked: editor.locked.value, entered: entered.value };
      const touched = pickIn(positions.value, (box) => touchesRect(box, rect), options);
      const ids = new Set([...kept, ...touched]);
      marquee.value = rect;
      select(state, [...ids]);
    },
    end: () => (marquee.value = undefined),
  };
}

/** The point of the canvas under the pointer. */
export function pointAt({ view }: CanvasState, element: Element, event: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return toDesign(view.value, { x: event.clientX - left, y: event.clientY - top });
}

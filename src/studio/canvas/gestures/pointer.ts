/** Listens to the pointer, the wheel and the keys that the canvas handles itself. */
import { batch } from '@preact/signals';
import type { CanvasState } from '../canvas-state.ts';
import { setSizeMode } from '../commands.ts';
import { takeBack } from './carry.ts';
import { isInBox } from '../geometry.ts';
import type { Handle, Point } from '../geometry.ts';
import { beginGesture, handleOf, pointAt } from './gestures.ts';
import { startCrop } from '../crop/crop.ts';
import { watchKeys } from './keys.ts';
import { pickAt, pickDeepest, seenBoxes } from '../layer-geometry.ts';
import type { Gesture } from './transform.ts';
import { reachOf } from './transform.ts';
import { keepInSight, zoomAt } from '../canvas-state.ts';

/** Maximum movement of a press that still counts as a click, screen pixels. */
const clickPx = 3;

/** Screen pixels round thin layers that count as hit. */
export const hitReachPx = 4;

/** Pixels for each line of a wheel event that counts lines (DOM, `deltaMode` 1). */
const linePx = 16;

/** Exponent of the zoom factor per pixel of the wheel: 100 px zoom by a factor of 1.28. */
const zoomPerPx = 0.0025;

interface Press {
  pointerId: number;
  gesture: Gesture;
  x: number;
  y: number;
  isMoved: boolean;
  /** Newest move event. Each animation frame processes only one. */
  last: PointerEvent | undefined;
}

/** Listens until the returned function is called. That also cancels a running gesture. */
export function watchPointer(state: CanvasState, element: HTMLElement): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const presses = createPresses(state, element);
  element.addEventListener('pointerdown', presses.down, { signal });
  element.addEventListener('pointermove', presses.move, { signal });
  element.addEventListener('pointerup', presses.up, { signal });
  element.addEventListener('pointercancel', presses.cancel, { signal });
  element.addEventListener('pointerleave', () => (state.hovered.value = undefined), { signal });
  element.addEventListener('blur', () => delete element.dataset['pointed'], { signal });
  const doubleClick = (event: MouseEvent): void => {
    if (!findSize(state, presses.clickedHandle(), event.altKey)) stepInto(state, element, event);
  };
  element.addEventListener('dblclick', doubleClick, { signal });
  const openMenu = (event: MouseEvent): void => {
    if (isInEditor(event)) return;
    presses.cancel();
    showMenu(state, event, pointAt(state, element, event));
  };
  element.addEventListener('contextmenu', openMenu, { signal });
  element.addEventListener('wheel', (event) => turnWheel(state, element, event), {
    signal,
    passive: false,
  });
  watchKeys(state, presses.cancel, signal);
  return () => {
    presses.cancel();
    listening.abort();
  };
}

interface Presses {
  down: (event: PointerEvent) => void;
  move: (event: PointerEvent) => void;
  up: (event: PointerEvent) => void;
  /** The handle that both of the last two presses hit. The first press may only have made the handle appear. */
  clickedHandle: () => Handle | undefined;
  /** Reverts the running gesture. False if none runs. */
  cancel: () => boolean;
}

function createPresses(state: CanvasState, element: HTMLElement): Presses {
  let press: Press | undefined;
  let pressed: readonly (Handle | undefined)[] = [];
  const flush = (): void => {
    const event = press?.last;
    if (press === undefined || event === undefined) return;
    press.last = undefined;
    press.gesture.move(pointAt(state, element, event), event);
  };
  return {
    down(event) {
      if (press !== undefined || isInEditor(event)) return;
      const gesture = beginGesture(state, event, pointAt(state, element, event));
      if (gesture === undefined) return;
      pressed = [pressed.at(-1), handleOf(event)];
      element.setPointerCapture(event.pointerId);
      // Hides the focus ring after a press of the pointer, even if shift is pressed during the gesture.
      element.dataset['pointed'] = 'true';
      state.hovered.value = undefined;
      const { pointerId, clientX: x, clientY: y } = event;
      press = { pointerId, gesture, x, y, isMoved: false, last: undefined };
      if (event.button === 1) event.preventDefault();
    },
    move(event) {
      if (press === undefined) {
        hover(state, element, event);
        return;
      }
      if (event.pointerId !== press.pointerId) return;
      press.isMoved ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > clickPx;
      if (!press.isMoved) return;
      if (press.last === undefined) requestAnimationFrame(flush);
      press.last = event;
    },
    up(event) {
      if (event.pointerId !== press?.pointerId) return;
      flush();
      const { gesture, isMoved } = press;
      press = undefined;
      gesture.end(isMoved ? 'dragged' : 'clicked');
      state.editor.endGesture();
    },
    clickedHandle: () => (pressed[0] === pressed[1] ? pressed[0] : undefined),
    cancel() {
      if (press === undefined) return false;
      const { gesture, isMoved } = press;
      press = undefined;
      gesture.end('canceled');
      if (isMoved && gesture.changes === true) takeBack(state);
      return true;
    },
  };
}

function isInEditor({ target }: Event): boolean {
  return target instanceof Element && target.closest('.text-editor') !== null;
}

function hover(state: CanvasState, element: HTMLElement, event: PointerEvent): void {
  const { editor, entered, hovered, positions, editing } = state;
  const isOver =
    state.tool.value === 'select' &&
    event.target instanceof Element &&
    event.target.closest('[data-handle]') === null;
  const reach = reachOf(state, hitReachPx);
  const options = { locked: editor.locked.value, entered: entered.value, reach };
  const point = pointAt(state, element, event);
  const ids = isOver && editing.value === undefined ? pickAt(positions.value, point, options) : [];
  const top = positions.value.find(({ id }) => id === ids[0]);
  const isSelected = editor.selection.value.includes(top?.id ?? '');
  const boxes = top === undefined || isSelected ? [] : seenBoxes(top);
  hovered.value = boxes.find((box) => isInBox(box, point, reach)) ?? boxes[0];
}

/** Opens the menu at a press. A press outside the selection first selects a layer, a locked one if no other is hit. */
function showMenu(state: CanvasState, event: MouseEvent, point: Point): void {
  event.preventDefault();
  const { editor, entered, menu, positions, selected } = state;
  const options = { entered: entered.value, reach: reachOf(state, hitReachPx) };
  const [free] = pickAt(positions.value, point, { ...options, locked: editor.locked.value });
  const [any] = pickAt(positions.value, point, { ...options, locked: new Set<string>() });
  const top = free ?? any;
  const isOnSelected = selected.value.some(({ seen }) => isInBox(seen, point));
  batch(() => {
    if (!isOnSelected) editor.selection.value = top === undefined ? [] : [top];
    menu.value = { screen: { x: event.clientX, y: event.clientY }, at: roundPoint(point) };
  });
}

function roundPoint({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Handles a double click: enters the next group, edits a text or crops an image. */
function stepInto(state: CanvasState, element: HTMLElement, event: MouseEvent): void {
  if (isInEditor(event)) return;
  const { editor, entered, positions, editing } = state;
  const point = pointAt(state, element, event);
  const options = { locked: editor.locked.value, reach: reachOf(state, hitReachPx) };
  const deepest = pickDeepest(positions.value, point, options);
  if (deepest === undefined) return;
  const [top] = pickAt(positions.value, point, { ...options, entered: entered.value });
  batch(() => {
    if (top === undefined || top === deepest.id) {
      editor.selection.value = [deepest.id];
    } else {
      entered.value = top;
      const [next] = pickAt(positions.value, point, { ...options, entered: top });
      editor.selection.value = next === undefined ? [] : [next];
    }
    const isText = editor.selection.value[0] === deepest.id && deepest.layer.type === 'text';
    if (isText) editing.value = { id: deepest.id, isText: false };
  });
  if (editor.selection.value[0] === deepest.id && state.cropping.value === undefined) {
    startCrop(state);
  }
}

/** Sets the size of an edge handle to hug, or to fill with alt. False if no selected layer allows that. */
function findSize({ editor }: CanvasState, handle: Handle | undefined, isFill: boolean): boolean {
  if (handle === undefined || (handle.horizontal !== 0 && handle.vertical !== 0)) return false;
  const size = handle.horizontal === 0 ? 'height' : 'width';
  return setSizeMode(editor, size, isFill ? 'fill' : 'hug');
}

function turnWheel(state: CanvasState, element: HTMLElement, event: WheelEvent): void {
  event.preventDefault();
  const { editor, view, window } = state;
  const unit = event.deltaMode === 1 ? linePx : 1;
  const before = view.value;
  const { left, top } = element.getBoundingClientRect();
  const at = { x: event.clientX - left, y: event.clientY - top };
  const [x, y] =
    event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  const next =
    event.ctrlKey || event.metaKey
      ? zoomAt(before, before.zoom * Math.exp(-event.deltaY * unit * zoomPerPx), at)
      : { ...before, x: before.x - x * unit, y: before.y - y * unit };
  batch(() => {
    view.value = keepInSight(next, window.value, editor.document.value);
    editor.zoom.value = next.zoom;
  });
}

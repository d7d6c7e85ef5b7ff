/** Keys that the canvas handles itself: tools, panning, and entering and leaving layers. */
import { batch } from '@preact/signals';
import { isParent } from '#language/layer-tree.ts';
import type { CanvasState } from '../canvas-state.ts';
import { panCrop, startCrop } from '../crop/crop.ts';
import type { Point } from '../geometry.ts';
import { toScreen } from '../canvas-state.ts';
import { boundsOf, centerOf } from '../geometry.ts';
import { asksForMenu } from '../../wording.ts';
import { toolOf } from '../tools/tools.ts';
import { drawInSight } from './draw.ts';
import { takesLayerKeys, watchFocus } from './layer-keys.ts';

/** Listens until `signal` aborts. `cancel` reverts the running gesture, and returns false if none runs. */
export function watchKeys(state: CanvasState, cancel: () => boolean, signal: AbortSignal): void {
  watchFocus(signal);
  // False after a press of the pointer until Tab is pressed, because a clicked button keeps the focus.
  let isReached = true;
  // Whether the pointer moved after the last Tab. People who use the keyboard leave it anywhere.
  let isMoved = false;
  // What the held Space would press. A drag takes it back.
  let held: Element | null | undefined;
  const onPress = (): void => {
    isReached = false;
    held = undefined;
  };
  globalThis.addEventListener('pointerdown', onPress, { signal, capture: true });
  const onMove = (): void => {
    isMoved = true;
  };
  globalThis.addEventListener('pointermove', onMove, { signal, capture: true });
  // Captures, to run before the shortcuts, whose Escape clears the selection.
  const onKey = (event: KeyboardEvent): void => {
    isReached ||= event.key === 'Tab';
    isMoved &&= event.key !== 'Tab';
    // A popover of the canvas can be inside of its window.
    const isOnCanvas =
      document.querySelector('.canvas-window:hover') !== null &&
      document.querySelector('[popover]:hover') === null;
    const isOver = isMoved && isOnCanvas;
    pressKey(state, cancel, event, { isReached, isOver });
    if (event.key !== ' ' || event.repeat) return;
    held = event.defaultPrevented ? document.activeElement : undefined;
  };
  globalThis.addEventListener('keydown', onKey, { signal, capture: true });
  const onKeyUp = ({ key }: KeyboardEvent): void => {
    if (key === ' ') {
      state.isSpaceDown.value = false;
      if (held === document.activeElement && held?.matches(pressedSelector)) {
        (held as HTMLElement).click();
      }
      held = undefined;
    }
    if (key === 'Alt') state.isMeasuring.value = false;
  };
  globalThis.addEventListener('keyup', onKeyUp, { signal });
  const onBlur = (): void => {
    held = undefined;
    state.isSpaceDown.value = false;
    state.isMeasuring.value = false;
  };
  globalThis.addEventListener('blur', onBlur, { signal });
}

/** What the pointer and Tab did before a key press. */
interface Before {
  /** Tab moved the focus, and no press of the pointer followed. */
  isReached: boolean;
  /** The pointer is over the canvas, and moved after the last Tab. */
  isOver: boolean;
}

/** Elements that Space presses. */
const pressedSelector = 'button, summary, [type="checkbox"], [type="radio"]';

/** Inputs that take no spaces: those of numbers, and those in which nobody types. */
const spacelessSelector =
  'select, input:is([inputmode="decimal"], [inputmode="numeric"], [type="number"], [type="checkbox"], [type="radio"], [type="range"])';

function pressKey(
  state: CanvasState,
  cancel: () => boolean,
  event: KeyboardEvent,
  { isReached, isOver }: Before,
): void {
  const { isSpaceDown, tool } = state;
  const { target } = event;
  const element = target instanceof Element ? target : undefined;
  if (element?.closest('dialog')) return;
  const isInPopover = element?.closest('[popover]') != null;
  const isField = element?.closest('input, textarea, select, [contenteditable]') != null;
  const isButton = element?.closest('button, a, summary') != null;
  const takesSpace = isField && !element.matches(spacelessSelector);
  const isAway = !isField && !isInPopover && !(isButton && isReached);
  const holdsView = isOver ? !takesSpace : isAway;
  if (event.key === ' ' && holdsView) {
    isSpaceDown.value = true;
    event.preventDefault();
  }
  if (isField || isInPopover || pressInCrop(state, event)) return;
  state.isMeasuring.value = event.key === 'Alt';
  const leaves = (): boolean =>
    cancel() || leaveCrop(state) || leaveText(state) || leaveTool(state) || leaveGroup(state);
  if (event.key === 'Escape' && leaves()) event.stopImmediatePropagation();
  const isInCanvas = element?.closest('.canvas') != null;
  const chosen = takesLayerKeys(target) ? toolOf(event) : undefined;
  if (chosen !== undefined) {
    event.preventDefault();
    tool.value = chosen;
  }
  if (isInCanvas && asksForMenu(event)) {
    event.preventDefault();
    openMenu(state);
  }
  const isInWindow = element?.closest('.canvas-window') != null;
  const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (event.key === 'Enter' && !isHeld && isInWindow && !isButton) enter(state, event);
}

/** Opens the menu at the middle of the selection, or of the window if nothing is selected. */
function openMenu({ menu, selected, view, window }: CanvasState): void {
  const frame = document.querySelector('.canvas-window')?.getBoundingClientRect();
  const bounds = boundsOf(selected.value.map(({ seen }) => seen));
  const { width, height } = window.value;
  const middle = { x: width / 2, y: height / 2 };
  const { x, y } = bounds === undefined ? middle : toScreen(view.value, centerOf(bounds));
  const screen = { x: x + (frame?.left ?? 0), y: y + (frame?.top ?? 0) };
  menu.value = { screen, at: undefined };
}

/** Adds a layer with a drawing tool, or enters the selected layer. */
function enter(state: CanvasState, event: KeyboardEvent): void {
  const tool = state.tool.value;
  if (tool !== 'select' && tool !== 'hand') {
    event.preventDefault();
    drawInSight(state, tool);
    return;
  }
  event.preventDefault();
  enterSelected(state);
}

/** Enters the only selected layer: crops an image, edits a text, or selects the top layer of a group. */
export function enterSelected(state: CanvasState): void {
  const { editor, entered, editing, selected } = state;
  const [position, ...others] = selected.value;
  if (position === undefined || others.length > 0 || editor.locked.value.has(position.id)) return;
  startCrop(state);
  if (position.layer.type === 'text') editing.value = { id: position.id, isText: false };
  if (isParent(position.layer)) {
    batch(() => {
      entered.value = position.id;
      const inside = isParent(position.layer) ? position.layer.layers.at(-1) : undefined;
      if (inside !== undefined) editor.selection.value = [inside.id];
    });
  }
}

function leaveCrop({ cropping }: CanvasState): boolean {
  const isOpen = cropping.value !== undefined;
  cropping.value = undefined;
  return isOpen;
}

/** Distance that an arrow key moves a cropped image in its box, without and with shift, design pixels. */
const panPx = { near: 1, far: 10 };

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Handles arrow keys and Enter during a crop. True if it handled the key. */
function pressInCrop(state: CanvasState, event: KeyboardEvent): boolean {
  const way = arrows[event.key];
  if (state.cropping.value === undefined || (way === undefined && event.key !== 'Enter')) {
    return false;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  const far = event.shiftKey ? panPx.far : panPx.near;
  if (way === undefined) leaveCrop(state);
  else panCrop(state, { x: way.x * far, y: way.y * far });
  return true;
}

/** Ends the editing of a text whose field has no focus yet. */
function leaveText({ editing }: CanvasState): boolean {
  const isOpen = editing.value !== undefined;
  editing.value = undefined;
  return isOpen;
}

/** Returns to the selection tool. False if it is active already. */
function leaveTool({ tool }: CanvasState): boolean {
  const isTool = tool.value !== 'select';
  tool.value = 'select';
  return isTool;
}

/** Leaves the entered group and selects it. False if no group is entered. */
function leaveGroup({ editor, entered, positions }: CanvasState): boolean {
  const group = positions.value.find(({ id }) => id === entered.value);
  if (group === undefined) return false;
  batch(() => {
    entered.value = group.groups.at(-1);
    editor.selection.value = [group.id];
  });
  return true;
}

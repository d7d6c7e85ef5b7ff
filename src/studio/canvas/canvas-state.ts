/** What the parts of one canvas share: the view, the boxes of layers, and what a gesture shows while it runs. */
import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor, Frame } from '../state/editor.ts';
import { boundsOf } from './geometry.ts';
import type { Box, Point, Rect } from './geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';
import { placeLayers } from './layer-geometry.ts';
import type { Guide } from './gestures/snapping.ts';
import { createAids } from './guides/aids.ts';
import type { Aids } from './guides/aids.ts';

/** The state of a canvas. Lengths of `view` and `window` are screen pixels, all others design pixels. */
export interface CanvasState {
  readonly editor: Editor;
  readonly view: Signal<View>;
  readonly window: Signal<Size>;
  /** Every layer in paint order. */
  readonly positions: ReadonlySignal<readonly LayerGeometry[]>;
  /** Those that are selected, as they are seen. */
  readonly selected: ReadonlySignal<readonly LayerGeometry[]>;
  /** The innermost group that one has stepped into. */
  readonly entered: Signal<string | undefined>;
  /** The layer under the pointer, to be outlined. */
  readonly hovered: Signal<Box | undefined>;
  readonly guides: Signal<readonly Guide[]>;
  /** The line, between two points of the canvas, at which what is dragged comes into a stack. */
  readonly insertion: Signal<readonly [Point, Point] | undefined>;
  readonly marquee: Signal<Rect | undefined>;
  /** What a gesture tells about itself at the pointer: `320 × 80`, `15°`. */
  readonly hint: Signal<{ text: string; at: Point } | undefined>;
  /** How far the carried bitmap is from where it was drawn; undefined while nothing is carried. */
  readonly carried: Signal<Carried | undefined>;
  readonly editing: Signal<Editing | undefined>;
  /** While a text with bindings is typed: the image that shows them as they are written. */
  readonly typing: Signal<Frame | undefined>;
  /** What is on the canvas while nothing is carried. */
  readonly shown: ReadonlySignal<Frame | undefined>;
  readonly isSpaceDown: Signal<boolean>;
  /** What a press on the image does. */
  readonly tool: Signal<Tool>;
  readonly aids: Signal<Aids>;
  /** The image that is cropped. */
  readonly cropping: Signal<Cropping | undefined>;
  /** The open menu of the selected layers. */
  readonly menu: Signal<MenuPosition | undefined>;
  /** Alt is held: distances are shown. */
  readonly isMeasuring: Signal<boolean>;
  /** An image is held over the canvas, to be dropped. */
  readonly isDropTarget: Signal<boolean>;
  /** The image that is being stored, and its progress from 0 to 1; undefined if unknown. */
  readonly uploading: Signal<{ name: string; part: number | undefined } | undefined>;
}

/** The image that is cropped. */
export interface Cropping {
  id: string;
  /** Its address or asset, as it is drawn. */
  source: string;
  /** The box of the whole image on the canvas, where it begins. */
  whole: Rect;
  /** The layer then. */
  from: ImageLayer;
}

/** Where a menu is: on the screen, and what of the canvas was pressed; undefined when a key opened it. */
export interface MenuPosition {
  screen: Point;
  at: Point | undefined;
}

/** A kind of layer that is drawn on the canvas. */
export type DrawnKind = 'text' | 'rect' | 'ellipse' | 'line' | 'image';

export type Tool = 'select' | 'hand' | DrawnKind;

/** The text layer that is edited in place. */
export interface Editing {
  id: string;
  /** Its text, also where that is one variable alone, whose sample value would be edited. */
  isText: boolean;
}

/** A bitmap of layers that is moved, or turned about a point, until the exact image is there. */
export interface Carried {
  /** Of the canvas. */
  delta: Point;
  angle: number;
  center: Point;
  /** Its box is another one: the bitmap is stretched to it. */
  stretch?: { from: Box; to: Box };
  /** The gesture is over: the next image of the newest document replaces it. */
  isDropped: boolean;
  /** The document changes at the drop alone: a stack positions the layers until then. */
  isFloating: boolean;
  /** A drop makes copies of it: the layers stay where they are. */
  isCopy: boolean;
  /** It would come into the stack under the pointer: the bitmap is on top of all. */
  isInserting: boolean;
  ids: readonly string[];
  /** The document before the gesture: what the bitmap is drawn from. */
  from: Template;
}

/** The canvases of editors, for commands that know the editor alone. */
const canvases = new WeakMap<Editor, CanvasState>();

/** The middle of what the window shows of the image, design pixels; that of the image when it shows none. */
export function middleInSight(editor: Editor): Point {
  const { width, height } = editor.document.value;
  const state = canvases.get(editor);
  const size = state?.window.value ?? { width: 0, height: 0 };
  const view = state?.view.value ?? { x: 0, y: 0, zoom: 1 };
  const corner = toDesign(view, { x: 0, y: 0 });
  const end = toDesign(view, { x: size.width, y: size.height });
  return {
    x: middleOf(corner.x, end.x, width),
    y: middleOf(corner.y, end.y, height),
  };
}

/** The middle of the part of a side that lies between two positions, or of all of it. */
function middleOf(start: number, end: number, side: number): number {
  if (end <= 0 || start >= side) return Math.round(side / 2);
  return Math.round((Math.max(0, start) + Math.min(side, end)) / 2);
}

/** The canvas of an editor that is shown. */
export function canvasOf(editor: Editor): CanvasState | undefined {
  return canvases.get(editor);
}

/** Shows the image one usual step larger (1) or smaller (-1). */
export function stepZoom(editor: Editor, direction: 1 | -1): void {
  const zoom = canvases.get(editor)?.view.value.zoom ?? 1;
  editor.zoom.value = nextZoom(zoom, direction);
}

/** Shows the selected layers as large as the window holds them, in its middle. */
export function zoomToSelection(editor: Editor): void {
  const state = canvases.get(editor);
  const bounds = boundsOf(state?.selected.value.map(({ seen }) => seen) ?? []);
  if (state === undefined || bounds === undefined) return;
  const { width, height } = state.window.value;
  const wide = (width - 2 * fitMarginPx) / Math.max(1, bounds.width);
  const high = (height - 2 * fitMarginPx) / Math.max(1, bounds.height);
  const zoom = Math.min(Math.max(Math.min(wide, high), zoomMin), closeZoomMax);
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  batch(() => {
    state.view.value = { zoom, x: width / 2 - middle.x * zoom, y: height / 2 - middle.y * zoom };
    editor.zoom.value = zoom;
  });
}

export function createCanvasState(editor: Editor): CanvasState {
  const view = signal<View>({ x: 0, y: 0, zoom: 1 });
  const typing = signal<Frame | undefined>(undefined);
  const positions = computed(() => placeLayers(editor.document.value, editor.frame.value?.report));
  const selected = computed(() => {
    const ids = new Set(editor.selection.value);
    return positions.value.filter(({ id }) => ids.has(id));
  });
  const state: CanvasState = {
    editor,
    positions,
    selected,
    view,
    window: signal({ width: 0, height: 0 }),
    entered: signal(undefined),
    hovered: signal(undefined),
    guides: signal([]),
    insertion: signal(undefined),
    marquee: signal(undefined),
    hint: signal(undefined),
    carried: signal(undefined),
    editing: signal(undefined),
    typing,
    shown: computed(() => typing.value ?? editor.frame.value),
    isSpaceDown: signal(false),
    tool: signal<Tool>('select'),
    aids: createAids(editor.uid),
    cropping: signal(undefined),
    menu: signal(undefined),
    isMeasuring: signal(false),
    isDropTarget: signal(false),
    uploading: signal(undefined),
  };
  canvases.set(editor, state);
  return state;
}

// The view: zoom and scroll, and the points that they convert.

/** Screen pixels from the window's corner to the image's, and screen pixels a design pixel. */
export interface View extends Point {
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const zoomMin = 0.02;
export const zoomMax = 32;

/** The largest zoom to a selection: a dot is not shown as a wall. */
const closeZoomMax = 8;

/** Screen pixels that are free round an image that fits. */
const fitMarginPx = 48;

/** What + and − go through. */
const zoomSteps = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** The zoom at which the whole image is seen, at most 1: nothing is enlarged unasked. */
export function fitZoom(window: Size, image: Size): number {
  const wide = (window.width - 2 * fitMarginPx) / image.width;
  const high = (window.height - 2 * fitMarginPx) / image.height;
  return Math.min(1, Math.max(zoomMin, Math.min(wide, high)));
}

/** The image in the middle of the window. */
export function centerView(window: Size, image: Size, zoom: number): View {
  return {
    zoom,
    x: Math.round((window.width - image.width * zoom) / 2),
    y: Math.round((window.height - image.height * zoom) / 2),
  };
}

/** The view at another zoom, where what lies under `at`, a point of the window, stays there. */
export function zoomAt(view: View, zoom: number, at: Point): View {
  const used = Math.min(Math.max(zoom, zoomMin), zoomMax);
  const design = toDesign(view, at);
  return { zoom: used, x: at.x - design.x * used, y: at.y - design.y * used };
}

/** Keeps a part of the image in sight. */
export function keepInSight(view: View, window: Size, image: Size): View {
  const seenPx = 60;
  const clamp = (position: number, length: number, side: number): number =>
    Math.min(Math.max(position, seenPx - side * view.zoom), length - seenPx);
  return {
    zoom: view.zoom,
    x: clamp(view.x, window.width, image.width),
    y: clamp(view.y, window.height, image.height),
  };
}

/** The next larger (1) or smaller (-1) usual zoom. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const slack = 1.001;
  if (direction === 1) return zoomSteps.find((step) => step > zoom * slack) ?? zoomMax;
  return zoomSteps.findLast((step) => step < zoom / slack) ?? zoomMin;
}

export function toDesign(view: View, { x, y }: Point): Point {
  return { x: (x - view.x) / view.zoom, y: (y - view.y) / view.zoom };
}

export function toScreen(view: View, { x, y }: Point): Point {
  return { x: view.x + x * view.zoom, y: view.y + y * view.zoom };
}

/** Screen pixels between a box and what stands beside it, and between that and the window. */
const besidePx = 8;

/** Screen pixels at the top and the bottom of the window that its bars take. */
const barsPx = 58;

/**
 * The corner of what is `size` large: below the box or above it, inside the window and clear of its bars; where it
 * fits neither way, over a bar rather than over the box.
 */
export function placeBeside(box: Rect, size: Size, window: Size, gapPx = besidePx): Point {
  const below = box.y + box.height + gapPx;
  const above = box.y - gapPx - size.height;
  const lowest = window.height - barsPx - size.height;
  const clear = [Math.max(below, barsPx), Math.min(above, lowest)];
  const last = window.height - besidePx - size.height;
  const y =
    clear.find((each) => each >= barsPx && each <= lowest) ??
    [below, above].find((each) => each >= besidePx && each <= last) ??
    Math.min(Math.max(below, barsPx), lowest);
  const x = Math.min(box.x, window.width - besidePx - size.width);
  return { x: Math.round(Math.max(besidePx, x)), y: Math.round(Math.max(besidePx, y)) };
}

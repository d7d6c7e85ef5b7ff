/** Shared state of one canvas: the view, the boxes of layers, and the feedback of gestures. */
import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor, Frame } from '../state/editor.ts';
import { boundsOf, centerOf } from './geometry.ts';
import type { Box, Point, Rect } from './geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';
import { placeLayers } from './layer-geometry.ts';
import type { Guide } from './gestures/snapping.ts';
import { createAids } from './guides/aids.ts';
import type { Aids } from './guides/aids.ts';
import { areaClearOfBars } from './tools/bars.ts';

/** The state of a canvas. Lengths of `view` and `window` are screen pixels, all others design pixels. */
export interface CanvasState {
  readonly editor: Editor;
  readonly view: Signal<View>;
  readonly window: Signal<Size>;
  /** Every layer in paint order. */
  readonly positions: ReadonlySignal<readonly LayerGeometry[]>;
  /** Geometry of the selected layers, in paint order. */
  readonly selected: ReadonlySignal<readonly LayerGeometry[]>;
  /** Id of the innermost group that the user has entered. */
  readonly entered: Signal<string | undefined>;
  /** Box of the layer under the pointer, which the canvas outlines. */
  readonly hovered: Signal<Box | undefined>;
  readonly guides: Signal<readonly Guide[]>;
  /** Line between two points of the canvas. It shows where a drop inserts layers into a stack. */
  readonly insertion: Signal<readonly [Point, Point] | undefined>;
  readonly marquee: Signal<Rect | undefined>;
  /** Text that a gesture shows at the pointer, such as `320 × 80` or `15°`. */
  readonly hint: Signal<{ text: string; at: Point } | undefined>;
  /** The drag of layers, until the exact image of its result is shown. */
  readonly carried: Signal<Carried | undefined>;
  /** What the canvas shows. Undefined before the first frame. */
  readonly staged: Signal<Staged | undefined>;
  /** Geometry of every layer in the image that the canvas shows, which can be older than the document. */
  readonly imagePositions: ReadonlySignal<readonly LayerGeometry[]>;
  readonly editing: Signal<Editing | undefined>;
  /** Image with the bindings of a text as written. Set while the user edits a text with bindings. */
  readonly typing: Signal<Frame | undefined>;
  /** Frame that the canvas shows while no bitmap is carried. */
  readonly shown: ReadonlySignal<Frame | undefined>;
  readonly isSpaceDown: Signal<boolean>;
  /** Active tool. It decides what a press on the image does. */
  readonly tool: Signal<Tool>;
  readonly aids: Signal<Aids>;
  /** State of the crop, while an image is cropped. */
  readonly cropping: Signal<Cropping | undefined>;
  /** The open menu of the selected layers. */
  readonly menu: Signal<MenuPosition | undefined>;
  /** True while alt is held and the canvas shows distances. */
  readonly isMeasuring: Signal<boolean>;
  /** What a dragged image is over: a layer whose image a drop replaces, or the canvas. */
  readonly dropTarget: Signal<LayerGeometry | 'canvas' | undefined>;
  /** Image that is being uploaded. `part` is the progress from 0 to 1, or undefined if unknown. */
  readonly uploading: Signal<{ name: string; part: number | undefined } | undefined>;
}

/** An image layer during a crop. */
export interface Cropping {
  id: string;
  /** URL or asset of the rendered image. */
  source: string;
  /** Box of the whole image when the crop begins, in the space of `turnOf`. */
  whole: Rect;
  /** The layer when the crop begins. */
  from: ImageLayer;
}

/** Position of a menu in the viewport, and the pressed point `at` of the canvas. A key leaves `at` undefined. */
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
  /** Edits the text even if it is a single binding. If false, such a text edits the sample value of its variable. */
  isText: boolean;
}

/** A document that the canvas shows, which can be older than the editor's. */
export interface Staged extends Pick<Frame, 'document' | 'report'> {
  /** Images of layers show it, in place of a render. */
  isMoved: boolean;
}

/** A drag of layers. */
export interface Carried {
  /** The layers before the drag. */
  layers: readonly LayerGeometry[];
  ids: readonly string[];
  /** The document before the drag. */
  from: Template;
  /** Movement on the canvas, design pixels. */
  delta: Point;
  /** The drag has ended. The next frame of the newest document replaces the images of the layers. */
  isDropped: boolean;
  /** The document and the selection after the drop. Later ones are not those of the drag. */
  result: { document: Template; selection: readonly string[] } | undefined;
  /** The document changes only at the drop, because a stack positions the layers until then. */
  isFloating: boolean;
  /** Copies are dragged. The layers themselves stay where they are. */
  isCopy: boolean;
  /** A drop inserts the layers into the stack under the pointer. Their image is above all layers. */
  isInserting: boolean;
}

/**
 * Whether the layers are dragged to where the document does not have them, or were dropped there and nothing has changed
 * since.
 */
export function movesFreely(
  { isFloating, isCopy, isInserting, result }: Carried,
  { document, selection }: Pick<Editor, 'document' | 'selection'>,
): boolean {
  const isNewest =
    result === undefined ||
    (result.document === document.value && result.selection === selection.value);
  return isNewest && (isFloating || isCopy || isInserting);
}

/** Canvas state of each editor, for commands that have only the editor. */
const canvases = new WeakMap<Editor, CanvasState>();

/** Visible part of the image, design pixels. The whole image if no part is visible. */
export function partInSight(editor: Editor): Rect {
  const { width, height } = editor.document.value;
  const state = canvases.get(editor);
  const size = state?.window.value ?? { width: 0, height: 0 };
  const view = state?.view.value ?? { x: 0, y: 0, zoom: 1 };
  const corner = toDesign(view, { x: 0, y: 0 });
  const end = toDesign(view, { x: size.width, y: size.height });
  const [left, right] = partOf(corner.x, end.x, width);
  const [top, bottom] = partOf(corner.y, end.y, height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Part of a side between two positions, or the whole side if none lies between them. */
function partOf(start: number, end: number, side: number): [from: number, to: number] {
  if (end <= 0 || start >= side) return [0, side];
  return [Math.max(0, start), Math.min(side, end)];
}

/** Middle of the visible part of the image, in whole design pixels. */
export function middleInSight(editor: Editor): Point {
  const { x, y } = centerOf(partInSight(editor));
  return { x: Math.round(x), y: Math.round(y) };
}

/** Canvas state of an editor. Undefined if the editor has no canvas. */
export function canvasOf(editor: Editor): CanvasState | undefined {
  return canvases.get(editor);
}

/** Zooms one step in (1) or out (-1). */
export function stepZoom(editor: Editor, direction: 1 | -1): void {
  const zoom = canvases.get(editor)?.view.value.zoom ?? 1;
  editor.zoom.value = nextZoom(zoom, direction);
}

/** Zooms in on the selected layers until they fill the window, at most to `closeZoomMax`. */
export function zoomToSelection(editor: Editor): void {
  const state = canvases.get(editor);
  const bounds = boundsOf(state?.selected.value.map(({ seen }) => seen) ?? []);
  if (state === undefined || bounds === undefined) return;
  const area = areaClearOfBars(state.window.value, state.aids.value.hasRulers);
  const view = fitView(area, bounds, closeZoomMax);
  batch(() => {
    state.view.value = view;
    editor.zoom.value = view.zoom;
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
    staged: signal(undefined),
    imagePositions: computed(() => placeInImage(state)),
    editing: signal(undefined),
    typing,
    shown: computed(() => typing.value ?? editor.frame.value),
    isSpaceDown: signal(false),
    tool: signal<Tool>('select'),
    aids: createAids(editor.uid),
    cropping: signal(undefined),
    menu: signal(undefined),
    isMeasuring: signal(false),
    dropTarget: signal(undefined),
    uploading: signal(undefined),
  };
  canvases.set(editor, state);
  return state;
}

/** Geometry as the canvas shows it. During an outage, which shows no more images, it is that of the document. */
function placeInImage(state: CanvasState): readonly LayerGeometry[] {
  const { editor, positions, staged, editing } = state;
  const shown = staged.value;
  const isOut = editor.retryFrame.value !== undefined && shown?.isMoved !== true;
  if (shown === undefined || isOut || editing.value !== undefined) return positions.value;
  if (shown.document === editor.document.value) return positions.value;
  return placeLayers(shown.document, shown.report);
}

// The view: zoom and scroll, and the points that they convert.

/** Offset of the image's corner from the window's, in screen pixels. `zoom` is screen pixels per design pixel. */
export interface View extends Point {
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const zoomMin = 0.02;
export const zoomMax = 32;

/** Maximum zoom to a selection, so that a small layer does not fill the window. */
const closeZoomMax = 8;

/** Zoom levels through which zooming in and out steps. */
const zoomSteps = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** View with a part of the image in the middle of an area of the window, as large as it fits there, at most at `most`. */
export function fitView(area: Rect, part: Rect, most: number): View {
  const wide = area.width / Math.max(1, part.width);
  const high = area.height / Math.max(1, part.height);
  const zoom = Math.min(most, Math.max(zoomMin, Math.min(wide, high)));
  const [middle, center] = [centerOf(area), centerOf(part)];
  return {
    zoom,
    x: Math.round(middle.x - center.x * zoom),
    y: Math.round(middle.y - center.y * zoom),
  };
}

/** View at another zoom. The design point under `at`, a point of the window, stays under it. */
export function zoomAt(view: View, zoom: number, at: Point): View {
  const used = Math.min(Math.max(zoom, zoomMin), zoomMax);
  const design = toDesign(view, at);
  return { zoom: used, x: at.x - design.x * used, y: at.y - design.y * used };
}

/** Limits the view so that at least 60 screen pixels of the image stay visible. */
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

/** The next larger (1) or smaller (-1) zoom of `zoomSteps`, or the bound of zooms. */
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

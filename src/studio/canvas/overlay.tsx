/** Elements that are drawn over the image: outlines, handles, guides, the marquee and measures. */
import type { VNode } from 'preact';
import { movesFreely, toScreen } from './canvas-state.ts';
import type { CanvasState } from './canvas-state.ts';
import type { Box, Point } from './geometry.ts';
import { boundsOf, centerOf, cornersOf, pointOn, rotatePoint } from './geometry.ts';
import { flowIn } from './layer-geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';
import { commentsOf } from '../comments/comments.ts';
import { cursorAt, graspPx, handlePx, ResizeHandles } from './handles.tsx';
import { Measures } from './measures.tsx';
import { isClearOfBars } from './tools/bars.ts';
import { later } from '../later-part.tsx';
import { spacesOf } from './stack-spaces.ts';
import type { StackSpace } from './stack-spaces.ts';

const CanvasMarks = later((code) => code.CanvasMarks);
const CropOverlay = later((code) => code.CropOverlay);
const Grid = later((code) => code.Grid);

/** Distance from a box to its rotate handle, screen pixels. */
const stemPx = 26;

/** The overlay of a canvas, in screen pixels. */
export function Overlay({ state }: { state: CanvasState }): VNode {
  const { width, height } = state.window.value;
  const isBusy =
    state.marquee.value !== undefined ||
    state.editing.value !== undefined ||
    state.cropping.value !== undefined ||
    isFloating(state);
  return (
    <svg class="canvas-overlay" width={width} height={height} aria-hidden="true">
      {state.aids.value.hasGrid ? <Grid state={state} /> : null}
      <Hovered state={state} />
      <Outlines state={state} />
      <Copies state={state} />
      {isBusy ? null : <Spaces state={state} />}
      {isBusy ? null : <Handles state={state} />}
      {isBusy || commentsOf(state.editor).open.value.size === 0 ? null : (
        <CanvasMarks state={state} />
      )}
      {state.cropping.value === undefined ? null : <CropOverlay state={state} />}
      <Guides state={state} />
      <Insertion state={state} />
      <DropTarget state={state} />
      <Marquee state={state} />
      <Measures state={state} />
    </svg>
  );
}

function pointsOf(state: CanvasState, box: Box): string {
  const view = state.view.value;
  return cornersOf(box)
    .map((corner) => toScreen(view, corner))
    .map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`)
    .join(' ');
}

function Hovered({ state }: { state: CanvasState }): VNode | null {
  const box = state.hovered.value;
  return box === undefined ? null : <polygon class="hovered" points={pointsOf(state, box)} />;
}

/** Geometry of the selected layers in the image that the canvas shows. */
function selectedInImage(state: CanvasState): readonly LayerGeometry[] {
  const ids = new Set(state.editor.selection.value);
  return state.imagePositions.value.filter(({ id }) => ids.has(id));
}

function Outlines({ state }: { state: CanvasState }): VNode[] {
  const { locked, retryFrame } = state.editor;
  const carried = state.carried.value;
  const isMoved = state.staged.value?.isMoved === true || retryFrame.value !== undefined;
  const isFree = carried !== undefined && isMoved && movesFreely(carried, state.editor);
  const { x, y } = isFree ? carried.delta : { x: 0, y: 0 };
  const layers = isFree ? carried.layers : selectedInImage(state);
  return layers.map(({ id, seen }) => (
    <polygon
      key={id}
      class={locked.value.has(id) ? 'outline locked' : 'outline'}
      points={pointsOf(state, { ...seen, x: seen.x + x, y: seen.y + y })}
    />
  ));
}

/** Outlines of a selected layer in the further items of a list. */
function Copies({ state }: { state: CanvasState }): VNode[] {
  if (isFloating(state)) return [];
  return selectedInImage(state).flatMap(({ id, copies }) =>
    copies.map(({ number, seen }) => (
      <polygon key={`${id} ${number}`} class="copy" points={pointsOf(state, seen)} />
    )),
  );
}

/** Whether layers of a stack are dragged. They keep their positions in the stack until the drop. */
function isFloating({ carried }: CanvasState): boolean {
  return carried.value !== undefined && carried.value.isFloating && !carried.value.isDropped;
}

/** Marks the layer whose image a drop replaces. */
function DropTarget({ state }: { state: CanvasState }): VNode | null {
  const target = state.dropTarget.value;
  if (target === undefined || target === 'canvas') return null;
  return <polygon class="drop-target" points={pointsOf(state, target.seen)} />;
}

/** Line that shows where a drop inserts layers into a stack. */
function Insertion({ state }: { state: CanvasState }): VNode | null {
  const line = state.insertion.value;
  if (line === undefined) return null;
  const [start, end] = line.map((point) => toScreen(state.view.value, point));
  return <line class="insertion" x1={start?.x} y1={start?.y} x2={end?.x} y2={end?.y} />;
}

/** Minimum side of a stack whose gap and padding can be dragged, screen pixels. */
const spacesSideMin = 48;

/** Size of the handle line of a space, and of the area round it that reacts to the pointer, screen pixels. */
const spaceLine = { length: 14, width: 3 };
const spaceGrasp = { length: 22, width: 10 };

/** The hatched gap and padding of a stack that is the only selected layer. */
function Spaces({ state }: { state: CanvasState }): VNode | null {
  const { editor, imagePositions } = state;
  const [position, ...others] = selectedInImage(state);
  const { x, y, zoom } = state.view.value;
  if (
    position?.layer.type !== 'stack' ||
    others.length > 0 ||
    editor.locked.value.has(position.id)
  ) {
    return null;
  }
  const { seen, box, layer } = position;
  if (Math.min(seen.width, seen.height) * zoom < spacesSideMin) return null;
  // Draws the spaces unrotated, and then rotates them about the middle of the stack.
  const center = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
  const turn = `translate(${x} ${y}) rotate(${seen.rotation} ${center.x * zoom} ${center.y * zoom})`;
  const shift = { x: seen.x - box.x, y: seen.y - box.y };
  const [across, down] = [shift.x * zoom, shift.y * zoom];
  return (
    <g transform={`${turn} translate(${across} ${down})`}>
      <defs>
        <pattern
          id="space-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect class="space-stripe" width="1.5" height="6" />
        </pattern>
      </defs>
      {spacesOf(layer, box, flowIn(imagePositions.value, position)).map((space, index) => (
        <Space key={`${space.name} ${index}`} space={space} zoom={zoom} turned={seen.rotation} />
      ))}
    </g>
  );
}

function Space({
  space,
  zoom,
  turned,
}: {
  space: StackSpace;
  zoom: number;
  turned: number;
}): VNode {
  const { name, area, handle, isAcross } = space;
  const at = { x: handle.x * zoom, y: handle.y * zoom };
  const centered = ({ length, width }: typeof spaceLine): Record<string, number> => {
    const [wide, high] = isAcross ? [width, length] : [length, width];
    return { x: at.x - wide / 2, y: at.y - high / 2, width: wide, height: high };
  };
  const style = { cursor: cursorAt(turned + (isAcross ? 90 : 0)) };
  return (
    <g class="space">
      <rect
        class="space-area"
        fill="url(#space-hatch)"
        x={area.x * zoom}
        y={area.y * zoom}
        width={area.width * zoom}
        height={area.height * zoom}
      />
      <rect class="space-line" {...centered(spaceLine)} />
      <rect
        class="grasp"
        data-handle="space"
        data-space={name}
        style={style}
        {...centered(spaceGrasp)}
      />
    </g>
  );
}

function Handles({ state }: { state: CanvasState }): VNode | null {
  const { locked } = state.editor;
  const free = selectedInImage(state).filter(({ id }) => !locked.value.has(id));
  const [first] = free;
  if (first === undefined) return null;
  const bounds = boundsOf(free.map(({ seen }) => seen)) ?? first.seen;
  const isOne = free.length === 1;
  const box = isOne ? first.seen : { ...bounds, rotation: 0 };
  return (
    <g>
      {isOne ? null : <polygon class="bounds" points={pointsOf(state, box)} />}
      <RotateHandle state={state} box={box} />
      <ResizeHandles state={state} box={box} />
    </g>
  );
}

/** Sides of a box that may have the rotate handle, in the order of preference. */
const rotateSides: readonly Point[] = [
  { x: 0, y: -1 },
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: -1, y: 0 },
];

function RotateHandle({ state, box }: { state: CanvasState; box: Box }): VNode | null {
  const view = state.view.value;
  const center = toScreen(view, centerOf(box));
  const stems = rotateSides.map(({ x, y }) => {
    const from = toScreen(view, pointOn(box, x, y));
    const out = rotatePoint({ x: x * stemPx, y: y * stemPx }, box.rotation);
    const isFlat = Math.hypot(from.x - center.x, from.y - center.y) < 1;
    const base = isFlat ? center : from;
    return { base, at: { x: base.x + out.x, y: base.y + out.y } };
  });
  const { window, aids } = state;
  const isClear = ({ at }: { at: Point }): boolean =>
    isClearOfBars(at, window.value, aids.value.hasRulers);
  const stem = stems.find(isClear) ?? stems[0];
  if (stem === undefined) return null;
  const { base, at } = stem;
  return (
    <g>
      <line class="stem" x1={base.x} y1={base.y} x2={at.x} y2={at.y} />
      <circle class="grasp turn" data-handle="rotate" cx={at.x} cy={at.y} r={graspPx / 2} />
      <circle class="handle" cx={at.x} cy={at.y} r={handlePx / 2} />
    </g>
  );
}

function Guides({ state }: { state: CanvasState }): VNode[] {
  const view = state.view.value;
  const shown = state.guides.value.filter(({ isGrid }) => isGrid !== true);
  return shown.map(({ axis, at, from, to }) => {
    const ends =
      axis === 'x'
        ? [
            { x: at, y: from },
            { x: at, y: to },
          ]
        : [
            { x: from, y: at },
            { x: to, y: at },
          ];
    const [start, end] = ends.map((point) => toScreen(view, point));
    return (
      <line class="guide" data-axis={axis} x1={start?.x} y1={start?.y} x2={end?.x} y2={end?.y} />
    );
  });
}

function Marquee({ state }: { state: CanvasState }): VNode | null {
  const rect = state.marquee.value;
  if (rect === undefined) return null;
  const view = state.view.value;
  const { x, y } = toScreen(view, rect);
  return (
    <rect
      class="marquee"
      x={x}
      y={y}
      width={rect.width * view.zoom}
      height={rect.height * view.zoom}
    />
  );
}

/** Rulers along the window, the guides that users drag from them, and the grid. */
import type { VNode } from 'preact';
import type { CanvasState } from '../canvas-state.ts';
import { toDesign, toScreen } from '../canvas-state.ts';
import { gridPx, withGuide } from './aids.ts';

type Axis = 'x' | 'y';

/** Width of a ruler, screen pixels. */
const rulerPx = 20;

/** Minimum distance of two numbers of a ruler, and of two lines of the grid, screen pixels. */
const numberGapPx = 56;
const gridGapPx = 7;

/** Distance of ruler numbers, design pixels: 1, 2 or 5 times a power of ten, at least `gapPx` on the screen. */
export function stepFor(zoom: number, gapPx: number): number {
  const least = gapPx / zoom;
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [ten, 2 * ten, 5 * ten, 10 * ten].find((step) => step >= least) ?? 10 * ten;
}

/** Returns the handler that drags guide `index` of an axis. A release on the ruler removes the guide. */
function dragGuide(state: CanvasState, axis: Axis, index: number): (press: PointerEvent) => void {
  const { aids, view } = state;
  return (press) => {
    if (press.button !== 0) return;
    press.preventDefault();
    press.stopPropagation();
    const target = press.currentTarget as HTMLElement;
    const corner = target.closest('.canvas')?.getBoundingClientRect() ?? { left: 0, top: 0 };
    let at = aids.value[axis][index];
    const follow = (event: PointerEvent): void => {
      const screen = { x: event.clientX - corner.left, y: event.clientY - corner.top };
      at = screen[axis] < rulerPx ? undefined : toDesign(view.value, screen)[axis];
      // At -1, outside the canvas, the guide keeps its index until the release.
      aids.value = withGuide(aids.value, axis, index, at ?? -1);
    };
    const end = (): void => {
      target.removeEventListener('pointermove', follow);
      if (at === undefined) aids.value = withGuide(aids.value, axis, index, undefined);
    };
    target.setPointerCapture(press.pointerId);
    target.addEventListener('pointermove', follow);
    target.addEventListener('lostpointercapture', end, { once: true });
  };
}

/** The guides, below the handles of layers. */
export function Guides({ state }: { state: CanvasState }): VNode {
  const { x, y } = state.aids.value;
  const line = (axis: Axis) => (at: number, index: number) => {
    const position = `${toScreen(state.view.value, { x: at, y: at })[axis]}px`;
    return (
      <div
        key={`${axis} ${index}`}
        class="guide-line"
        data-axis={axis}
        title={`Guide at ${at}; drag it to the ruler to remove it`}
        style={axis === 'x' ? { left: position } : { top: position }}
        onPointerDown={dragGuide(state, axis, index)}
      />
    );
  };
  return (
    <div class="guide-lines" aria-hidden="true">
      {x.map(line('x'))}
      {y.map(line('y'))}
    </div>
  );
}

export function Rulers({ state }: { state: CanvasState }): VNode {
  const { x, y } = state.aids.value;
  return (
    <div class="rulers" aria-hidden="true">
      <Ruler state={state} axis="y" press={dragGuide(state, 'y', y.length)} />
      <Ruler state={state} axis="x" press={dragGuide(state, 'x', x.length)} />
      <div class="ruler-corner" />
    </div>
  );
}

interface RulerProps {
  state: CanvasState;
  /** Axis of the guides that are dragged from the ruler: guides from the top ruler are horizontal. */
  axis: Axis;
  press: (event: PointerEvent) => void;
}

function Ruler({ state, axis, press }: RulerProps): VNode {
  const { x, y, zoom } = state.view.value;
  const { width, height } = state.window.value;
  const isAbove = axis === 'y';
  const [start, length] = isAbove ? [x, width] : [y, height];
  const step = stepFor(zoom, numberGapPx);
  const first = Math.floor(-start / zoom / step);
  const count = Math.ceil(length / (step * zoom)) + 1;
  const numbers = Array.from({ length: count }, (_, index) => (first + index) * step);
  return (
    <svg class="ruler" data-axis={axis} onPointerDown={press}>
      {numbers.map((number) => {
        const at = Math.round(start + number * zoom) + 0.5;
        return isAbove ? (
          <g key={number}>
            <line x1={at} x2={at} y1={12} y2={rulerPx} />
            <text x={at + 3} y={10}>
              {number}
            </text>
          </g>
        ) : (
          <g key={number}>
            <line x1={12} x2={rulerPx} y1={at} y2={at} />
            <text transform={`translate(10 ${at - 3}) rotate(-90)`}>{number}</text>
          </g>
        );
      })}
    </svg>
  );
}

/** Lines of the grid over the image. Leaves out lines if they would be closer than `gridGapPx`. */
export function Grid({ state }: { state: CanvasState }): VNode {
  const { x, y, zoom } = state.view.value;
  const { width, height } = state.editor.document.value;
  const step = gridPx * Math.max(1, Math.ceil(gridGapPx / (gridPx * zoom))) * zoom;
  return (
    <g class="grid">
      <defs>
        <pattern
          id="canvas-grid"
          width={step}
          height={step}
          patternUnits="userSpaceOnUse"
          patternTransform={`translate(${x} ${y})`}
        >
          <path d={`M${step} 0H0V${step}`} />
        </pattern>
      </defs>
      <rect x={x} y={y} width={width * zoom} height={height * zoom} fill="url(#canvas-grid)" />
    </g>
  );
}

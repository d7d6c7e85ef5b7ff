/** Path of the selected layer on the canvas: a line between two ends that can be dragged. */
import type { TargetedPointerEvent, VNode } from 'preact';
import { motionOf } from '../../state/motion.ts';
import { toScreen } from '../canvas-state.ts';
import type { CanvasState } from '../canvas-state.ts';
import { applyMotion, centerOf, rotatePoint } from '../geometry.ts';
import type { Point } from '../geometry.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { pointAt } from '../gestures/gestures.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { movementOf, setMovementEnd } from './movement.ts';
import type { Movement } from './movement.ts';

/** The first or the last point of a movement. */
type MovementEnd = keyof Movement;

interface SelectedMovement {
  position: LayerGeometry;
  movement: Movement;
}

/** Movement of the only selected layer. Undefined if the layer does not move or another gesture runs. */
function selectedMovement(state: CanvasState): SelectedMovement | undefined {
  const { editor, selected, editing, cropping, marquee, carried } = state;
  const [position, ...others] = selected.value;
  const motion = motionOf(editor.document.value);
  const isBusy = [editing, cropping, marquee, carried].some((each) => each.value !== undefined);
  if (position === undefined || others.length > 0 || motion === undefined || isBusy)
    return undefined;
  if (editor.locked.value.has(position.id)) return undefined;
  const movement = movementOf(motion, position.layer);
  return movement && { position, movement };
}

/** Screen position of an end: the middle of the layer at that time. */
function screenPoint(
  state: CanvasState,
  { position, movement }: SelectedMovement,
  end: MovementEnd,
): Point {
  const center = centerOf(position.box);
  const { x, y } = movement[end];
  const point = applyMotion(position.motion, { x: center.x + x, y: center.y + y });
  return toScreen(state.view.value, point);
}

/** The line between the ends, and the ends, which can take the focus. */
export function MovementPath({ state }: { state: CanvasState }): VNode | null {
  const selected = selectedMovement(state);
  if (selected === undefined) return null;
  const { width, height } = state.window.value;
  const from = screenPoint(state, selected, 'from');
  const to = screenPoint(state, selected, 'to');
  return (
    <>
      <svg class="canvas-overlay" width={width} height={height} aria-hidden="true">
        <line class="movement" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      </svg>
      <End state={state} selected={selected} end="from" />
      <End state={state} selected={selected} end="to" />
    </>
  );
}

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Distance that an arrow key moves an end, without and with shift, design pixels. */
const nudgePx = { near: 1, far: 10 };

interface EndProps {
  state: CanvasState;
  selected: SelectedMovement;
  end: MovementEnd;
}

function End({ state, selected, end }: EndProps): VNode {
  const { position, movement } = selected;
  const { x, y } = screenPoint(state, selected, end);
  const label = end === 'from' ? 'Start of the movement' : 'End of the movement';
  const text = offsetText(movement[end]);
  const pressKey = (event: KeyboardEvent): void => {
    const way = arrows[event.key];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // Keeps the keys from the canvas, where they act on layers.
    event.preventDefault();
    event.stopPropagation();
    const px = event.shiftKey ? nudgePx.far : nudgePx.near;
    const { x: across, y: down } = movement[end];
    setEnd(state, position, end, { x: across + way.x * px, y: down + way.y * px });
  };
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    // Keeps the press from the canvas.
    event.stopPropagation();
    const canvas = event.currentTarget.closest('.canvas-window') ?? event.currentTarget;
    const before = movement[end];
    followDrag(
      state.editor,
      event,
      (by, moved) => {
        const { zoom } = state.view.value;
        const delta = rotatePoint({ x: by.x / zoom, y: by.y / zoom }, -position.motion.angle);
        const isAcross = Math.abs(delta.x) > Math.abs(delta.y);
        const isStraight = moved.shiftKey;
        const offset = {
          x: Math.round(before.x + (isStraight && !isAcross ? 0 : delta.x)),
          y: Math.round(before.y + (isStraight && isAcross ? 0 : delta.y)),
        };
        state.hint.value = { text: offsetText(offset), at: pointAt(state, canvas, moved) };
        setEnd(state, position, end, offset);
      },
      () => (state.hint.value = undefined),
    );
  };
  return (
    <div
      class="movement-end"
      role="slider"
      tabindex={0}
      aria-label={label}
      aria-valuenow={Math.round(Math.hypot(movement[end].x, movement[end].y))}
      aria-valuemin={0}
      aria-valuetext={text}
      title={`${label}: ${text}`}
      data-handle="movement"
      data-end={end}
      style={{ left: `${x}px`, top: `${y}px` }}
      onKeyDown={pressKey}
      onPointerDown={press}
    />
  );
}

function offsetText({ x, y }: Point): string {
  return x === 0 && y === 0 ? 'as designed' : `${x} across, ${y} down from the design`;
}

function setEnd(
  { editor }: CanvasState,
  { id }: LayerGeometry,
  end: MovementEnd,
  offset: Point,
): void {
  editor.change(
    'Change the movement',
    (draft) => setMovementEnd(draft, id, end, offset),
    `movement:${id}:${end}`,
  );
}

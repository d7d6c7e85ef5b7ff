/** The handles that resize a box. */
import type { VNode } from 'preact';
import type { CanvasState } from './canvas-state.ts';
import { toScreen } from './canvas-state.ts';
import { handles, pointOn, rotatePoint } from './geometry.ts';
import type { Box, Handle, Point } from './geometry.ts';

/** Side of a handle, screen pixels. */
export const handlePx = 9;

/** Side of the square round a handle that reacts to the pointer, screen pixels. Small boxes have smaller squares. */
export const graspPx = 20;
const graspPxMin = 10;

/** Shortest side with a handle in its middle, screen pixels. */
const middleSideMin = 34;

/** Handles at the corners of a box, and in the middles of sides that are long enough. */
export function ResizeHandles({ state, box }: { state: CanvasState; box: Box }): VNode {
  const { zoom } = state.view.value;
  const isRoomy = (handle: Handle): boolean => {
    if (handle.horizontal === 0) return box.width * zoom >= middleSideMin;
    return handle.vertical !== 0 || box.height * zoom >= middleSideMin;
  };
  return (
    <>
      {handles.filter(isRoomy).map((handle) => (
        <ResizeHandle key={handle.name} state={state} box={box} handle={handle} />
      ))}
    </>
  );
}

function ResizeHandle(props: { state: CanvasState; box: Box; handle: Handle }): VNode {
  const { state, box, handle } = props;
  const at = toScreen(state.view.value, pointOn(box, handle.horizontal, handle.vertical));
  const position = `translate(${at.x} ${at.y}) rotate(${box.rotation})`;
  // Leaves the middle of a small box free for dragging the box.
  const shorter = Math.min(box.width, box.height) * state.view.value.zoom;
  const grasp = Math.min(graspPx, Math.max(graspPxMin, shorter / 2));
  return (
    <g transform={position} data-handle={handle.name}>
      <rect
        class="grasp"
        data-handle={handle.name}
        style={{ cursor: cursorOf(box, handle) }}
        x={-grasp / 2}
        y={-grasp / 2}
        width={grasp}
        height={grasp}
      />
      <rect
        class="handle"
        x={-handlePx / 2}
        y={-handlePx / 2}
        width={handlePx}
        height={handlePx}
        rx="2"
      />
    </g>
  );
}

/** Cursors for directions in steps of 45°, clockwise from the top. They repeat after 180°. */
const cursors = ['ns-resize', 'nesw-resize', 'ew-resize', 'nwse-resize'];

function cursorOf(box: Box, { horizontal, vertical }: Handle): string {
  const out: Point = rotatePoint({ x: horizontal, y: vertical }, box.rotation);
  return cursorAt((Math.atan2(out.x, -out.y) * 180) / Math.PI);
}

/** Cursor for a drag in a direction, in degrees clockwise from the top. */
export function cursorAt(degrees: number): string {
  const eighth = Math.round(degrees / 45);
  return cursors[((eighth % 4) + 4) % 4] ?? 'move';
}

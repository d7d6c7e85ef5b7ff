/** Marks of layers with open comments on the canvas. */
import type { VNode } from 'preact';
import type { CanvasState } from '../canvas/canvas-state.ts';
import { toScreen } from '../canvas/canvas-state.ts';
import { pointOn, rotatePoint } from '../canvas/geometry.ts';
import { commentsOf, showComments } from './comments.ts';

/** Radius of a mark, screen pixels. */
const markRadius = 9;

/** Distance of a mark to the corner of a selected layer, which has a handle there, across and down. Screen pixels. */
const beyondHandlePx = 20;

/** A mark at the upper right corner of each layer with open comments. A press shows the comments. */
export function CanvasMarks({ state }: { state: CanvasState }): VNode {
  const { editor } = state;
  const open = commentsOf(editor).open.value;
  const view = state.view.value;
  const { selection } = editor;
  return (
    <g>
      {state.positions.value
        .filter(({ id }) => open.has(id))
        .map(({ id, seen }) => {
          const corner = toScreen(view, pointOn(seen, 1, -1));
          const isSelected = selection.value.includes(id);
          const out = isSelected ? rotatePoint({ x: 1, y: -1 }, seen.rotation) : { x: 0, y: 0 };
          const [x, y] = [corner.x + out.x * beyondHandlePx, corner.y + out.y * beyondHandlePx];
          return (
            <g
              key={id}
              class="comment-mark"
              data-comments={id}
              transform={`translate(${x} ${y})`}
              onPointerDown={(event) => {
                event.stopPropagation();
                showComments(editor, id);
              }}
            >
              <circle r={markRadius} />
              <text>{open.get(id)}</text>
            </g>
          );
        })}
    </g>
  );
}

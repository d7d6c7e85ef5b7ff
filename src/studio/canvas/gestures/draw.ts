/** Draws a new layer: a click adds it in its default size, a drag sets its size. */
import { batch } from '@preact/signals';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { addDrawnLayer, kindNames } from '../../panels/layers/new-layers.ts';
import { findLayer, numberOf } from '../../state/layers.ts';
import type { CanvasState, DrawnKind } from '../canvas-state.ts';
import { middleInSight } from '../canvas-state.ts';
import { insideCanvas } from '../geometry.ts';
import type { Point, Rect } from '../geometry.ts';
import { targetsIn } from '../guides/targets.ts';
import { snapMove, snapReachPx } from './snapping.ts';
import type { Snapped } from './snapping.ts';
import { isFree, reachOf } from './transform.ts';
import type { Gesture } from './transform.ts';
import { selectAdded } from './select-added.ts';

/** Start and end of a drag that draws, design pixels. */
interface Drawn {
  from: Point;
  to: Point;
}

/** Gesture that draws a layer. At its end the tool returns to selecting. */
export function drawLayer(
  state: CanvasState,
  kind: DrawnKind,
  pressed: Point,
  press: PointerEvent,
): Gesture {
  const { guides, hint, marquee, tool } = state;
  const targets = targetsIn(state, []);
  const snapped = (point: Point, event: PointerEvent): { at: Point; met: Snapped['guides'] } => {
    const reach = isFree(event) ? 0 : reachOf(state, snapReachPx);
    const { shift, guides: met } = snapMove({ ...point, width: 0, height: 0 }, targets, reach);
    return { at: { x: Math.round(point.x + shift.x), y: Math.round(point.y + shift.y) }, met };
  };
  const from = snapped(pressed, press).at;
  let drawn: Drawn | undefined;
  return {
    move(point, event) {
      const { at, met } = snapped(point, event);
      const to = event.shiftKey ? evenly(kind, from, at) : at;
      // With alt, the pressed point is the middle of the layer.
      drawn = event.altKey ? { from: mirrored(to, from), to } : { from, to };
      const rect = rectOf(drawn);
      batch(() => {
        guides.value = event.shiftKey ? [] : met;
        hint.value = { text: `${rect.width} × ${rect.height}`, at: point };
        marquee.value = rect;
      });
    },
    end(how) {
      batch(() => {
        guides.value = [];
        hint.value = undefined;
        marquee.value = undefined;
      });
      if (how === 'canceled') {
        tool.value = 'select';
        return;
      }
      const dragged = how === 'dragged' ? drawn : undefined;
      addDrawn(state, kind, (layer, draft) => {
        if (dragged !== undefined && isLong(dragged)) fitTo(layer, dragged);
        else if (layer.type === 'text') beginAt(layer, from, draft);
        else moveMiddle(layer, from, draft);
      });
    },
  };
}

/** Adds a layer of default size in the middle of the visible part of the image. */
export function drawInSight(state: CanvasState, kind: DrawnKind): void {
  const middle = middleInSight(state.editor);
  addDrawn(state, kind, (layer, draft) => moveMiddle(layer, middle, draft));
}

function addDrawn(
  state: CanvasState,
  kind: DrawnKind,
  position: (layer: Layer, draft: Template) => void,
): void {
  const { editor, editing, entered } = state;
  let id = '';
  editor.change(`Add ${kindNames[kind].toLowerCase()}`, (draft: Template) => {
    id = addDrawnLayer(draft, kind);
    const layer = findLayer(draft, id);
    if (layer !== undefined) position(layer, draft);
  });
  batch(() => {
    entered.value = undefined;
    selectAdded(editor, [id]);
    if (kind === 'text') editing.value = { id, isText: true };
  });
}

/** Puts the middle of a layer at a point, or as near as the layer lies inside the canvas. */
function moveMiddle(layer: Layer, { x, y }: Point, draft: Template): void {
  const [width, height] = [numberOf(layer.width), numberOf(layer.height)];
  const rect = { x: x - width / 2, y: y - height / 2, width, height };
  Object.assign(layer, insideCanvas(draft, rect));
}

/**
 * Begins a text at a point, which is the middle of the start of its line. Near the edge its box gets narrower, down to
 * half of the usual width, and then moves into the canvas.
 */
function beginAt(layer: TextLayer, { x, y }: Point, draft: Template): void {
  const isMirrored = isRightToLeft(draft.lang ?? '');
  const [usual, height] = [numberOf(layer.width), numberOf(layer.height)];
  const free = isMirrored ? x : draft.width - x;
  const width = Math.min(usual, Math.max(free, Math.round(usual / 2)));
  const rect = { x: isMirrored ? x - width : x, y: y - height / 2, width, height };
  Object.assign(layer, { width, ...insideCanvas(draft, rect) });
  if (isMirrored) layer.align = 'right';
  else delete layer.align;
}

function fitTo(layer: Layer, drawn: Drawn): void {
  const rect = rectOf(drawn);
  if (layer.type === 'line') {
    Object.assign(layer, rect);
    const isRising = (drawn.to.x - drawn.from.x) * (drawn.to.y - drawn.from.y) < 0;
    if (isRising) layer.rising = true;
    return;
  }
  Object.assign(layer, rect, {
    width: Math.max(1, rect.width),
    height: Math.max(1, rect.height),
  });
}

function isLong({ from, to }: Drawn): boolean {
  return from.x !== to.x || from.y !== to.y;
}

function rectOf({ from, to }: Drawn): Rect {
  return {
    x: Math.min(from.x, to.x),
    y: Math.min(from.y, to.y),
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y),
  };
}

function mirrored(point: Point, middle: Point): Point {
  return { x: 2 * middle.x - point.x, y: 2 * middle.y - point.y };
}

/** End point of a square, or of a line at a multiple of 45°. */
function evenly(kind: DrawnKind, from: Point, to: Point): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const side = Math.max(Math.abs(x), Math.abs(y));
  const [across, down] = [Math.sign(x) || 1, Math.sign(y) || 1];
  if (kind === 'line') {
    const slope = Math.abs(Math.abs(x) - Math.abs(y)) / side;
    // Nearer to an axis than to the diagonal.
    if (slope > 1 - Math.tan(Math.PI / 8)) {
      return Math.abs(x) > Math.abs(y) ? { x: to.x, y: from.y } : { x: from.x, y: to.y };
    }
  }
  return { x: from.x + across * side, y: from.y + down * side };
}

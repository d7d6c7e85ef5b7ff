/** Adds layers of every kind of the add menu, scaled to the canvas and centred on it. */
import type { GroupLayer, Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { freePosition } from '../../canvas/gestures/free-position.ts';
import type { Editor } from '../../state/editor.ts';
import { findPosition, freshId, numberOf } from '../../state/layers.ts';
import { addVariable } from '../variables/variables.ts';
import {
  accent,
  addLabel,
  boxOf,
  ink,
  insertLayer,
  newDrawnLayer,
  newText,
  strokeWidth,
} from './new-layers.ts';
import type { NewLayerKind } from './new-layers.ts';
import { selectAdded } from '../../canvas/gestures/select-added.ts';

const faint = '#d9dee3';
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="currentColor" d="M12 21s-7.5-4.7-9.6-9.1C.9 8.7 2.6 5 6.2 5c2.3 0 3.9 1.3 5.8 3.6C13.9 6.3 15.5 5 17.8 5c3.6 0 5.3 3.7 3.8 6.9C19.5 16.3 12 21 12 21z"/></svg>';

/** Adds a layer in one undo step, and selects it. */
export function addSelected(editor: Editor, kind: NewLayerKind): void {
  let id = '';
  editor.change(addLabel(kind), (draft) => {
    id = addLayer(draft, kind, editor.selection.value);
    moveToFree(editor, draft, id);
  });
  selectAdded(editor, [id]);
}

/** Moves a new layer, which is centred on the canvas, to a free position. A stack positions its own layers. */
export function moveToFree(editor: Editor, draft: Template, id: string): void {
  const { layer, group } = findPosition(draft, id) ?? {};
  if (layer === undefined || group !== undefined) return;
  const [x, y] = [numberOf(layer.x), numberOf(layer.y)];
  // The height of a stack that hugs its layers is known only after it is drawn.
  const rect = { x, y, width: draft.width - 2 * x, height: draft.height - 2 * y };
  Object.assign(layer, freePosition(editor, rect));
}

/**
 * Adds a layer and the variables that it needs, into the selected stack, else on top of the document. Returns the
 * layer's id.
 */
export function addLayer(
  draft: Template,
  kind: NewLayerKind,
  selection: readonly string[] = [],
): string {
  return insertLayer(draft, newLayer(draft, kind), selection);
}

function newLayer(draft: Template, kind: NewLayerKind): Layer {
  const id = freshId(draft, kind);
  const square = boxOf(draft, 0.3, 0.3);
  switch (kind) {
    case 'text':
    case 'image':
    case 'rect':
    case 'ellipse':
    case 'line':
      return newDrawnLayer(draft, kind);
    case 'polygon':
      return { id, type: 'polygon', ...square, sides: 6, fill: accent };
    case 'star':
      return { id, type: 'star', ...square, points: 5, fill: '#f2b634' };
    case 'path':
      return newPath(draft, id);
    case 'svg':
      return { id, type: 'svg', ...square, svg: drawing, colors: { currentColor: accent } };
    case 'qr':
      return { id, type: 'qr', ...square, value: 'https://example.com/' };
    case 'barcode':
      return { id, type: 'barcode', ...boxOf(draft, 0.5, 0.2), kind: 'code128', value: '12345678' };
    case 'group':
      return { id, type: 'group', ...boxOf(draft, 0.5, 0.5), layers: [] };
    case 'stack':
      return newStack(draft, id);
    case 'rating':
      return newRating(draft, id);
    case 'progress':
      return newProgress(draft, id);
    case 'countdown':
      return newCountdown(draft, id);
    default:
      return kind satisfies never;
  }
}

/** A text with the remaining time, in tabular digits. A template that already has a deadline keeps it. */
function newCountdown(draft: Template, id: string): Layer {
  if (draft.clock?.until === undefined && draft.clock?.evergreen === undefined) {
    const name = addVariable(draft, 'deadline', 'date', '');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const until = `{{${name} | default:friday 18:00}}`;
    draft.clock = { zone: timeZone, ...draft.clock, until };
  }
  const days = '{{countdown.days | plural:one,# day,other,# days}}';
  const [hours, minutes, seconds] = ['hours', 'minutes', 'seconds'].map(
    (unit) => `{{countdown.${unit} | pad}}`,
  );
  return {
    ...newText(draft, id),
    name: 'Countdown',
    text: `${days} ${hours}:${minutes}:${seconds}`,
    fontFeatures: { tnum: 1 },
  };
}

/** A card whose height adapts to its texts. */
function newStack(draft: Template, id: string): Layer {
  const { x, y, width } = boxOf(draft, 0.6, 0.4);
  const unit = Math.max(4, Math.round(Math.min(draft.width, draft.height) / 40));
  const text = { type: 'text', width: 'fill', height: 'hug', fill: ink } as const;
  const title = { ...text, id: freshId(draft, `${id}-title`), text: 'Title', fontWeight: 600 };
  const body = { ...text, id: freshId(draft, `${id}-text`), text: 'What follows moves down.' };
  return {
    id,
    type: 'stack',
    x,
    y,
    width,
    height: 'hug',
    gap: unit,
    padding: 2 * unit,
    fill: '#f4f6f8',
    cornerRadius: unit,
    layers: [
      { ...title, fontSize: 3 * unit },
      { ...body, fontSize: 2 * unit },
    ],
  };
}

function newPath(draft: Template, id: string): Layer {
  return {
    id,
    type: 'path',
    ...boxOf(draft, 0.4, 0.2),
    path: 'M0 50 C25 0 25 0 50 50 S75 100 100 50',
    viewBox: [0, 0, 100, 100],
    stroke: { color: ink, width: strokeWidth(draft) * 2, cap: 'round' },
  };
}

/** Adds a variable of a length in whole design pixels, from 0 to `most`. */
function addLength(draft: Template, preferredName: string, value: number, most: number): string {
  const name = addVariable(draft, preferredName, 'number', String(Math.round(value)));
  const variable = draft.variables.find((each) => each.name === name);
  if (variable !== undefined) Object.assign(variable, { min: 0, max: most });
  return name;
}

/** Stars of a rating. */
const starCount = 5;

/** Grey stars with golden stars on top. A variable is the width of the clip that cuts the golden stars. */
function newRating(draft: Template, id: string): GroupLayer {
  const box = boxOf(draft, 0.75, 0.15);
  const side = Math.max(1, Math.floor(box.width / starCount));
  const variable = addLength(draft, 'rating_width', side * 4, side * starCount);
  const row = (name: string, fill: string): GroupLayer => ({
    id: name,
    type: 'group',
    x: 0,
    y: 0,
    width: side * starCount,
    height: side,
    layers: Array.from({ length: starCount }, (_, index) => ({
      id: `${name}-${index + 1}`,
      type: 'star',
      x: index * side,
      y: 0,
      width: side,
      height: side,
      points: 5,
      fill,
    })),
  });
  const gold = row('rating-gold', '#f2b634');
  const clip = { shape: 'rect', width: `{{${variable}}}` } as unknown as NonNullable<Layer['clip']>;
  return {
    id,
    type: 'group',
    name: 'Rating',
    ...box,
    width: side * starCount,
    height: side,
    layers: [row('rating-grey', faint), { ...gold, clip }],
  };
}

/** A track and a bar, both clipped to round ends. A variable is the width of the bar. */
function newProgress(draft: Template, id: string): GroupLayer {
  const box = boxOf(draft, 0.8, 0.05);
  const variable = addLength(draft, 'progress_width', box.width * 0.6, box.width);
  const bar = { id: 'progress-bar', type: 'rect', x: 0, y: 0, height: box.height, fill: accent };
  return {
    id,
    type: 'group',
    name: 'Progress bar',
    ...box,
    cornerRadius: box.height / 2,
    layers: [
      {
        id: 'progress-track',
        type: 'rect',
        x: 0,
        y: 0,
        width: box.width,
        height: box.height,
        fill: faint,
      },
      { ...bar, width: `{{${variable}}}` } as unknown as Layer,
    ],
  };
}

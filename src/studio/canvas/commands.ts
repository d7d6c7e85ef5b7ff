/** What can be done to the selected layers: nudged, aligned, distributed, grouped, copied, hidden, locked, removed. */
import { isParent } from '#language/schema/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import {
  duplicateLayers,
  findLayer,
  findPlace,
  flattenLayers,
  moveLayers,
  removeLayers,
  renewIds,
  stackFor,
  topmostIds,
} from '../state/layers.ts';
import { anchorOf, fixSizes, settle } from '../state/layer-sizes.ts';
import { groupLayers, stackLayers, ungroup } from '../state/wrap-layers.ts';
import { alignRects, distributeRects, moveTo } from './edit-layers.ts';
import type { Alignment } from './edit-layers.ts';
import { boundsOf } from './geometry.ts';
import type { Box, Point, Rect } from './geometry.ts';
import type { Place } from './places.ts';
import { measuredBoxes, placeLayers } from './places.ts';

/** Design pixels right and down of its original that a copy lies. */
const copyOffsetPx = 10;

/** Layers of the selection with their boxes, without locked ones and those inside another of them. */
export function selectedPlaces(editor: Editor): Place[] {
  const ids = new Set(selectedIds(editor));
  const places = placeLayers(editor.document.value, editor.frame.value?.report);
  return places.filter(({ id }) => ids.has(id));
}

function selectedIds(editor: Editor): string[] {
  const { document, selection, locked } = editor;
  return topmostIds(document.value, selection.value).filter((id) => !locked.value.has(id));
}

/** `Move layer` or `Move 3 layers`. */
export function labelFor(doing: string, ids: readonly unknown[]): string {
  return ids.length === 1 ? `${doing} layer` : `${doing} ${ids.length} layers`;
}

/** Moves the selection by design pixels; presses that follow each other are one step. */
export function nudge(editor: Editor, delta: Point): void {
  const places = selectedPlaces(editor);
  if (places.length === 0) return;
  const key = `nudge:${places.map(({ id }) => id).join()}`;
  editor.change(labelFor('Move', places), (draft) => moveTo(draft, places, delta), key);
}

/** Aligns several layers with each other, and a single one with the canvas. */
export function alignSelected(editor: Editor, alignment: Alignment): void {
  const places = selectedPlaces(editor);
  const rects = places.map(rectOf);
  const { width, height } = editor.document.value;
  const around = boundsOf(places.map(({ seen }) => seen));
  const within =
    places.length === 1 || around === undefined ? { x: 0, y: 0, width, height } : around;
  moveEach(editor, labelFor('Align', places), places, alignRects(rects, alignment, within));
}

/** Gives three layers or more equal gaps. */
export function distributeSelected(editor: Editor, axis: 'x' | 'y'): void {
  const places = selectedPlaces(editor);
  const moves = distributeRects(places.map(rectOf), axis);
  moveEach(editor, labelFor('Distribute', places), places, moves);
}

function rectOf({ seen }: Place): Rect {
  return boundsOf([seen]) ?? seen;
}

function moveEach(
  editor: Editor,
  label: string,
  places: readonly Place[],
  moves: readonly Point[],
): void {
  if (places.length === 0) return;
  editor.change(label, (draft) => {
    for (const [index, place] of places.entries()) {
      moveTo(draft, [place], moves[index] ?? { x: 0, y: 0 });
    }
  });
}

export function removeSelected(editor: Editor): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  editor.change(labelFor('Delete', ids), (draft) => removeLayers(draft, ids));
}

export function duplicateSelected(editor: Editor): void {
  const ids = topmostIds(editor.document.value, editor.selection.value);
  if (ids.length === 0) return;
  let copies: string[] = [];
  editor.change(labelFor('Duplicate', ids), (draft) => {
    copies = duplicateLayers(draft, ids, copyOffsetPx);
  });
  editor.selection.value = copies;
}

/** Puts the selection into a new group or stack, and selects that. */
export function groupSelected(editor: Editor, into: 'group' | 'stack' = 'group'): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  const boxes = measuredBoxes(editor);
  let made: string | undefined;
  editor.change(labelFor(into === 'group' ? 'Group' : 'Stack', ids), (draft) => {
    made = (into === 'group' ? groupLayers : stackLayers)(draft, ids, boxes);
  });
  if (made !== undefined) editor.selection.value = [made];
}

/** Takes away the selected groups and stacks, and selects what was in them. */
export function ungroupSelected(editor: Editor): void {
  const ids = selectedIds(editor).filter((id) => {
    const layer = findLayer(editor.document.value, id);
    return layer !== undefined && isParent(layer);
  });
  if (ids.length === 0) return;
  const boxes = measuredBoxes(editor);
  let freed: string[] = [];
  editor.change(labelFor('Ungroup', ids), (draft) => {
    freed = ids.flatMap((id) => ungroup(draft, id, boxes));
  });
  editor.selection.value = freed;
}

/** Moves each selected layer one step up (1) or down (-1) in the paint order of its group, or to an end. */
export function reorderSelected(editor: Editor, to: 1 | -1 | 'front' | 'back'): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  const isUp = to === 1 || to === 'front';
  editor.change(labelFor('Reorder', ids), (draft) => {
    // From the end that moves first, so that selected neighbours keep their order.
    for (const id of isUp ? ids.toReversed() : ids) reorder(draft, id, ids, to);
  });
}

function reorder(
  draft: Template,
  id: string,
  selected: readonly string[],
  to: 1 | -1 | 'front' | 'back',
): void {
  const place = findPlace(draft, id);
  if (place === undefined) return;
  const siblings = (place.group ?? draft).layers;
  if (typeof to === 'number') {
    const neighbour = siblings[place.index + to];
    if (neighbour === undefined || selected.includes(neighbour.id)) return;
    // `moveLayers` counts positions before the layer is removed.
    moveLayers(draft, [id], place.group?.id, place.index + (to === 1 ? 2 : -1));
    return;
  }
  const others = siblings.filter((layer) => !selected.includes(layer.id));
  const edge = to === 'front' ? others.at(-1) : others[0];
  if (edge === undefined) return;
  const at = siblings.indexOf(edge);
  if (to === 'front' ? place.index > at : place.index < at) return;
  moveLayers(draft, [id], place.group?.id, to === 'front' ? at + 1 : at);
}

/** Locks the selection, or unlocks it when all of it is locked. */
export function toggleLocked(editor: Editor): void {
  const { selection, locked } = editor;
  const ids = selection.value;
  const next = new Set(locked.value);
  const isLocked = ids.every((id) => next.has(id));
  for (const id of ids) {
    if (isLocked) next.delete(id);
    else next.add(id);
  }
  locked.value = next;
}

/** Hides the selection, or shows it when all of it is hidden; a layer that a variable shows is left alone. */
export function toggleVisible(editor: Editor): void {
  const { document, selection } = editor;
  const layers = selection.value.flatMap((id) => findLayer(document.value, id) ?? []);
  const isHidden = layers.length > 0 && layers.every(({ visible }) => visible === false);
  editor.change(labelFor(isHidden ? 'Show' : 'Hide', layers), (draft) => {
    for (const { id } of layers) {
      const layer = findLayer(draft, id);
      if (layer === undefined) continue;
      if (isHidden) delete layer.visible;
      else if (typeof (layer.visible ?? true) === 'boolean') layer.visible = false;
    }
  });
}

/** Every layer of the canvas that is not locked. */
export function selectAll(editor: Editor): void {
  const { document, selection, locked } = editor;
  selection.value = document.value.layers.map(({ id }) => id).filter((id) => !locked.value.has(id));
}

/** What copying puts on the clipboard: text, so that it can be pasted in another tab or read. */
interface Clip {
  platenLayers: Layer[];
  /** Boxes on the canvas of those that a stack positioned, by their ids. */
  boxes?: Record<string, Box>;
}

/** Copies of the selected layers as text, where they are seen on the canvas; undefined without a selection. */
export function copySelected(editor: Editor): string | undefined {
  const ids = new Set(topmostIds(editor.document.value, editor.selection.value));
  const places = placeLayers(editor.document.value, editor.frame.value?.report);
  const chosen = places.filter(({ id }) => ids.has(id));
  const layers = chosen.map(({ layer, box }) => {
    const copy = structuredClone(layer);
    const anchor = anchorOf(layer);
    if (typeof copy.x === 'number') copy.x = box.x + anchor.x * box.width;
    if (typeof copy.y === 'number') copy.y = box.y + anchor.y * box.height;
    // Its mask may not be among them.
    if (copy.mask !== undefined && !ids.has(copy.mask)) delete copy.mask;
    return copy;
  });
  if (layers.length === 0) return undefined;
  const stacked = chosen.filter(({ layer }) => layer.x === undefined);
  const boxes = Object.fromEntries(stacked.map(({ id, box }) => [id, box]));
  const clip: Clip = { platenLayers: layers, boxes };
  return JSON.stringify(clip);
}

/**
 * Adds layers from such a text, and selects them: into the stack that is selected or that holds the selection, else above
 * all others. False when the text holds none.
 */
export function pasteLayers(editor: Editor, text: string): boolean {
  const { platenLayers: layers, boxes = {} } = parseClip(text);
  if (layers.length === 0) return false;
  const { document, selection } = editor;
  const taken = new Set(flattenLayers(document.value).map(({ layer }) => layer.id));
  // A stack that was just copied is still selected; it is not pasted into itself.
  const isIntoItself = layers.some(({ id }) => selection.value.includes(id) && !(id in boxes));
  const into = isIntoItself ? undefined : stackFor(document.value, selection.value);
  const ids: string[] = [];
  editor.change(labelFor('Paste', layers), (draft) => {
    for (const layer of layers) {
      const copy = structuredClone(layer);
      const offset = taken.has(copy.id) ? copyOffsetPx : 0;
      const box = boxes[copy.id];
      if (typeof copy.x === 'number') copy.x += offset;
      if (typeof copy.y === 'number') copy.y += offset;
      if (into === undefined) {
        const own = box && { ...box, x: box.x + offset, y: box.y + offset };
        if (copy.x === undefined && copy.y === undefined) fixSizes(copy, own);
        settle(copy, undefined, own);
      }
      draft.layers.push(copy);
      renewIds(draft, copy);
      ids.push(copy.id);
    }
    if (into !== undefined) moveLayers(draft, ids, into.group, into.index);
  });
  editor.selection.value = ids;
  return true;
}

function parseClip(text: string): Clip {
  try {
    const { platenLayers, boxes } = JSON.parse(text) as Partial<Clip>;
    const layers = Array.isArray(platenLayers) ? platenLayers.filter(isLayer) : [];
    const measured = Object.entries(boxes ?? {}).filter(([, box]) => isBox(box));
    return { platenLayers: layers, boxes: Object.fromEntries(measured) };
  } catch {
    return { platenLayers: [] };
  }
}

function isBox(box: Partial<Box> | null): boolean {
  return [box?.x, box?.y, box?.width, box?.height].every(Number.isFinite);
}

/** Enough to be shown; the service says what else is wrong. */
function isLayer(layer: unknown): layer is Layer {
  return typeof layer === 'object' && layer !== null && 'id' in layer && 'type' in layer;
}

/** Layers as text on the clipboard, and back. */
import { templateLimits } from '#language/limits/template-limits.ts';
import { liveVariables } from '#language/clock/live-values.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import { freshName, renameVariable, usesOf } from '../panels/variables/variables.ts';
import type { Editor } from '../state/editor.ts';
import { anchorOf, fixSizes, settle, shiftInSizes } from '../state/layer-sizes.ts';
import {
  flattenLayers,
  idsWithin,
  moveLayers,
  renewIds,
  stackFor,
  topmostIds,
} from '../state/layers.ts';
import { itemScopes, settleItems } from '../state/list-items.ts';
import type { ItemScope } from '../state/list-items.ts';
import { noteSettled } from '../wording.ts';
import { parseClip } from './clip.ts';
import type { Clip } from './clip.ts';
import { copyOffsetPx, labelFor } from './commands.ts';
import { middleInSight, partInSight } from './canvas-state.ts';
import { turnTo } from './edit-layers.ts';
import { boundsOf, centerOf, insideCanvas, isInBox, tidyNumber } from './geometry.ts';
import type { Box, Point } from './geometry.ts';
import { fixedNumber, placeLayers } from './layer-geometry.ts';
import { selectAdded } from './gestures/select-added.ts';

let last = '';

/** Text that was copied last in this tab, or an empty string. */
export function lastCopied(): string {
  return last;
}

/** The selected layers as text, with their positions on the canvas. Undefined without a selection. */
export function copySelected(editor: Editor): string | undefined {
  const ids = new Set(topmostIds(editor.document.value, editor.selection.value));
  const positions = placeLayers(editor.document.value, editor.frame.value?.report);
  const chosen = positions.filter(({ id }) => ids.has(id));
  const layers = chosen.map(({ layer, motion, seen }) => {
    const copy = structuredClone(layer);
    const anchor = anchorOf(layer);
    if (typeof copy.x === 'number') copy.x = tidyNumber(seen.x + anchor.x * seen.width);
    if (typeof copy.y === 'number') copy.y = tidyNumber(seen.y + anchor.y * seen.height);
    // The copy is outside of the groups that turn the layer.
    if (motion.angle !== 0 && layer.x !== undefined) turnTo(copy, seen.rotation);
    // The copy cannot refer to a mask that is not copied with it.
    if (copy.mask !== undefined && !ids.has(copy.mask)) delete copy.mask;
    return copy;
  });
  if (layers.length === 0) return undefined;
  const boxes = Object.fromEntries(chosen.map(({ id, seen }) => [id, seen]));
  const within = new Set(layers.flatMap(idsWithin));
  const scopes = [...itemScopes(editor.document.value)].filter(([id]) => within.has(id));
  const clock = clockOf(editor.document.value, layers);
  const clip: Clip = {
    platenLayers: layers,
    uid: editor.uid,
    boxes,
    items: Object.fromEntries(scopes),
    variables: variablesIn(editor.document.value, layers, clock),
    clock,
    fonts: editor.document.value.fonts ?? [],
  };
  last = JSON.stringify(clip);
  return last;
}

/**
 * Adds the layers of a copied text and selects them. With `at`, their middle is at that point of the canvas. Else they
 * go into the stack that is selected or holds the selection, or above all layers. False if the text has no layers.
 */
export function pasteLayers(editor: Editor, text: string, at?: Point): boolean {
  const {
    platenLayers: layers,
    uid,
    boxes = {},
    items = {},
    variables = [],
    clock,
    fonts = [],
  } = parseClip(text);
  if (layers.length === 0) return false;
  const { document, selection } = editor;
  const taken = new Set(flattenLayers(document.value).map(({ layer }) => layer.id));
  // A stack that was just copied is still selected; it is not pasted into itself.
  const copied = layers.map(({ id }) => id);
  const into = at === undefined ? stackFor(document.value, selection.value, copied) : undefined;
  const ids: string[] = [];
  let settled: string[] = [];
  editor.change(labelFor('Paste', layers), (draft) => {
    const scopes = new Map<string, ItemScope>();
    for (const layer of layers) {
      const copy = structuredClone(layer);
      draft.layers.push(copy);
      renewIds(draft, copy);
      ids.push(copy.id);
      const renewed = idsWithin(copy);
      for (const [index, id] of idsWithin(layer).entries()) {
        const [scope, renewedId] = [items[id], renewed[index]];
        if (scope !== undefined && renewedId !== undefined) scopes.set(renewedId, scope);
      }
    }
    bringVariables(draft, ids, variables, clock);
    bringFonts(draft, fonts);
    if (into !== undefined) moveLayers(draft, ids, into.group, into.index);
    for (const [index, id] of ids.entries()) {
      const copy = draft.layers.find((each) => each.id === id);
      const from = copied[index] ?? '';
      if (copy !== undefined) placeCopy(copy, boxes[from], taken.has(from) ? copyOffsetPx : 0);
    }
    if (into === undefined) {
      const drawn = new Map(ids.map((id, index) => [id, boxes[copied[index] ?? '']]));
      bringIntoSight(editor, draft, drawn, { at, isForeign: uid !== editor.uid });
    }
    settled = settleItems(draft, scopes);
  });
  noteSettled(editor.document.value, settled);
  selectAdded(editor, ids);
  return true;
}

/** Gives a pasted layer a position. A layer that a stack had positioned takes position and size from its box. */
function placeCopy(copy: Layer, box: Box | undefined, offset: number): void {
  if (copy.x === undefined && copy.y === undefined) {
    fixSizes(copy, box);
    if (box !== undefined) turnTo(copy, box.rotation);
  }
  settle(copy, undefined, box);
  shiftInSizes(copy, offset);
}

/** The clock, if the layers bind one of its values. Any template knows the client. */
function clockOf(document: Template, layers: Layer[]): Template['clock'] {
  const part = partOf(document, layers);
  const isBound = liveVariables(document).some(
    ({ name }) => name !== 'client' && usesOf(part, name).length > 0,
  );
  return isBound ? document.clock : undefined;
}

/** Variables that the layers and the clock use, and the key variables of their table lookups. */
function variablesIn(document: Template, layers: Layer[], clock: Template['clock']): Variable[] {
  const { variables } = document;
  const part = { ...partOf(document, layers), ...(clock && { clock }) };
  const used = variables.filter(({ name }) => usesOf(part, name).length > 0);
  const keys = new Set(
    used.flatMap(({ from }) => (from === undefined ? [] : parseTableSource(from).keyVariable)),
  );
  return variables.filter((variable) => used.includes(variable) || keys.has(variable.name));
}

/** A document with only these layers, and nothing else that binds variables. */
function partOf({ format, name, width, height, variables }: Template, layers: Layer[]): Template {
  return { format, name, width, height, variables, layers };
}

/**
 * Adds the variables of pasted layers to a document. A variable of the same name and type stays as it is; a list gets
 * the fields that it lacks. If types differ, the pasted layers bind a new variable. A document without a deadline gets
 * that of their clock, but keeps the parts of the clock that it has. A document with a deadline gets only the contact
 * that `share` needs.
 */
export function bringVariables(
  draft: Template,
  ids: readonly string[],
  variables: readonly Variable[],
  clock?: Template['clock'],
): void {
  const layers = draft.layers.filter(({ id }) => ids.includes(id));
  const { until, evergreen } = draft.clock ?? {};
  const hasDeadline = until !== undefined || evergreen !== undefined;
  const brought = hasDeadline ? contactOf(draft, layers, clock) : clock;
  const pasted: Template = {
    ...partOf(draft, layers),
    variables: [...variables],
    ...(brought && { clock: brought }),
  };
  const used = brought === clock ? variables : variablesIn(pasted, layers, brought);
  for (const variable of used) {
    const known = draft.variables.find(({ name }) => name === variable.name);
    if (known !== undefined && joins(known, variable)) continue;
    if (known !== undefined) {
      const taken = [...draft.variables, ...variables];
      renameVariable(
        pasted,
        variable.name,
        freshName({ ...draft, variables: taken }, variable.name),
      );
    }
    draft.variables.push(variable);
  }
  if (brought !== undefined) draft.clock = { ...brought, ...draft.clock };
}

/** The contact of a pasted clock, if the layers bind `share` and the document's clock has no contact. */
function contactOf(draft: Template, layers: Layer[], clock: Template['clock']): Template['clock'] {
  const { per } = clock ?? {};
  const isBound = usesOf(partOf(draft, layers), 'share').length > 0;
  return per !== undefined && draft.clock?.per === undefined && isBound ? { per } : undefined;
}

/** Whether the layers of a pasted variable can bind the known one of its name. Gives a known list missing fields. */
function joins(known: Variable, variable: Variable): boolean {
  if (known.type !== 'list' || variable.type !== 'list') return known.type === variable.type;
  const types = new Map(known.fields.map(({ name, type }) => [name, type]));
  const missing = variable.fields.filter(({ name }) => !types.has(name));
  const isSame = variable.fields.every(({ name, type }) => (types.get(name) ?? type) === type);
  if (!isSame || known.fields.length + missing.length > templateLimits.listFieldsMax) return false;
  known.fields.push(...structuredClone(missing));
  for (const [index, item] of known.value.entries()) {
    for (const { name } of missing) {
      const value = variable.value[index]?.[name];
      if (value !== undefined) item[name] = value;
    }
  }
  return true;
}

/**
 * Moves layers together to `at`. Without it, moves layers that lie out of sight to the middle of what is visible, and
 * those of another template into the canvas if they fit. `drawn` has the boxes of the copied layers by the ids of their
 * copies, for lengths that the document does not fix.
 */
function bringIntoSight(
  editor: Editor,
  draft: Template,
  drawn: ReadonlyMap<string, Box | undefined>,
  { at, isForeign }: { at: Point | undefined; isForeign: boolean },
): void {
  const copies = draft.layers.filter(({ id }) => drawn.has(id));
  const boxes = copies.map((copy) => boxOf(copy, drawn.get(copy.id)));
  const bounds = boundsOf(boxes);
  if (bounds === undefined) return;
  const { x, y, width, height } = bounds;
  const middle = at ?? middleInSight(editor);
  const seen = { ...partInSight(editor), rotation: 0 };
  // A layer that is larger than what is visible may have its middle elsewhere.
  const isSeen = isInBox(seen, centerOf(bounds)) || isInBox({ ...bounds, rotation: 0 }, middle);
  const stays = at === undefined && isSeen;
  const fits = width <= draft.width && height <= draft.height;
  const isOver = x < 0 || y < 0 || x + width > draft.width || y + height > draft.height;
  if (stays && !(isForeign && fits && isOver)) return;
  const to = stays
    ? insideCanvas(draft, bounds)
    : { x: middle.x - width / 2, y: middle.y - height / 2 };
  const delta = { x: Math.round(to.x - x), y: Math.round(to.y - y) };
  for (const [index, copy] of copies.entries()) {
    const [box = { ...bounds, rotation: 0 }, anchor] = [boxes[index], anchorOf(copy)];
    // A variable that would keep the layer elsewhere gives way to the position.
    copy.x = delta.x + (fixedNumber(copy.x) ?? Math.round(box.x + anchor.x * box.width));
    copy.y = delta.y + (fixedNumber(copy.y) ?? Math.round(box.y + anchor.y * box.height));
  }
}

function boxOf(copy: Layer, drawn: Box | undefined): Box {
  const width = fixedNumber(copy.width) ?? drawn?.width ?? 0;
  const height = fixedNumber(copy.height) ?? drawn?.height ?? 0;
  const [x, y, anchor] = [fixedNumber(copy.x), fixedNumber(copy.y), anchorOf(copy)];
  return {
    x: x === undefined ? (drawn?.x ?? 0) : x - anchor.x * width,
    y: y === undefined ? (drawn?.y ?? 0) : y - anchor.y * height,
    width,
    height,
    rotation: 0,
  };
}

/** Most fallback families of a document (its schema). */
const fontsMax = 8;

/** Adds fallback families after those of the document, so that only letters that had none change. */
function bringFonts(draft: Template, families: readonly string[]): void {
  const known = draft.fonts ?? [];
  const fresh = families.filter((family) => !known.includes(family));
  if (fresh.length > 0)
    draft.fonts = [...known, ...fresh].slice(0, Math.max(known.length, fontsMax));
}

/** The position of a layer in the tree, after a drag with the pointer or a step of the keyboard. */
import { isParent } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';
import type { Drop, LayerPosition } from '../../state/layers.ts';
import { findPosition, flattenLayers, idsWithin, nameOf, parentOf } from '../../state/layers.ts';
import { kindNames } from './new-layers.ts';

/**
 * Returns the rows of the tree. The top layer comes first, but in a stack the first layer does. The children of a
 * group follow the group unless it is closed.
 */
export function shownPositions(document: Template, closed: ReadonlySet<string>): LayerPosition[] {
  const hidden = new Set<string>();
  for (const { layer } of flattenLayers(document)) {
    if (isParent(layer) && closed.has(layer.id)) {
      for (const id of idsWithin(layer).slice(1)) hidden.add(id);
    }
  }
  const ordered: LayerPosition[] = [];
  const walk = (positions: readonly LayerPosition[], group: string | undefined): void => {
    const siblings = positions.filter((position) => position.group?.id === group);
    for (const position of isStacked(siblings[0]) ? siblings : siblings.toReversed()) {
      ordered.push(position);
      if (isParent(position.layer)) walk(positions, position.layer.id);
    }
  };
  walk(flattenLayers(document), undefined);
  return ordered.filter(({ layer }) => !hidden.has(layer.id));
}

/** Returns the rows that a search finds by name, text, kind or id, in any group; the shown rows for an empty search. */
export function matchingPositions(
  document: Template,
  closed: ReadonlySet<string>,
  query: string,
): LayerPosition[] {
  if (query === '') return shownPositions(document, closed);
  return shownPositions(document, new Set()).filter(({ layer }) => {
    const text = layer.type === 'text' ? (layer.text ?? '') : '';
    const words = [nameOf(layer), text, kindNames[layer.type], layer.id];
    return words.some((word) => word.toLowerCase().includes(query));
  });
}

/** Whether a layer is in a stack, whose layers the tree shows from the first to the last. */
function isStacked(position: LayerPosition | undefined): boolean {
  return position?.group?.type === 'stack';
}

/** Ids of the groups that a layer is in, the innermost first. */
export function groupsAround(document: Template, id: string): string[] {
  const group = findPosition(document, id)?.group;
  return group === undefined ? [] : [group.id, ...groupsAround(document, group.id)];
}

/**
 * Returns the target of a drop on a row. `part` is the pointer's height on the row from 0 to 1. The upper part drops
 * above the layer, the lower part below it, the middle of a group into it, on top. Undefined inside a moved layer.
 */
export function dropOn(
  document: Template,
  moving: readonly string[],
  id: string,
  part: number,
): Drop | undefined {
  const position = findPosition(document, id);
  if (position === undefined) return undefined;
  const isGroup = isParent(position.layer);
  const inMoved = moving.some((each) => {
    const moved = findPosition(document, each);
    return moved !== undefined && idsWithin(moved.layer).includes(id);
  });
  if (inMoved) return undefined;
  if (isParent(position.layer) && part > 0.25 && part < 0.75) {
    return { group: id, index: position.layer.layers.length };
  }
  const isAbove = part < (isGroup ? 0.3 : 0.5);
  const isAfter = isAbove !== isStacked(position);
  return { group: position.group?.id, index: isAfter ? position.index + 1 : position.index };
}

/** Steps of the keyboard: up and down in the list, out of a group, into the group below. */
export type OrderStep = 'up' | 'down' | 'out' | 'into';

/** Returns the target of a step; undefined if the layer cannot go further. */
export function stepOf(document: Template, id: string, step: OrderStep): Drop | undefined {
  const position = findPosition(document, id);
  const siblings = parentOf(document, id)?.layers ?? [];
  if (position === undefined) return undefined;
  const { index, group } = position;
  // `up` and `down` refer to the list as it is shown.
  const isForward = (step === 'up') !== isStacked(position);
  switch (step) {
    case 'up':
    case 'down': {
      const last = isForward ? siblings.length - 1 : 0;
      if (index === last) return undefined;
      return { group: group?.id, index: isForward ? index + 2 : index - 1 };
    }
    case 'out': {
      const outer = group === undefined ? undefined : findPosition(document, group.id);
      return outer === undefined ? undefined : { group: outer.group?.id, index: outer.index + 1 };
    }
    case 'into': {
      const below = siblings[isStacked(position) ? index + 1 : index - 1];
      return below !== undefined && isParent(below)
        ? { group: below.id, index: below.layers.length }
        : undefined;
    }
    default:
      return step satisfies never;
  }
}

// The pointer over the rows of the tree during a drag.

/** A row under the pointer, and the pointer's height on it from 0 to 1. */
export interface Over {
  id: string;
  part: number;
}

/** Movement up to which a press is a click, in pixels. */
const clickPx = 4;

/** Distance from the panel's edges within which a drag scrolls, and the scroll per move, in pixels. */
const edgePx = 24;
const scrollPx = 12;

function scrollAt(tree: HTMLElement, clientY: number): void {
  const panel = tree.closest('.panel')?.parentElement;
  if (panel === null || panel === undefined) return;
  const { top, bottom } = panel.getBoundingClientRect();
  if (clientY < top + edgePx) panel.scrollBy(0, -scrollPx);
  if (clientY > Math.min(bottom, innerHeight) - edgePx) panel.scrollBy(0, scrollPx);
}

/**
 * Follows the pointer from a press on a row to its release. A press that moves at most `clickPx` is a click, without
 * calls. `drop` gets undefined outside the rows and for a cancelled drag.
 */
export function dragRows(
  press: PointerEvent,
  tree: HTMLElement | null,
  over: (row: Over | undefined) => void,
  drop: (row: Over | undefined) => void,
): void {
  if (tree === null || press.button !== 0) return;
  let isDragging = false;
  const find = (event: PointerEvent): Over | undefined => {
    for (const row of tree.querySelectorAll<HTMLElement>('[data-layer]')) {
      const { top, height } = row.getBoundingClientRect();
      const part = (event.clientY - top) / height;
      if (part >= 0 && part <= 1) return { id: row.dataset['layer'] ?? '', part };
    }
    return undefined;
  };
  const listeners = new AbortController();
  const { signal } = listeners;
  const move = (event: PointerEvent): void => {
    const moved = Math.abs(event.clientY - press.clientY) + Math.abs(event.clientX - press.clientX);
    isDragging ||= moved > clickPx;
    if (!isDragging) return;
    over(find(event));
    scrollAt(tree, event.clientY);
  };
  const end = (event: PointerEvent): void => {
    listeners.abort();
    if (isDragging) drop(event.type === 'pointerup' ? find(event) : undefined);
  };
  globalThis.addEventListener('pointermove', move, { signal });
  globalThis.addEventListener('pointerup', end, { signal });
  globalThis.addEventListener('pointercancel', end, { signal });
}

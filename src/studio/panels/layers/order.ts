/** Where a layer goes in the tree: by a drop of the pointer, or by a step of the keyboard. */
import type { Template } from '#language/schema/template.ts';
import type { LayerPlace } from '../../state/layers.ts';
import { findPlace, flattenLayers, idsWithin, parentOf } from '../../state/layers.ts';

/** A place in a list: the group's id, or undefined for the document, and the index before anything is moved. */
export interface Drop {
  group: string | undefined;
  index: number;
}

/** The tree as it is shown: the top layer first, children of a group below it unless it is closed. */
export function shownPlaces(document: Template, closed: ReadonlySet<string>): LayerPlace[] {
  const hidden = new Set<string>();
  for (const { layer } of flattenLayers(document)) {
    if (layer.type === 'group' && closed.has(layer.id)) {
      for (const id of idsWithin(layer).slice(1)) hidden.add(id);
    }
  }
  const ordered: LayerPlace[] = [];
  const walk = (places: readonly LayerPlace[], group: string | undefined): void => {
    const own = places.filter((place) => place.group?.id === group);
    for (const place of own.toReversed()) {
      ordered.push(place);
      if (place.layer.type === 'group') walk(places, place.layer.id);
    }
  };
  walk(flattenLayers(document), undefined);
  return ordered.filter(({ layer }) => !hidden.has(layer.id));
}

/** Ids of the groups that a layer is in, the innermost first. */
export function groupsAround(document: Template, id: string): string[] {
  const group = findPlace(document, id)?.group;
  return group === undefined ? [] : [group.id, ...groupsAround(document, group.id)];
}

/**
 * Where a drop on a row goes: `part` is the pointer's height on the row from 0 to 1. The upper part is above the layer,
 * the lower below it, the middle of a group into it, on top. Undefined where it may not: into what is moved itself.
 */
export function dropOn(
  document: Template,
  moving: readonly string[],
  id: string,
  part: number,
): Drop | undefined {
  const place = findPlace(document, id);
  if (place === undefined) return undefined;
  const isGroup = place.layer.type === 'group';
  const inMoved = moving.some((each) => {
    const moved = findPlace(document, each);
    return moved !== undefined && idsWithin(moved.layer).includes(id);
  });
  if (inMoved) return undefined;
  if (place.layer.type === 'group' && part > 0.25 && part < 0.75) {
    return { group: id, index: place.layer.layers.length };
  }
  const isAbove = part < (isGroup ? 0.3 : 0.5);
  return { group: place.group?.id, index: isAbove ? place.index + 1 : place.index };
}

/** Steps of the keyboard: up and down in the list, out of a group, into the group below. */
export type OrderStep = 'up' | 'down' | 'out' | 'into';

/** Where a layer goes by a step; undefined where there is no further. */
export function stepOf(document: Template, id: string, step: OrderStep): Drop | undefined {
  const place = findPlace(document, id);
  const siblings = parentOf(document, id)?.layers ?? [];
  if (place === undefined) return undefined;
  const { index, group } = place;
  switch (step) {
    case 'up':
      return index === siblings.length - 1 ? undefined : { group: group?.id, index: index + 2 };
    case 'down':
      return index === 0 ? undefined : { group: group?.id, index: index - 1 };
    case 'out': {
      const outer = group === undefined ? undefined : findPlace(document, group.id);
      return outer === undefined ? undefined : { group: outer.group?.id, index: outer.index + 1 };
    }
    case 'into': {
      const below = siblings[index - 1];
      return below?.type === 'group' ? { group: below.id, index: below.layers.length } : undefined;
    }
    default:
      return step satisfies never;
  }
}

/** Cuts a display list down to single layers, for an editor that moves one under the pointer. */
import type { DisplayItem, DisplayList } from './display-list.ts';

/**
 * The list with these layers alone, at their places on a transparent ground. A layer of a group keeps the group's
 * turn, opacity and clip; a group that is asked for keeps all that is in it.
 */
export function onlyLayers(list: DisplayList, ids: readonly string[]): DisplayList {
  return { ...list, background: undefined, items: pick(list.items, new Set(ids)) };
}

function pick(items: readonly DisplayItem[], ids: ReadonlySet<string>): DisplayItem[] {
  return items.flatMap((item) => {
    if (ids.has(item.layer)) return [item];
    if (item.content.kind !== 'group') return [];
    const inside = pick(item.content.items, ids);
    return inside.length === 0 ? [] : [{ ...item, content: { kind: 'group', items: inside } }];
  });
}

/** Finds the texts of an image whose contrast is measured, and the items behind their letters. */
import { filledContent, isText, lettersBounds, withoutLetters } from './contrast-letters.ts';
import type { TextContent } from './contrast-letters.ts';
import type { DisplayContent, DisplayItem, DisplayList, Rect } from './display-list.ts';
import { itemBounds, reachOf, rotateBounds } from './paint/bounds.ts';

/** A text layer and the groups that contain it. */
export interface PlacedText {
  item: DisplayItem;
  content: TextContent;
  /** The groups and stacks around the text, the outermost first. */
  groups: readonly DisplayItem[];
}

/** A painted layer of the canvas, in paint order. */
interface Leaf {
  item: DisplayItem;
  groups: readonly DisplayItem[];
  /** The area that the layer covers on the canvas, in design pixels. */
  bounds: Rect;
}

/** A text with a ground of its own. */
export interface AloneText {
  text: PlacedText;
  ground: DisplayList;
  /** Present where an effect changes the colour of letters: the ground with `fill` all over the box of the text. */
  filledWith?: (fill: string) => DisplayList;
}

/** Texts by the ground behind their letters. */
export interface TextGrounds {
  /** Texts with a common ground: the image without letters. */
  shared: readonly PlacedText[];
  ground: DisplayList;
  /** Texts that another layer covers, that have letters behind them, or that have an effect. */
  alone: readonly AloneText[];
}

/** Finds the texts of a list, also in groups and stacks. */
export function findTextGrounds(list: DisplayList): TextGrounds {
  const leaves = [...walkLeaves(list.items, [])];
  const shared: PlacedText[] = [];
  const alone: AloneText[] = [];
  for (const [index, { item, groups }] of leaves.entries()) {
    const { content } = item;
    if (!isText(content)) continue;
    const text = { item, content, groups };
    if (groups.some(hasEffect) || hasEffect({ ...item, opacity: 1 })) {
      alone.push(withEffect(list, text));
      continue;
    }
    const letters = lettersBox(text);
    const isFree = leaves.every((leaf, order) => {
      const isOther = order < index ? hasLetters(leaf) : order > index;
      return !isOther || !meets(leaf.bounds, letters);
    });
    if (isFree) shared.push(text);
    else alone.push({ text, ground: groundBehind(list, text) });
  }
  const ground = { ...list, items: groundItems(list.items, shared.map(lettersBox)) };
  return { shared, ground, alone };
}

function* walkLeaves(
  items: readonly DisplayItem[],
  groups: readonly DisplayItem[],
): Generator<Leaf> {
  for (const item of items) {
    if (item.opacity === 0) continue;
    if (item.content.kind === 'group') {
      yield* walkLeaves(item.content.items, [...groups, item]);
      if (item.border !== undefined) yield leafOf({ ...item, content: noItems }, groups);
    } else {
      yield leafOf(item, groups);
    }
  }
}

const noItems: DisplayContent = { kind: 'group', items: [] };

function leafOf(item: DisplayItem, groups: readonly DisplayItem[]): Leaf {
  const bounds = groups.reduceRight((part, group) => reachOf(group, part), itemBounds(item));
  return { item, groups, bounds };
}

function hasLetters({ item }: Leaf): boolean {
  return isText(item.content);
}

function hasEffect({ opacity, blendMode, filter, blur, mask }: DisplayItem): boolean {
  const isPlain = opacity === 1 && blendMode === 'normal' && filter === undefined;
  return !isPlain || blur > 0 || mask !== undefined;
}

/** A box filled with the colour of letters shows how effects change this colour; a blur weakens thin letters more. */
function withEffect(list: DisplayList, text: PlacedText): AloneText {
  const { item, content } = text;
  const filledWith = (fill: string): DisplayList => {
    const filled = filledContent(content, fill);
    return groundBehind(list, text, [{ ...item, content: filled, shadows: [] }]);
  };
  return { text, ground: groundBehind(list, text), filledWith };
}

/** Returns the area of the canvas in which contrast is measured, in design pixels. */
function lettersBox({ item, content, groups }: PlacedText): Rect {
  return [...groups, item].reduceRight(
    (part, { box, rotation }) => rotateBounds(part, box, rotation),
    lettersBounds(content),
  );
}

/** Returns the items that meet one of `boxes`, without the letters of texts. */
function groundItems(items: readonly DisplayItem[], boxes: readonly Rect[]): DisplayItem[] {
  return items.flatMap((item): DisplayItem[] => {
    if (!boxes.some((box) => meets(itemBounds(item), box))) return [];
    return withoutText(item);
  });
}

function withoutText(item: DisplayItem): DisplayItem[] {
  const { content } = item;
  if (content.kind === 'group') {
    const items = content.items.flatMap(withoutText);
    if (items.length === 0 && item.border === undefined) return [];
    return [{ ...item, content: { kind: 'group', items } }];
  }
  return isText(content) ? groundOf(item, content) : [item];
}

/** Returns the items below a text in its groups, and `painted`: by default the background of the text. */
function groundBehind(
  list: DisplayList,
  text: PlacedText,
  painted: readonly DisplayItem[] = groundOf(text.item, text.content),
): DisplayList {
  return { ...list, items: itemsBehind(list.items, text, painted) };
}

function itemsBehind(
  items: readonly DisplayItem[],
  { item, content, groups }: PlacedText,
  painted: readonly DisplayItem[],
): DisplayItem[] {
  const bounds = placedBounds(item, groups);
  const [group, ...inner] = groups;
  const index = items.indexOf(group ?? item);
  const below = items.slice(0, index).filter((each) => meets(itemBounds(each), bounds));
  if (group?.content.kind !== 'group') return [...below, ...painted];
  const inside = itemsBehind(group.content.items, { item, content, groups: inner }, painted);
  return [...below, { ...group, content: { kind: 'group', items: inside } }];
}

function placedBounds(item: DisplayItem, groups: readonly DisplayItem[]): Rect {
  return groups.reduceRight(
    (part, { box, rotation }) => rotateBounds(part, box, rotation),
    itemBounds(item),
  );
}

function groundOf(item: DisplayItem, content: TextContent): DisplayItem[] {
  if (content.backgrounds.length === 0 && item.border === undefined) return [];
  return [{ ...item, content: withoutLetters(content), shadows: [] }];
}

function meets(a: Rect, b: Rect): boolean {
  const meetsAcross = a.x < b.x + b.width && b.x < a.x + a.width;
  return meetsAcross && a.y < b.y + b.height && b.y < a.y + a.height;
}

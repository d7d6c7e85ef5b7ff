/** What the arrangement of layers in another size must keep. */
import type { Template } from '#language/schema/template.ts';
import { viewOf } from '../../src/studio/state/sizes.ts';

interface Bounds {
  id: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  fontSize: number | undefined;
}

/** Returns what the size `new` loses: layers inside the canvas, space between or in layers, or their order. */
export function flaws(document: Template, arranged: Template): string[] {
  const view = viewOf(arranged, 'new');
  const [before, after] = [boundsIn(document), boundsIn(view)];
  const isOrdered = before.every(({ id }, index) => id === after[index]?.id);
  const found = before.length === after.length && isOrdered ? [] : ['the order'];
  // Sizes are whole pixels, so that neighbours meet within one.
  for (const [index, then] of before.entries()) {
    const now = after[index] ?? then;
    if (isWithin(then, document, 0) && !isWithin(now, view, 1)) found.push(`${then.id} leaves`);
    if (!fitsText(then, now)) found.push(`${then.id} has too large letters`);
    for (const [other, beside] of before.entries()) {
      const isNew = !overlap(then, beside, 0) && overlap(now, after[other] ?? beside, 1);
      if (other > index && isNew) found.push(`${then.id} covers ${beside.id}`);
    }
  }
  return found;
}

/** The boxes of the layers of the canvas that neither turn nor depend on their content, in paint order. */
function boundsIn({ layers }: Template): Bounds[] {
  return layers.flatMap((layer) => {
    const { id, x, y, width, height, rotation = 0 } = layer;
    if (typeof x !== 'number' || typeof y !== 'number' || rotation !== 0) return [];
    if (typeof width !== 'number' || typeof height !== 'number') return [];
    const size = layer.type === 'text' ? layer.fontSize : undefined;
    const fontSize = typeof size === 'number' ? size : undefined;
    return [{ id, left: x, top: y, right: x + width, bottom: y + height, fontSize }];
  });
}

function isWithin(box: Bounds, { width, height }: Template, px: number): boolean {
  const isLeft = box.left >= -px && box.top >= -px;
  return isLeft && box.right <= width + px && box.bottom <= height + px;
}

function overlap(one: Bounds, two: Bounds, px: number): boolean {
  const isBeside = one.left + px < two.right && two.left + px < one.right;
  return isBeside && one.top + px < two.bottom && two.top + px < one.bottom;
}

/** Whether a text has as much space for its letters as before, but for rounding. */
function fitsText(then: Bounds, now: Bounds): boolean {
  const [before, after] = [then.fontSize, now.fontSize];
  if (before === undefined || after === undefined) return true;
  const scale = (after - 0.5) / before;
  const isWide = now.right - now.left + 1 >= (then.right - then.left) * scale;
  return isWide && now.bottom - now.top + 1 >= (then.bottom - then.top) * scale;
}

/** What the arrangement of layers in another size must keep. */
import type { Template } from '#language/schema/template.ts';
import type { Rect } from '../../src/studio/canvas/geometry.ts';
import { viewOf } from '../../src/studio/state/sizes.ts';

interface Bounds extends Rect {
  id: string;
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
    const isFree = [x, y, width, height].every((each) => typeof each === 'number');
    if (!isFree || rotation !== 0) return [];
    const size = layer.type === 'text' ? layer.fontSize : undefined;
    const fontSize = typeof size === 'number' ? size : undefined;
    return [{ id, x, y, width, height, fontSize } as Bounds];
  });
}

function isWithin({ x, y, width, height }: Bounds, canvas: Template, px: number): boolean {
  const isRight = x + width <= canvas.width + px && y + height <= canvas.height + px;
  return isRight && x >= -px && y >= -px;
}

function overlap(one: Bounds, two: Bounds, px: number): boolean {
  const isBeside = one.x + px < two.x + two.width && two.x + px < one.x + one.width;
  return isBeside && one.y + px < two.y + two.height && two.y + px < one.y + one.height;
}

/** Whether a text has as much space for its letters as before, but for rounding. */
function fitsText(then: Bounds, now: Bounds): boolean {
  const [before, after] = [then.fontSize, now.fontSize];
  if (before === undefined || after === undefined) return true;
  const scale = (after - 0.5) / before;
  return now.width + 1 >= then.width * scale && now.height + 1 >= then.height * scale;
}

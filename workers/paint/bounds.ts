/** Computes the area that an item paints, for the sizes of effect buffers and for damage. */
import { Canvas } from 'skia-canvas';
import type { Stroke } from '#language/schema/paint.ts';
import type {
  DisplayContent,
  DisplayItem,
  Ink,
  PathGlyph,
  Rect,
  TextRun,
} from '../display-list.ts';
import { applyFont } from './paint-text.ts';
import { letterBounds } from './letter-path.ts';
import { growRect, toPath } from './geometry.ts';
import type { Letters } from './paint-text.ts';
import { textMiterLimit } from './paint-text.ts';

/** Measures letters; nothing is drawn on it. */
const ruler = new Canvas(1, 1).getContext('2d');
// Letters are painted with this setting; the default would measure right-to-left text from its right edge.
ruler.textAlign = 'left';

/** Margin around measured letters for slanted and emboldened letters, as a share of the font size. */
const inkMargin = 0.1;
/** Minimum reach of letters on a path, which the engine centres, as a share of the font size. */
const pathReach = 1.5;
/** An arrow head is this many line widths long and wide. */
export const arrowSize = 4;
/** Standard deviations after which a blur is 0 in 8 bits. */
const blurReach = 3;

/** Returns the smallest rectangle that contains all of `rects`; empty if there are none. */
export function unionRects(rects: readonly Rect[]): Rect {
  const left = Math.min(...rects.map(({ x }) => x));
  const top = Math.min(...rects.map(({ y }) => y));
  const right = Math.max(...rects.map(({ x, width }) => x + width));
  const bottom = Math.max(...rects.map(({ y, height }) => y + height));
  if (rects.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the intersection of two rectangles, with a width or height of 0 if it is empty. */
export function intersectRects(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x);
  const height = Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y);
  return { x, y, width, height };
}

/** Returns the area of the item's content and border before rotation and effects, in design pixels. */
export function contentBounds(item: DisplayItem): Rect {
  const content = boundsOf(item.content);
  if (item.border === undefined) return content;
  return unionRects([content, growRect(item.box, item.border.width)]);
}

/** Caches of bounds: each render over a base render needs the bounds of its items and runs again. */
const knownBounds = new WeakMap<DisplayItem, Rect>();
const knownInk = new WeakMap<Letters, Rect>();

/** Returns the area of the item with blur, shadows and rotation, in design pixels. Cached: items never change. */
export function itemBounds(item: DisplayItem): Rect {
  let bounds = knownBounds.get(item);
  if (bounds === undefined) knownBounds.set(item, (bounds = reachOf(item, contentBounds(item))));
  return bounds;
}

/** Returns the area of a part of the item's content with the item's blur, shadows and rotation, in design pixels. */
export function reachOf(item: DisplayItem, part: Rect): Rect {
  const blurred = growRect(part, item.blur * blurReach);
  const shadows = item.shadows.map(({ x = 0, y = 0, blur = 0 }) => {
    const moved = { ...blurred, x: blurred.x + x, y: blurred.y + y };
    // A shadow's blur radius is two standard deviations (CSS Backgrounds 3, 6.2).
    return growRect(moved, (blur / 2) * blurReach);
  });
  return rotateBounds(unionRects([blurred, ...shadows]), item.box, item.rotation);
}

/** Returns the maximum distance of paint from the content by blur and shadows, in design pixels. */
export function effectReach({ blur, shadows }: DisplayItem): number {
  const shifts = shadows.map(
    ({ x = 0, y = 0, blur: radius = 0 }) => Math.hypot(x, y) + (radius / 2) * blurReach,
  );
  return blur * blurReach + Math.max(0, ...shifts);
}

/** Returns the bounds of a rectangle that is rotated around the middle of `box`. */
export function rotateBounds(rect: Rect, box: Rect, degrees: number): Rect {
  if (degrees === 0) return rect;
  const angle = (degrees * Math.PI) / 180;
  const centerX = box.x + box.width / 2;
  const centerY = box.y + box.height / 2;
  const corners = [
    [rect.x, rect.y],
    [rect.x + rect.width, rect.y],
    [rect.x, rect.y + rect.height],
    [rect.x + rect.width, rect.y + rect.height],
  ].map(([x = 0, y = 0]) => ({
    x: centerX + (x - centerX) * Math.cos(angle) - (y - centerY) * Math.sin(angle),
    y: centerY + (x - centerX) * Math.sin(angle) + (y - centerY) * Math.cos(angle),
    width: 0,
    height: 0,
  }));
  return unionRects(corners);
}

/** Returns the area of a run's letters with their stroke, as known, as the engine measures, or by their outlines. */
export function runBounds(run: TextRun, stroke: number): Rect {
  return boundsWithMargin(run, stroke, run.ink?.marginAbove ?? inkMargin);
}

/** As `runBounds`, with a margin above and below the ink: `marginAbove` times the font size. */
function boundsWithMargin(run: TextRun, stroke: number, marginAbove: number): Rect {
  const rect = run.ink === undefined ? inkOf(run) : reachOfInk(run, run.ink, marginAbove);
  return growRect({ ...rect, x: run.x + rect.x, y: run.y + rect.y }, stroke);
}

/** Least letter width as a share of the font size. The few narrower letters differ by less than the margin. */
const narrowestEm = 0.1;

function reachOfInk({ text, width, font }: TextRun, ink: Ink, marginAbove: number): Rect {
  const { size, letterSpacing } = font;
  // A negative spacing after the last letter is part of the width.
  const spacing = Math.max(0, -letterSpacing);
  // If the spacing is larger than the width of a letter, the next letter is further back.
  const backwards = Math.max(0, spacing - narrowestEm * size) * text.length;
  // The engine does not kern letters of two scripts.
  return {
    x: -(ink.left + inkMargin) * size - backwards,
    y: -(ink.ascent + marginAbove) * size,
    width: width + (ink.left + ink.right + 2 * inkMargin) * size + spacing + 2 * backwards,
    height: (ink.ascent + ink.descent + 2 * marginAbove) * size,
  };
}

/** Returns the area of letters that start at 0, 0, in design pixels. */
function inkOf(letters: Letters): Rect {
  let ink = knownInk.get(letters);
  if (ink === undefined) knownInk.set(letters, (ink = measureInk(letters)));
  return ink;
}

function measureInk({ text, font, direction, glyphs }: Letters): Rect {
  if (glyphs !== undefined) return letterBounds(glyphs, font.size);
  applyFont(ruler, font, direction);
  const ink = ruler.measureText(text);
  const measured = {
    x: -ink.actualBoundingBoxLeft,
    y: -ink.actualBoundingBoxAscent,
    width: ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight,
    height: ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent,
  };
  return growRect(measured, font.size * inkMargin);
}

/** Returns the maximum reach of a letter on a path from the position of its middle, at any angle. */
function turnedReach(glyph: PathGlyph): number {
  const { x, y, width, height } = inkOf(glyph);
  const middle = glyph.width / 2;
  const across = Math.max(Math.abs(x - middle), Math.abs(x + width - middle));
  const reach = Math.hypot(across, Math.max(Math.abs(y), Math.abs(y + height)));
  return Math.max(reach, glyph.font.size * pathReach);
}

function boundsOf(content: DisplayContent): Rect {
  switch (content.kind) {
    case 'shape': {
      const { left, top, width, height } = toPath(content.outline).bounds;
      // Miter joins reach further than half the width; the engine cuts them at 10 times.
      const reach = content.stroke === undefined ? 0 : content.stroke.width * 5;
      return growRect({ x: left, y: top, width, height }, reach);
    }
    case 'image':
      return content.frame.rect;
    case 'svg':
      return content.placed;
    case 'line': {
      const [x1, y1, x2, y2] = content.points;
      const rect = {
        x: Math.min(x1, x2),
        y: Math.min(y1, y2),
        width: Math.abs(x2 - x1),
        height: Math.abs(y2 - y1),
      };
      return growRect(rect, content.stroke.width * arrowSize);
    }
    case 'text': {
      const stroke = strokeReach(content.stroke);
      // Buffers of effects keep their size, by which the engine computes blurs.
      const letters = content.runs.map((run) => boundsWithMargin(run, stroke, inkMargin));
      const rects = [...content.backgrounds, ...content.lines].map(({ rect }) => rect);
      const painted = unionRects([...letters, ...rects]);
      return content.clips ? intersectRects(painted, content.box) : painted;
    }
    case 'path-text': {
      const { box, data, glyphs, backgrounds, lines, stroke } = content;
      const rect = { ...box, width: 0, height: 0 };
      const path = toPath({ kind: 'path', rect, data, scaleX: 1, scaleY: 1 });
      const { left, top, width, height } = path.bounds;
      const bands = [...backgrounds, ...lines];
      let letters = 0;
      for (const glyph of glyphs) letters = Math.max(letters, turnedReach(glyph));
      let sides = 0;
      let ends = Math.max(0, content.width - path.length);
      for (const { start, end, top: above, bottom } of bands) {
        sides = Math.max(sides, Math.abs(above), Math.abs(bottom));
        ends = Math.max(ends, end - path.length, end - content.width, -start);
      }
      const reach = Math.max(letters + strokeReach(stroke), sides);
      // Text longer than the path continues straight at the ends, with its pill.
      return growRect({ x: left, y: top, width, height }, reach + 2 * ends);
    }
    case 'group':
      return unionRects(content.items.map(itemBounds));
    default:
      return content satisfies never;
  }
}

/** Returns the reach of a stroke outside letters: its whole width, and at sharp corners up to the miter limit. */
export function strokeReach(stroke: Stroke | undefined): number {
  if (stroke === undefined) return 0;
  return stroke.join === 'miter' ? stroke.width * textMiterLimit : stroke.width;
}

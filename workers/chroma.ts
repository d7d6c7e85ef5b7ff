/** Chooses the colour resolution of a JPEG or WebP from what its layers draw. */
import { toRgba } from '#shared/color.ts';
import type { Fill } from '#shared/paint-schemas.ts';
import type { RenderFormat } from '#shared/render-job.ts';
import type { DisplayItem, DisplayList, Rect } from './display-list.ts';
import type { Chroma } from './encode/encode.ts';

/** JPEG quality from which colour keeps its full resolution whatever is drawn. */
const fullChromaQuality = 90;

/**
 * Smallest |Cb| or |Cr|, of 127, of a colour that 4:2:0 visibly spoils: letters of #e6002e (111) come out as
 * rgb(199,14,54). Lilac #a994c6 has 21, dark green #2e7d32 has 33.
 */
const vividMin = 32;
/** Smallest difference between a letter and the shape below it that counts on a photograph. */
const contrastMin = 48;
/** Share of the canvas from which images make the picture a photograph: 4:4:4 makes those a third larger. */
const photographShareMin = 0.5;

/** Cb and Cr of ITU-R BT.601 about zero, weighted by opacity. */
type ColorDifference = readonly [cb: number, cr: number];
const neutral: ColorDifference = [0, 0];

/** A shape with a vivid colour. */
interface VividShape {
  box: Rect;
  colors: ColorDifference[];
}

/** What a walk over a display list has found so far. */
interface Found {
  hasVividText: boolean;
  /** SVG layers among them, because their colours are unknown. */
  vividShapes: VividShape[];
  hasTextOnVividShape: boolean;
  /** Design pixels. */
  imageArea: number;
}

/**
 * The colour resolution that a file of the list needs; `quality` is 1 to 100. Vivid text always asks for 4:4:4. Vivid
 * shapes, codes and SVG layers ask for it too, except on a photograph, where only their edges would gain: there
 * they count below text. Looks at layers, never at pixels, so that every render of one list gets one answer.
 */
export function chromaOf(list: DisplayList, format: RenderFormat, quality: number): Chroma {
  if (format !== 'jpeg' && format !== 'webp') return '4:2:0';
  if (format === 'jpeg' && quality >= fullChromaQuality) return '4:4:4';
  const found: Found = {
    hasVividText: false,
    vividShapes: [],
    hasTextOnVividShape: false,
    imageArea: 0,
  };
  for (const item of list.items) inspect(item, list, found);
  if (found.hasVividText || found.hasTextOnVividShape) return '4:4:4';
  if (found.imageArea >= photographShareMin * list.width * list.height) return '4:2:0';
  const isVivid = found.vividShapes.length > 0 || colorsOf(list.background, 1).some(isVividColor);
  return isVivid ? '4:4:4' : '4:2:0';
}

function inspect(item: DisplayItem, list: DisplayList, found: Found): void {
  const { content, opacity, border } = item;
  switch (content.kind) {
    case 'group':
      for (const child of content.items) inspect(child, list, found);
      break;
    case 'text': {
      const { runs, lines, backgrounds, stroke } = content;
      inspectText(item, [...runs, ...lines, ...backgrounds], stroke?.color, found);
      break;
    }
    case 'path-text': {
      const { glyphs, lines, backgrounds, stroke } = content;
      inspectText(item, [...glyphs, ...lines, ...backgrounds], stroke?.color, found);
      break;
    }
    case 'shape':
      addShape(item, [content.fill, content.stroke?.color], found);
      if (content.image !== undefined) found.imageArea += areaInside(item.box, list);
      break;
    case 'line':
      addShape(item, [content.stroke.color], found);
      break;
    case 'image':
      addShape(item, [content.look.tint], found);
      found.imageArea += areaInside(item.box, list);
      break;
    case 'svg':
      if (opacity > 0) found.vividShapes.push({ box: item.box, colors: [] });
      break;
    default:
      content satisfies never;
  }
  addShape(item, [border?.color], found);
}

function inspectText(
  { box, opacity }: DisplayItem,
  parts: readonly { fill: Fill }[],
  stroke: string | undefined,
  found: Found,
): void {
  const fills = new Set<Fill | undefined>(parts.map(({ fill }) => fill)).add(stroke);
  const colors = [...fills].flatMap((fill) => colorsOf(fill, opacity));
  found.hasVividText ||= colors.some(isVividColor);
  if (found.hasVividText) return;
  found.hasTextOnVividShape ||= found.vividShapes.some(
    (shape) =>
      overlaps(shape.box, box) &&
      shape.colors.some((below) => colors.some((own) => difference(own, below) >= contrastMin)),
  );
}

function addShape(
  { box, opacity }: DisplayItem,
  fills: readonly (Fill | undefined)[],
  found: Found,
): void {
  const colors = fills.flatMap((fill) => colorsOf(fill, opacity)).filter(isVividColor);
  if (colors.length > 0) found.vividShapes.push({ box, colors });
}

/** The colours of a fill; none of an image fill. */
function colorsOf(fill: Fill | undefined, opacity: number): ColorDifference[] {
  if (fill === undefined) return [];
  if (typeof fill === 'string') return [toColorDifference(fill, opacity)];
  return 'stops' in fill ? fill.stops.map(({ color }) => toColorDifference(color, opacity)) : [];
}

function toColorDifference(color: string, opacity: number): ColorDifference {
  const [red, green, blue, alpha] = toRgba(color);
  const weight = alpha * opacity;
  return [
    (0.5 * blue - 0.1687 * red - 0.3313 * green) * weight,
    (0.5 * red - 0.4187 * green - 0.0813 * blue) * weight,
  ];
}

function isVividColor(color: ColorDifference): boolean {
  return difference(color, neutral) >= vividMin;
}

function difference(a: ColorDifference, b: ColorDifference): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
}

function areaInside({ x, y, width, height }: Rect, canvas: DisplayList): number {
  const visibleWidth = Math.min(x + width, canvas.width) - Math.max(x, 0);
  const visibleHeight = Math.min(y + height, canvas.height) - Math.max(y, 0);
  return Math.max(0, visibleWidth) * Math.max(0, visibleHeight);
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

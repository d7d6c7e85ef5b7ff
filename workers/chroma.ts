/** Chooses the colour resolution of a JPEG or WebP by the content of its layers. */
import { toRgba } from '#wire/color.ts';
import { fullColorQuality } from '#language/limits/image-costs.ts';
import type { Fill } from '#language/schema/paint.ts';
import type { RenderFormat, SourceFormat } from '#wire/render-job.ts';
import { emojiFamily } from './assets/fonts.ts';
import type { DisplayItem, DisplayList, ImagePlacement, Rect } from './display-list.ts';
import { walkItems } from './display-list.ts';
import type { Chroma } from './encode/jpeg/head.ts';

/**
 * Smallest |Cb| or |Cr|, of 127, of a colour that 4:2:0 visibly damages: letters of #e6002e (111) become
 * rgb(199,14,54). Lilac #a994c6 has 21, dark green #2e7d32 has 33.
 */
const vividMin = 32;

/** The start of the font of a colour emoji run after its size; no other run has it. */
const emojiFirst = `px ${JSON.stringify(emojiFamily)}`;

/** Formats whose colour edges are soft, because most files are stored in 4:2:0. Files of other formats may be logos. */
const photographFormats: ReadonlySet<SourceFormat> = new Set(['jpeg', 'avif']);

/** Minimum share of the canvas at which images count as photographs: smooth colour then has coarser steps. */
const photographShareMin = 0.08;
/**
 * Beside photographs, colours must be twice as vivid: a file in full resolution takes twice the time, and the error
 * grows with the colour. Orange #ffb45c has 57, brown #b4552d has 51.
 */
const photographGain = 0.5;
/** The same share for a document with a vivid gradient, which would show these steps. */
const besideGradientShareMin = 0.5;

/**
 * Returns the colour resolution that a file of the list needs; `quality` is 1 to 100. 4:2:0 suffices for photographs
 * and for layers without a vivid colour; everything else needs full resolution. Depends on layers, never on pixels, so
 * that every render of one list has one result.
 */
export function chromaOf(list: DisplayList, format: RenderFormat, quality: number): Chroma {
  if (format !== 'jpeg' && format !== 'webp') return '4:2:0';
  if (format === 'jpeg' && quality >= fullColorQuality) return '4:4:4';
  const imageShare = areaOfImages(list.items, list) / (list.width * list.height);
  const gain = imageShare >= photographShareMin ? photographGain : 1;
  const isVivid =
    isVividFill(list.background, gain) || list.items.some((item) => isVividItem(item, gain));
  if (!isVivid) return '4:2:0';
  const shareMin = hasVividGradient(list) ? besideGradientShareMin : photographShareMin;
  return imageShare >= shareMin ? '4:4:4-even' : '4:4:4';
}

/** Whether the background or a shape is a vivid gradient; letters do not show its steps. */
function hasVividGradient({ background, items }: DisplayList): boolean {
  if (isVividGradient(background)) return true;
  for (const { content } of walkItems(items)) {
    if (content.kind === 'shape' && isVividGradient(content.fill)) return true;
  }
  return false;
}

function isVividGradient(fill: Fill | undefined): boolean {
  return typeof fill === 'object' && isVividFill(fill, 1);
}

/** Design pixels of the canvas under image layers and image fills; overlaps count twice. */
function areaOfImages(items: readonly DisplayItem[], canvas: DisplayList): number {
  let area = 0;
  for (const { box, content } of walkItems(items)) {
    const hasImage = content.kind === 'image' || (content.kind === 'shape' && content.image);
    if (hasImage) area += areaInside(box, canvas);
  }
  return area;
}

function areaInside({ x, y, width, height }: Rect, canvas: DisplayList): number {
  const visibleWidth = Math.min(x + width, canvas.width) - Math.max(x, 0);
  const visibleHeight = Math.min(y + height, canvas.height) - Math.max(y, 0);
  return Math.max(0, visibleWidth) * Math.max(0, visibleHeight);
}

/** `gain` is the factor by which effects of the enclosing groups make colours more vivid. */
function isVividItem(item: DisplayItem, gain: number): boolean {
  const { brightness = 1, contrast = 1, saturate = 1 } = item.filter ?? {};
  const filtered = Math.max(1, brightness) * Math.max(1, contrast) * Math.max(1, saturate);
  const itemGain = item.opacity * filtered * gain;
  const isVivid = (fill: Fill | undefined): boolean => isVividFill(fill, itemGain);
  return (
    isVivid(item.border?.color) ||
    item.shadows.some(({ color }) => isVivid(color)) ||
    isVividContent(item, itemGain, isVivid)
  );
}

function isVividContent(
  { content, opacity }: DisplayItem,
  gain: number,
  isVivid: (fill: Fill | undefined) => boolean,
): boolean {
  switch (content.kind) {
    case 'group':
      return content.items.some((child) => isVividItem(child, gain));
    case 'text':
    case 'path-text': {
      const { lines, backgrounds, stroke } = content;
      const letters = content.kind === 'text' ? content.runs : content.glyphs;
      return (
        isVivid(stroke?.color) ||
        [...letters, ...lines, ...backgrounds].some(({ fill }) => isVivid(fill)) ||
        (opacity > 0 && letters.some(({ font }) => font.css.includes(emojiFirst)))
      );
    }
    case 'shape':
      return isVivid(content.fill) || isVivid(content.stroke?.color) || isGraphic(content.image);
    case 'line':
      return isVivid(content.stroke.color);
    case 'image': {
      const { tint, duotone } = content.look;
      return isGraphic(content.image) || [tint, duotone?.dark, duotone?.light].some(isVivid);
    }
    case 'svg':
      return opacity > 0;
    default:
      return content satisfies never;
  }
}

/** An image file that may be a logo. */
function isGraphic(image: ImagePlacement | undefined): boolean {
  return image !== undefined && !photographFormats.has(image.request.format);
}

function isVividFill(fill: Fill | undefined, gain: number): boolean {
  if (fill === undefined) return false;
  if (typeof fill === 'string') return vividness(fill) * gain >= vividMin;
  return 'stops' in fill && fill.stops.some(({ color }) => vividness(color) * gain >= vividMin);
}

/** The larger of |Cb| and |Cr| (ITU-R BT.601), weighted by alpha. */
function vividness(color: string): number {
  const [red, green, blue, alpha] = toRgba(color);
  const cb = 0.5 * blue - 0.1687 * red - 0.3313 * green;
  const cr = 0.5 * red - 0.4187 * green - 0.0813 * blue;
  return Math.max(Math.abs(cb), Math.abs(cr)) * alpha;
}

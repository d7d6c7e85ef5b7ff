/** The interface between layout and paint: items and their positions, as plain data in design pixels. */
import type { Border, ColorFill, Fill, Filter, Shadow, Stroke } from '#language/schema/paint.ts';
import { documentLayerId } from '#language/uid.ts';
import type { SourceFormat } from '#wire/render-job.ts';

/** A rectangle in design pixels. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Radii from the top left corner clockwise, design pixels. */
export type CornerRadii = readonly [number, number, number, number];

/** Outline of a shape, of a clip or of an image's frame, in design pixels of the canvas. */
export type Outline =
  | { kind: 'rect'; rect: Rect; radii: CornerRadii }
  | { kind: 'ellipse'; rect: Rect }
  /** SVG path data. `scaleX` and `scaleY` stretch its coordinates; their origin is that of the rectangle. */
  | { kind: 'path'; rect: Rect; data: string; scaleX: number; scaleY: number };

/**
 * A piece of text in one font that is painted with one call. Its left edge is at `x` and its baseline at `y`, in both
 * directions.
 */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  width: number;
  font: FontSetting;
  direction: 'ltr' | 'rtl';
  fill: ColorFill;
  /** Drawn instead of the text where the engine would misplace its marks. */
  glyphs?: GlyphOutline[];
  /** Absent if only the engine knows the ink. */
  ink?: Ink | undefined;
}

/** Extent of the ink of a run in multiples of the font size: left of `x`, right of the width, up and down. */
export interface Ink {
  left: number;
  right: number;
  ascent: number;
  descent: number;
  /** Further extent up and down that the engine may draw: larger where it slants or emboldens letters. */
  marginAbove: number;
}

/** A glyph and its position. Lengths are in em, y downwards from the baseline. */
export interface GlyphOutline {
  /** SVG path data in font units, y upwards. */
  data: string;
  x: number;
  y: number;
  /** Em per font unit. */
  scale: number;
  /** Horizontal shear of letters that replace italic ones; 0 for none. */
  slant: number;
}

/** The text settings of the paint engine for a run. */
export interface FontSetting {
  /** CSS font shorthand with the size, and the size alone in design pixels. */
  css: string;
  size: number;
  /** CSS `font-feature-settings` and `font-variation-settings`, or `normal`. */
  features: string;
  variations: string;
  /** Design pixels. */
  letterSpacing: number;
}

/** A grapheme on a path. The middle of its advance is `offset` along the path, in design pixels. */
export interface PathGlyph {
  text: string;
  offset: number;
  width: number;
  font: FontSetting;
  direction: 'ltr' | 'rtl';
  fill: ColorFill;
  /** As in `TextRun`, from the left edge of the grapheme. */
  glyphs?: GlyphOutline[];
}

/** A stripe along a path: the background of a span, a pill, an underline. */
export interface PathBand {
  /** Position along the text, in design pixels from its start on the path. */
  start: number;
  end: number;
  /** Edges of the stripe, in design pixels from the path to the right of its direction: below upright letters. */
  top: number;
  bottom: number;
  cornerRadius: number;
  fill: ColorFill;
}

/** A filled rectangle behind or through text: the background of a span, a pill, an underline. */
export interface TextDecoration {
  rect: Rect;
  cornerRadius: number;
  fill: ColorFill;
}

/** Processing of a source image before it is drawn. */
export interface ImageLook {
  flipX: boolean;
  flipY: boolean;
  tint: string | undefined;
  duotone: { dark: string; light: string } | undefined;
}

/** An image to be decoded, with its drawn size in design pixels. */
export interface ImageRequest {
  source: string;
  /** Digest of the file, because the image at an address may change. */
  digest: string;
  /** The format of the file; PNG for an SVG, because an SVG process draws it first. */
  format: SourceFormat;
  width: number;
  height: number;
  /** Whether the image is cropped around its most salient part instead of stretched to the size. */
  smartCrop: boolean;
}

/** The painted content of one layer. */
export type DisplayContent =
  | {
      kind: 'shape';
      outline: Outline;
      fill: Fill | undefined;
      stroke: Stroke | undefined;
      image?: ImagePlacement;
    }
  | { kind: 'image'; image: ImagePlacement; frame: Outline; look: ImageLook }
  | SvgContent
  | {
      kind: 'line';
      points: readonly [number, number, number, number];
      stroke: Stroke;
      startArrow: Arrow;
      endArrow: Arrow;
    }
  | {
      kind: 'text';
      /** Behind the letters, in paint order. */
      backgrounds: TextDecoration[];
      runs: TextRun[];
      /** Over the letters: underlines and strikes. */
      lines: TextDecoration[];
      /** The layer's box, which gradients span. */
      box: Rect;
      clips: boolean;
      stroke: Stroke | undefined;
      /** Upper bound of the factor on the font size, for texts that a stack shrinks together. */
      textScale?: number;
    }
  | {
      kind: 'path-text';
      /** SVG path data; its origin is the top left corner of the box. */
      data: string;
      box: Rect;
      /** Behind the letters, in paint order. */
      backgrounds: PathBand[];
      glyphs: PathGlyph[];
      /** Over the letters: underlines and strikes. */
      lines: PathBand[];
      /** Width of all glyphs, and their alignment on the path: 0 at its start, 1 at its end. */
      width: number;
      align: number;
      /** Whether text longer than its path continues straight at both ends; otherwise it is cut off there. */
      goesOn: boolean;
      stroke: Stroke | undefined;
    }
  | { kind: 'group'; items: DisplayItem[] };

/** SVG markup, drawn into a rectangle. */
export interface SvgContent {
  kind: 'svg';
  svg: string;
  placed: Rect;
}

export type Arrow = 'none' | 'triangle' | 'open' | 'circle';

/** The box of a whole image; it may exceed its frame. */
export interface ImagePlacement {
  request: ImageRequest;
  placed: Rect;
}

/** One painted layer. */
export interface DisplayItem {
  layer: string;
  /** The layer's box before rotation. */
  box: Rect;
  /** Degrees clockwise around the centre of the box. */
  rotation: number;
  opacity: number;
  blendMode: string;
  shadows: readonly Shadow[];
  /** Standard deviation in design pixels. */
  blur: number;
  filter: Filter | undefined;
  /** Clips the item and its border. */
  clip: Outline | undefined;
  /** Clips only the content, inside the border: round corners of a group, an SVG or a code. */
  frame: Outline | undefined;
  /** The item shows only where the mask is opaque. */
  mask: DisplayItem | undefined;
  border: Border | undefined;
  radii: CornerRadii;
  content: DisplayContent;
}

/** A whole image: canvas size in design pixels, background, and the items in paint order. */
export interface DisplayList {
  width: number;
  height: number;
  background: ColorFill | undefined;
  items: DisplayItem[];
}

/** Yields every item, with those in groups and masks; a parent comes before its children. */
export function* walkItems(items: readonly DisplayItem[]): Generator<DisplayItem> {
  for (const item of items) {
    yield item;
    if (item.content.kind === 'group') yield* walkItems(item.content.items);
    if (item.mask !== undefined) yield* walkItems([item.mask]);
  }
}

/** Yields every image that items draw, in layers and in fills. */
export function* walkImages(
  items: readonly DisplayItem[],
): Generator<{ request: ImageRequest; look: ImageLook | undefined; layer: string }> {
  for (const { content, layer } of walkItems(items)) {
    if (content.kind === 'image') {
      yield { request: content.image.request, look: content.look, layer };
    } else if (content.kind === 'shape' && content.image !== undefined) {
      yield { request: content.image.request, look: undefined, layer };
    }
  }
}

/** Yields every SVG that items draw. */
export function* walkSvgs(
  items: readonly DisplayItem[],
): Generator<{ svg: SvgContent; layer: string }> {
  for (const { content, layer } of walkItems(items)) {
    if (content.kind === 'svg') yield { svg: content, layer };
  }
}

/**
 * Returns the list with these layers alone, at their positions on a transparent background, for an editor that moves
 * one layer with the pointer. A group with some of these layers keeps its order, opacity and clip, but not its border
 * and shadow. A group named in `ids` keeps all its layers.
 */
export function onlyLayers(list: DisplayList, ids: readonly string[]): DisplayList {
  return { ...list, background: undefined, items: pickItems(list.items, new Set(ids)) };
}

function pickItems(items: readonly DisplayItem[], ids: ReadonlySet<string>): DisplayItem[] {
  return items.flatMap((item) => {
    if (ids.has(documentLayerId(item.layer))) return [item];
    if (item.content.kind !== 'group') return [];
    const inside = pickItems(item.content.items, ids);
    if (inside.length === 0) return [];
    return [{ ...item, border: undefined, shadows: [], content: { kind: 'group', items: inside } }];
  });
}

// Size of a display list in device pixels.

/** Size of the whole image in device pixels. */
export function imageSize(list: DisplayList, scale: number): { widthPx: number; heightPx: number } {
  return { widthPx: Math.round(list.width * scale), heightPx: Math.round(list.height * scale) };
}

/** The seam between deciding and painting: what is drawn where, as plain data in design pixels. */
import type { Border, ColorFill, Fill, Filter, Shadow, Stroke } from '#language/schema/paint.ts';
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

/** Outline of a shape, of a clip or of a picture's frame, in design pixels of the canvas. */
export type Outline =
  | { kind: 'rect'; rect: Rect; radii: CornerRadii }
  | { kind: 'ellipse'; rect: Rect }
  /** SVG path data; `scaleX` and `scaleY` stretch its own space, whose origin lies at the rectangle's. */
  | { kind: 'path'; rect: Rect; data: string; scaleX: number; scaleY: number };

/**
 * One piece of text in one font that is painted with one call, its left edge at `x` and its
 * baseline at `y`, whatever its direction.
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
}

/** One shape of a font and its place, lengths in multiples of the font size, y downwards from the baseline. */
export interface GlyphOutline {
  /** SVG path data in the font's own units, y upwards. */
  data: string;
  x: number;
  y: number;
  /** Multiples of the font size a unit. */
  scale: number;
  /** Horizontal shear of letters that stand in for italic ones; 0 for none. */
  slant: number;
}

/** What the paint engine is told before it draws letters. */
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

/** One grapheme that follows a path: the middle of its advance lies `offset` along it, design pixels. */
export interface PathGlyph {
  text: string;
  offset: number;
  width: number;
  font: FontSetting;
  direction: 'ltr' | 'rtl';
  fill: ColorFill;
  /** As in TextRun, from the grapheme's left edge. */
  glyphs?: GlyphOutline[];
}

/** A stripe that follows a path: a span's background, a pill, an underline. */
export interface PathBand {
  /** Along the text, design pixels from where it begins on the path. */
  start: number;
  end: number;
  /** Its sides, design pixels from the path to the right of its direction: below upright letters. */
  top: number;
  bottom: number;
  cornerRadius: number;
  fill: ColorFill;
}

/** A filled rectangle behind or through text: a span's background, a pill, an underline. */
export interface TextDecoration {
  rect: Rect;
  cornerRadius: number;
  fill: ColorFill;
}

/** How a source image is prepared before it is drawn. */
export interface ImageLook {
  flipX: boolean;
  flipY: boolean;
  tint: string | undefined;
  duotone: { dark: string; light: string } | undefined;
}

/** A picture to be decoded: which, and how large it is drawn, design pixels. */
export interface ImageRequest {
  source: string;
  /** Of the file: the same address may give another picture tomorrow. */
  digest: string;
  /** The file's, or PNG of an SVG, which is drawn before. */
  format: SourceFormat;
  width: number;
  height: number;
  /** Cut to the size by what draws the eye, instead of stretched to it. */
  smartCrop: boolean;
}

/** What is painted for one layer. */
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
      /** Behind the letters, in order. */
      backgrounds: TextDecoration[];
      runs: TextRun[];
      /** Over the letters: underlines and strikes. */
      lines: TextDecoration[];
      /** The layer's box, in which gradients run. */
      box: Rect;
      clips: boolean;
      stroke: Stroke | undefined;
    }
  | {
      kind: 'path-text';
      /** SVG path data whose origin is the box's top left corner. */
      data: string;
      box: Rect;
      /** Behind the letters, in order. */
      backgrounds: PathBand[];
      glyphs: PathGlyph[];
      /** Over the letters: underlines and strikes. */
      lines: PathBand[];
      /** Width of all glyphs, and where it lies on the path: 0 at its start, 1 at its end. */
      width: number;
      align: number;
      /** Text longer than its path goes straight on at both ends, instead of being left out there. */
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

/** Where a whole picture lies; it may reach over its frame. */
export interface ImagePlacement {
  request: ImageRequest;
  placed: Rect;
}

/** One layer as it is painted. */
export interface DisplayItem {
  layer: string;
  /** The layer's box before rotation. */
  box: Rect;
  /** Degrees clockwise about the box's centre. */
  rotation: number;
  opacity: number;
  blendMode: string;
  shadows: readonly Shadow[];
  /** Standard deviation, design pixels. */
  blur: number;
  filter: Filter | undefined;
  /** Cuts the item, its border too. */
  clip: Outline | undefined;
  /** Cuts the content alone: the round corners of a group, an SVG or a code, inside their border. */
  frame: Outline | undefined;
  /** Cuts this item to where the mask is opaque. */
  mask: DisplayItem | undefined;
  border: Border | undefined;
  radii: CornerRadii;
  content: DisplayContent;
}

/** A whole picture: canvas size in design pixels, what lies behind, and the items in paint order. */
export interface DisplayList {
  width: number;
  height: number;
  background: ColorFill | undefined;
  items: DisplayItem[];
}

/** Every item with those in groups and masks, each before what is inside it. */
export function* walkItems(items: readonly DisplayItem[]): Generator<DisplayItem> {
  for (const item of items) {
    yield item;
    if (item.content.kind === 'group') yield* walkItems(item.content.items);
    if (item.mask !== undefined) yield* walkItems([item.mask]);
  }
}

/** Every picture that items draw, in layers and in fills. */
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

/** Every SVG that items draw. */
export function* walkSvgs(
  items: readonly DisplayItem[],
): Generator<{ svg: SvgContent; layer: string }> {
  for (const { content, layer } of walkItems(items)) {
    if (content.kind === 'svg') yield { svg: content, layer };
  }
}

/**
 * The list with these layers alone, in their positions on a transparent ground: for an editor that moves one layer under
 * the pointer. A layer of a group keeps the group's order, opacity and clip; a group that is named keeps all its layers.
 */
export function onlyLayers(list: DisplayList, ids: readonly string[]): DisplayList {
  return { ...list, background: undefined, items: pickItems(list.items, new Set(ids)) };
}

function pickItems(items: readonly DisplayItem[], ids: ReadonlySet<string>): DisplayItem[] {
  return items.flatMap((item) => {
    if (ids.has(item.layer)) return [item];
    if (item.content.kind !== 'group') return [];
    const inside = pickItems(item.content.items, ids);
    return inside.length === 0 ? [] : [{ ...item, content: { kind: 'group', items: inside } }];
  });
}

// How large a display list is in device pixels.

/** Size of the whole picture in device pixels. */
export function pictureSize(
  list: DisplayList,
  scale: number,
): { widthPx: number; heightPx: number } {
  return { widthPx: Math.round(list.width * scale), heightPx: Math.round(list.height * scale) };
}

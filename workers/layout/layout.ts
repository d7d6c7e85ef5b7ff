/** Lays out a scene: concrete layers in, a display list of plain data out. */
import { imageAddresses } from '#language/layers.ts';
import { isParent } from '#language/layer-tree.ts';
import type { Layer, RectLayer, StackLayer } from '#language/schema/layers.ts';
import type { RenderWarning, SourceImage } from '#wire/render-job.ts';
import type { DisplayContent, DisplayItem, DisplayList, Rect } from '../display-list.ts';
import type { Scene } from '../bind-scene.ts';
import { codeContent, layoutBarcode, layoutQr } from './code-layer.ts';
import { layoutImage } from './image-layer.ts';
import { findItem, keepItem } from './item-cache.ts';
import type { FrameItems } from './item-cache.ts';
import { clipOutline, frameOutline, layoutLine, layoutShape, toRadii } from './shape-layer.ts';
import { missingDetail, missingInSvg, svgText } from '../text/missing.ts';
import { foreignObject, unsupportedInSvg } from './svg-support.ts';
import { layoutText } from './text-layer.ts';
import { arrangeStack } from './stack-layer.ts';
import { heightAt, layerWidth, prepareOnce } from './measure-layer.ts';
import type { MeasureContext } from './measure-layer.ts';
import { sharedTextScale } from './shared-text-scale.ts';
import { checkLayout } from '../work-limit.ts';

/** The layout of a scene, and its warnings for the designer. */
export interface SceneLayout {
  displayList: DisplayList;
  warnings: RenderWarning[];
  /** Whether a layer could not be drawn as the template describes it; the image must then not be cached. */
  degraded: boolean;
}

/** State that all layers of one layout share. */
interface LayoutContext extends MeasureContext {
  images: ReadonlyMap<string, SourceImage>;
  /** Ids of layers that serve only as masks. */
  masks: ReadonlySet<string>;
  /** The layouts of earlier frames. */
  frameItems: FrameItems | undefined;
  warnings: RenderWarning[];
  degraded: boolean;
}

/**
 * Lays out every layer. `images` maps each source to its file; a layer whose source is missing is left out with a
 * warning. Pure: the same scene gives the same list. Scenes with the same images may share `frameItems`: later scenes
 * then reuse the items of earlier ones as the same objects.
 */
export function layoutScene(
  scene: Scene,
  images: ReadonlyMap<string, SourceImage>,
  frameItems?: FrameItems,
): SceneLayout {
  const context: LayoutContext = {
    scene,
    images,
    masks: maskIds(scene.layers),
    frameItems,
    organizationFonts: [...scene.organizationFamilies].join(' '),
    warnings: [...scene.warnings],
    degraded: false,
    textScale: 1,
    arrange: arrangeStack,
    measured: new WeakMap(),
  };
  const boxes = scene.layers.map((layer) => layerBox(layer, 0, 0, context));
  const items = layoutLayers(scene.layers, boxes, context);
  const { width, height, background } = scene;
  const { warnings, degraded } = context;
  return { displayList: { width, height, background, items }, warnings, degraded };
}

function maskIds(layers: readonly Layer[]): Set<string> {
  const ids = new Set<string>();
  for (const layer of layers) {
    if (layer.mask !== undefined) ids.add(layer.mask);
    if (isParent(layer)) for (const id of maskIds(layer.layers)) ids.add(id);
  }
  return ids;
}

/** Returns the box of a layer with a position relative to the origin. A side that hugs is as long as the content. */
function layerBox(layer: Layer, originX: number, originY: number, context: LayoutContext): Rect {
  const width = layerWidth(layer, 'natural', context);
  const { height } = layer;
  const box = {
    x: originX + (layer.x ?? 0),
    y: originY + (layer.y ?? 0),
    width,
    // A text that grows has at least the height of its box.
    height: typeof height === 'number' ? height : heightAt(layer, width, context),
  };
  if (layer.type !== 'text') return box;
  // A text that hugs is aligned to its position, because it has no other edge.
  const { align, verticalAlign } = layer;
  if (layer.width === 'hug') {
    if (align === 'center') box.x -= width / 2;
    if (align === 'right' || align === 'end') box.x -= width;
  }
  if (height === 'hug') {
    if (verticalAlign === 'middle') box.y -= box.height / 2;
    if (verticalAlign === 'bottom') box.y -= box.height;
  }
  return box;
}

/** Lays out siblings in their boxes. A mask is one of its siblings. */
function layoutLayers(
  layers: readonly Layer[],
  boxes: readonly Rect[],
  context: LayoutContext,
): DisplayItem[] {
  const items = new Map<string, DisplayItem>();
  for (const [index, layer] of layers.entries()) {
    const box = boxes[index];
    const item = box && reuseItem(layer, box, context);
    if (item !== undefined) items.set(layer.id, item);
  }
  const masked = layers.flatMap((layer) => maskItem(layer, layers, items, context) ?? []);
  return masked.filter((item) => !context.masks.has(item.layer));
}

/** Returns the layer's item with its mask, which may have a mask too; undefined if the mask is missing. */
function maskItem(
  layer: Layer,
  siblings: readonly Layer[],
  items: ReadonlyMap<string, DisplayItem>,
  context: LayoutContext,
): DisplayItem | undefined {
  const item = items.get(layer.id);
  if (item === undefined || layer.mask === undefined) return item;
  const its = siblings.find(({ id }) => id === layer.mask);
  // The recursion ends: saving a template rejects circular masks.
  const mask = its && maskItem(its, siblings, items, context);
  if (mask !== undefined) return { ...item, mask };
  const detail = `its mask "${layer.mask}" is not drawn beside it`;
  context.warnings.push({ code: 'LAYER_SKIPPED', layer: layer.id, detail });
  return undefined;
}

/**
 * Returns the layer's item. The layer is laid out at most twice while the object, its box and the organization's fonts
 * stay the same, and once in the frames of an animation.
 */
function reuseItem(layer: Layer, box: Rect, context: LayoutContext): DisplayItem | undefined {
  const { organizationFonts, scene, textScale } = context;
  const position = { ...box, organizationFonts, lang: scene.lang, textScale };
  const known = findItem(layer, position, context.frameItems);
  if (known !== undefined) {
    context.warnings.push(...known.warnings);
    context.degraded ||= known.degraded;
    return known.item;
  }
  checkLayout(layer.id);
  const inner = { ...context, warnings: [], degraded: false };
  const item = layoutLayer(layer, box, inner);
  const { warnings, degraded } = inner;
  context.warnings.push(...warnings);
  context.degraded ||= degraded;
  if (item === undefined) return undefined;
  context.frameItems?.set(layer, { item, warnings, degraded, position });
  if (!needsImages(layer)) keepItem(layer, position, { item, warnings, degraded });
  return item;
}

/** Whether the layer's item depends on files of the job. */
function needsImages(layer: Layer): boolean {
  return isParent(layer) || imageAddresses(layer).length > 0;
}

function layoutLayer(layer: Layer, box: Rect, context: LayoutContext): DisplayItem | undefined {
  const content = layoutContent(layer, box, context);
  if (content === undefined) return undefined;
  // The frame, border and clip of a text grow with it, and it rotates around the middle of the filled box (CSS).
  const filled = content.kind === 'text' ? content.box : box;
  return toItem(layer, filled, content);
}

function layoutContent(
  layer: Layer,
  box: Rect,
  context: LayoutContext,
): DisplayContent | undefined {
  const { images, scene } = context;
  switch (layer.type) {
    case 'text': {
      const prepared = layer.alternatives === undefined ? prepareOnce(layer, context) : undefined;
      const { content, warnings } = layoutText(layer, box, scene, context.textScale, prepared);
      context.warnings.push(...warnings);
      return content;
    }
    case 'image': {
      // An image variable may be empty on purpose: no warning.
      if (layer.src.trim() === '') return undefined;
      const image = images.get(layer.src.trim());
      if (image === undefined) return degrade(layer, context);
      if (image.hasForeignObject === true) warnOfSvg(layer, foreignObject, context);
      return layoutImage(layer, box, toRadii(layer.cornerRadius, box), image);
    }
    case 'rect':
    case 'ellipse':
    case 'polygon':
    case 'star':
    case 'path': {
      const content = layoutShape(layer, box, images);
      const { fill } = layer;
      const source = typeof fill === 'object' && 'image' in fill ? fill.image.trim() : '';
      if (source === '') return content;
      const image = images.get(source);
      if (image === undefined) degrade(layer, context);
      else if (image.hasForeignObject === true) warnOfSvg(layer, foreignObject, context);
      return content;
    }
    case 'line':
      return layoutLine(layer, box);
    case 'qr':
      return codeContent(layer.id, layoutQr(layer, box), context.warnings);
    case 'barcode':
      return codeContent(layer.id, layoutBarcode(layer, box), context.warnings);
    case 'svg': {
      const missing = missingInSvg(svgText(layer.svg), scene.lang);
      if (missing.length > 0) {
        const detail = `${missingDetail(missing)} for its SVG`;
        context.warnings.push({ code: 'GLYPH_MISSING', layer: layer.id, detail });
      }
      for (const detail of unsupportedInSvg(layer.svg)) warnOfSvg(layer, detail, context);
      return { kind: 'svg', svg: layer.svg, placed: box };
    }
    case 'group': {
      const boxes = layer.layers.map((child) => layerBox(child, box.x, box.y, context));
      return { kind: 'group', items: layoutLayers(layer.layers, boxes, context) };
    }
    case 'stack':
      return layoutStack(layer, box, context);
    default:
      return layer satisfies never;
  }
}

/** Lays out a stack: its background, and its layers in the boxes of `arrangeStack`. */
function layoutStack(layer: StackLayer, box: Rect, context: LayoutContext): DisplayContent {
  const textScale = Math.min(context.textScale, sharedTextScale(layer, box, context));
  const inner = { ...context, textScale };
  const { boxes } = arrangeStack(layer, box.width, box.height, inner);
  const placed = boxes.map((child) => ({ ...child, x: box.x + child.x, y: box.y + child.y }));
  const items = layoutLayers(layer.layers, placed, inner);
  context.degraded ||= inner.degraded;
  const { fill, cornerRadius } = layer;
  if (fill === undefined) return { kind: 'group', items };
  const ground: RectLayer = {
    id: `${layer.id}:background`,
    type: 'rect',
    ...box,
    fill,
    ...(cornerRadius === undefined ? {} : { cornerRadius }),
  };
  const content = layoutContent(ground, box, context);
  return {
    kind: 'group',
    items: content === undefined ? items : [toItem(ground, box, content), ...items],
  };
}

function warnOfSvg(layer: Layer, detail: string, { warnings }: LayoutContext): void {
  warnings.push({ code: 'SVG_UNSUPPORTED', layer: layer.id, detail });
}

function degrade(layer: Layer, context: LayoutContext): undefined {
  context.degraded = true;
  context.warnings.push({
    code: 'IMAGE_FAILED',
    layer: layer.id,
    detail: 'its image is not there',
  });
}

function toItem(layer: Layer, box: Rect, content: DisplayContent): DisplayItem {
  return {
    layer: layer.id,
    box,
    rotation: layer.rotation ?? 0,
    opacity: layer.opacity ?? 1,
    blendMode: layer.blendMode ?? 'normal',
    shadows: [layer.shadow ?? []].flat(),
    blur: layer.blur ?? 0,
    filter: layer.filter,
    clip: layer.clip === undefined ? undefined : clipOutline(layer.clip, box),
    frame: frameOutline(layer, box),
    mask: undefined,
    border: layer.border,
    radii: toRadii(layer.cornerRadius, box),
    content,
  };
}

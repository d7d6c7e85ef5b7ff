/** Lays out a scene: concrete layers in, a display list of plain data out. */
import type { Layer } from '#shared/layer-schemas.ts';
import type { RenderWarning, SourceImage } from '#shared/render-job.ts';
import type { DisplayContent, DisplayItem, DisplayList, Rect } from '../display-list.ts';
import type { Scene } from '../scene.ts';
import { layoutBarcode, layoutQr } from './code-layer.ts';
import type { CodeLayout } from './code-layer.ts';
import { layoutImage } from './image-layer.ts';
import { clipOutline, frameOutline, layoutLine, layoutShape, toRadii } from './shape-layer.ts';
import { layoutText } from './text-layer.ts';

/** A laid out scene and what its designer should know about it. */
export interface SceneLayout {
  displayList: DisplayList;
  warnings: RenderWarning[];
  /** A layer could not be drawn as the template asks, so the picture must not be kept. */
  degraded: boolean;
}

/** What every layer of one layout shares. */
interface LayoutContext {
  scene: Scene;
  images: ReadonlyMap<string, SourceImage>;
  /** Ids of layers that only mask others. */
  masks: ReadonlySet<string>;
  warnings: RenderWarning[];
  degraded: boolean;
}

/**
 * Places every layer. `images` maps each source to its file; a layer whose source is not among
 * them is left out with a warning. Pure: the same scene gives the same list.
 */
export function layoutScene(scene: Scene, images: ReadonlyMap<string, SourceImage>): SceneLayout {
  const context: LayoutContext = {
    scene,
    images,
    masks: maskIds(scene.layers),
    warnings: [...scene.warnings],
    degraded: false,
  };
  const items = layoutLayers(scene.layers, 0, 0, context);
  const { width, height, background } = scene;
  const { warnings, degraded } = context;
  return { displayList: { width, height, background, items }, warnings, degraded };
}

function maskIds(layers: readonly Layer[]): Set<string> {
  const ids = new Set<string>();
  for (const layer of layers) {
    if (layer.mask !== undefined) ids.add(layer.mask);
    if (layer.type === 'group') for (const id of maskIds(layer.layers)) ids.add(id);
  }
  return ids;
}

/** Lays out siblings whose positions count from `originX`, `originY`. A mask is looked for among its siblings. */
function layoutLayers(
  layers: readonly Layer[],
  originX: number,
  originY: number,
  context: LayoutContext,
): DisplayItem[] {
  const items = new Map<string, DisplayItem>();
  for (const layer of layers) {
    const box = {
      x: originX + layer.x,
      y: originY + layer.y,
      width: layer.width,
      height: layer.height,
    };
    const content = layoutContent(layer, box, context);
    if (content !== undefined) items.set(layer.id, toItem(layer, box, content));
  }
  for (const layer of layers) {
    const item = items.get(layer.id);
    if (item === undefined || layer.mask === undefined) continue;
    item.mask = items.get(layer.mask);
    if (item.mask === undefined) {
      const detail = `its mask "${layer.mask}" is not drawn beside it`;
      context.warnings.push({ code: 'LAYER_SKIPPED', layer: layer.id, detail });
      items.delete(layer.id);
    }
  }
  return [...items.values()].filter((item) => !context.masks.has(item.layer));
}

function layoutContent(
  layer: Layer,
  box: Rect,
  context: LayoutContext,
): DisplayContent | undefined {
  const { images, scene } = context;
  switch (layer.type) {
    case 'text': {
      const { content, warnings } = layoutText(layer, box, scene);
      context.warnings.push(...warnings);
      return content;
    }
    case 'image': {
      // An image variable that is empty by choice draws nothing: no warning.
      if (layer.src.trim() === '') return undefined;
      const image = images.get(layer.src.trim());
      if (image !== undefined)
        return layoutImage(layer, box, toRadii(layer.cornerRadius, box), image);
      return degrade(layer, context);
    }
    case 'rect':
    case 'ellipse':
    case 'polygon':
    case 'star':
    case 'path': {
      const content = layoutShape(layer, box, images);
      const asks =
        typeof layer.fill === 'object' && 'image' in layer.fill && layer.fill.image.trim() !== '';
      if (asks && content.kind === 'shape' && content.image === undefined) degrade(layer, context);
      return content;
    }
    case 'line':
      return layoutLine(layer, box);
    case 'qr':
      return codeContent(layer.id, layoutQr(layer, box), context);
    case 'barcode':
      return codeContent(layer.id, layoutBarcode(layer, box), context);
    case 'svg':
      return { kind: 'svg', svg: recolor(layer.svg, layer.colors ?? {}), placed: box };
    case 'group':
      return { kind: 'group', items: layoutLayers(layer.layers, box.x, box.y, context) };
    default:
      return layer satisfies never;
  }
}

function degrade(layer: Layer, context: LayoutContext): undefined {
  context.degraded = true;
  context.warnings.push({
    code: 'IMAGE_FAILED',
    layer: layer.id,
    detail: 'its image is not there',
  });
}

function codeContent(
  layer: string,
  layout: CodeLayout,
  { warnings }: LayoutContext,
): DisplayContent | undefined {
  if ('problem' in layout) {
    warnings.push({ code: 'CODE_FAILED', layer, detail: layout.problem });
    return undefined;
  }
  if (layout.modulePx < 1) {
    const detail = 'its bars are thinner than a pixel and may not scan; make the box larger';
    warnings.push({ code: 'CODE_TOO_SMALL', layer, detail });
  }
  return layout.content;
}

/** Replaces colours of SVG markup, `currentColor` too, however they are written, in one pass. */
function recolor(svg: string, colors: Record<string, string>): string {
  const wanted = new Map(Object.entries(colors).map(([from, to]) => [longColor(from), to]));
  if (wanted.size === 0) return svg;
  // What stands after `url(` or in a reference is the name of an element.
  return svg.replace(
    /(?<!url\(\s*["']?|href\s*=\s*["'])#[0-9a-fA-F]{3,8}\b|\bcurrentColor\b/gi,
    (found) => wanted.get(longColor(found)) ?? found,
  );
}

/** `#F80` as `#ff8800`. */
function longColor(color: string): string {
  const text = color.toLowerCase();
  return /^#[0-9a-f]{3,4}$/.test(text) ? text.replaceAll(/[0-9a-f]/g, '$&$&') : text;
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

/** Outlines of shapes, clips and frames. */
import type { CornerRadius, Fill } from '#language/schema/paint.ts';
import type { SourceImage } from '#wire/render-job.ts';
import type { Clip } from '#language/schema/layer-base.ts';
import type {
  EllipseLayer,
  Layer,
  LineLayer,
  PathLayer,
  PolygonLayer,
  RectLayer,
  StarLayer,
} from '#language/schema/layers.ts';
import type { CornerRadii, DisplayContent, Outline, Rect } from '../display-list.ts';
import { placeImage, seenSize, toPlacement } from './image-layer.ts';

const innerRadiusDefault = 0.5;

/** Returns radii scaled down evenly so that neighbours never overlap (CSS Backgrounds 3, 4.5). */
export function toRadii(radius: CornerRadius | undefined, box: Rect): CornerRadii {
  const [a, b, c, d] = Array.isArray(radius) ? radius : Array(4).fill(radius ?? 0);
  const factor = Math.min(
    1,
    ...[
      [a + b, box.width],
      [b + c, box.height],
      [c + d, box.width],
      [d + a, box.height],
    ].map(([sum = 0, side = 0]) => (sum === 0 ? 1 : side / sum)),
  );
  return [a * factor, b * factor, c * factor, d * factor];
}

type ShapeLayer = RectLayer | EllipseLayer | PolygonLayer | StarLayer | PathLayer;

/** Lays out a filled shape; an image fill covers its box. */
export function layoutShape(
  layer: ShapeLayer,
  box: Rect,
  images: ReadonlyMap<string, SourceImage>,
): DisplayContent {
  const outline = shapeOutline(layer, box);
  const { fill, stroke } = layer;
  const placement = placeFill(fill, box, images);
  const content = { kind: 'shape', outline, fill, stroke } as const;
  return placement === undefined ? content : { ...content, image: placement };
}

function placeFill(
  fill: Fill | undefined,
  box: Rect,
  images: ReadonlyMap<string, SourceImage>,
): ReturnType<typeof toPlacement> | undefined {
  if (typeof fill !== 'object' || !('image' in fill)) return undefined;
  const source = fill.image.trim();
  const image = images.get(source);
  if (image === undefined) return undefined;
  return toPlacement(source, image, placeImage(fill.fit ?? 'cover', box, seenSize(image)));
}

function shapeOutline(layer: ShapeLayer, box: Rect): Outline {
  switch (layer.type) {
    case 'rect':
      return { kind: 'rect', rect: box, radii: toRadii(layer.cornerRadius, box) };
    case 'ellipse':
      return { kind: 'ellipse', rect: box };
    case 'polygon':
      return toPathOutline(box, starPoints(layer.sides, [1]));
    case 'star':
      return toPathOutline(
        box,
        starPoints(layer.points * 2, [1, layer.innerRadius ?? innerRadiusDefault]),
      );
    case 'path': {
      const { path: data, viewBox } = layer;
      if (viewBox === undefined) return { kind: 'path', rect: box, data, scaleX: 1, scaleY: 1 };
      const [left, top, width, height] = viewBox;
      const scaleX = box.width / width;
      const scaleY = box.height / height;
      const rect = { ...box, x: box.x - left * scaleX, y: box.y - top * scaleY };
      return { kind: 'path', rect, data, scaleX, scaleY };
    }
    default:
      return layer satisfies never;
  }
}

/** Returns corners on the unit circle clockwise from the top, with these distances from the centre, repeated. */
function starPoints(count: number, radii: readonly number[]): [x: number, y: number][] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
    const radius = radii[index % radii.length] ?? 1;
    return [0.5 + Math.cos(angle) * radius * 0.5, 0.5 + Math.sin(angle) * radius * 0.5];
  });
}

function toPathOutline(box: Rect, points: [x: number, y: number][]): Outline {
  const corners = points.map(([x, y]) => `${x * box.width} ${y * box.height}`);
  return { kind: 'path', rect: box, data: `M${corners.join('L')}Z`, scaleX: 1, scaleY: 1 };
}

/** Lays out a line as a diagonal of its box: from the bottom left if `rising`, else from the top left. */
export function layoutLine(layer: LineLayer, box: Rect): DisplayContent {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const points = layer.rising
    ? ([box.x, bottom, right, box.y] as const)
    : ([box.x, box.y, right, bottom] as const);
  const { stroke, startArrow = 'none', endArrow = 'none' } = layer;
  return { kind: 'line', points, stroke, startArrow, endArrow };
}

/** Returns the rounded outline that clips a layer's content. The outlines of images and rectangles have radii. */
export function frameOutline(layer: Layer, box: Rect): Outline | undefined {
  const { cornerRadius } = layer;
  const isFramed =
    layer.type === 'group' ||
    layer.type === 'svg' ||
    layer.type === 'qr' ||
    layer.type === 'barcode';
  if (!isFramed || cornerRadius === undefined) return undefined;
  return { kind: 'rect', rect: box, radii: toRadii(cornerRadius, box) };
}

/** Returns the outline of a clip, in design pixels of the canvas. */
export function clipOutline(clip: Clip, box: Rect): Outline {
  const rect = {
    x: box.x + (clip.x ?? 0),
    y: box.y + (clip.y ?? 0),
    width: clip.width ?? box.width,
    height: clip.height ?? box.height,
  };
  if (clip.shape === 'ellipse') return { kind: 'ellipse', rect };
  if (clip.shape === 'path') {
    return { kind: 'path', rect, data: clip.path ?? '', scaleX: 1, scaleY: 1 };
  }
  return { kind: 'rect', rect, radii: toRadii(clip.cornerRadius, rect) };
}

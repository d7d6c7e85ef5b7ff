/** Finds texts of a preview report that the edge of the canvas cuts. */
import type { Template } from '#language/schema/template.ts';
import { documentLayerId } from '#language/uid.ts';
import type { PreviewReport } from '../../client/platen-client.ts';
import { boundsOf, centerOf, rotatePoint } from '../canvas/geometry.ts';
import type { Point } from '../canvas/geometry.ts';
import { flattenLayers } from '../state/layers.ts';

type LayerReport = PreviewReport['layers'][number];

/** Height of letters without ascender, as a part of the font size. Small, so that no text is reported in error. */
const letterHeight = 0.5;

/** Length that may lie outside of the canvas, as a part of the font size: side bearings have no ink. */
const bearing = 0.1;

/**
 * Returns the ids of the layers that have a line partly or wholly outside of the canvas. Ignores free layers wholly
 * outside, which people park there, and texts whose letters the report does not position: along a path, in turned groups,
 * and in a template whose layers move.
 */
export function textsOutside(
  report: Pick<PreviewReport, 'layers'>,
  document: Pick<Template, 'layers' | 'width' | 'height' | 'animation'>,
): string[] {
  if (document.animation?.type === 'motion') return [];
  const reported = new Map(report.layers.map((layer) => [layer.id, layer]));
  const isTurned = ({ group }: LayerReport): boolean => {
    const parent = group === undefined ? undefined : reported.get(group);
    return parent !== undefined && (parent.box.rotation !== 0 || isTurned(parent));
  };
  const found = report.layers.filter((layer) => isOutside(layer, document) && !isTurned(layer));
  if (found.length === 0) return [];
  const onPaths = new Set(
    flattenLayers(document).flatMap(({ layer }) =>
      layer.type === 'text' && layer.path !== undefined ? [layer.id] : [],
    ),
  );
  const ids = found.map(({ id }) => documentLayerId(id));
  return ids.filter((id) => !onPaths.has(id));
}

/** Whether a layer that no other layer positions has its whole box beside the canvas. */
function isParked(
  { box, group }: LayerReport,
  { width, height }: Pick<Template, 'width' | 'height'>,
): boolean {
  const bounds = boundsOf([box]);
  if (group !== undefined || bounds === undefined) return false;
  const isBeside = bounds.x >= width || bounds.x + bounds.width <= 0;
  return isBeside || bounds.y >= height || bounds.y + bounds.height <= 0;
}

function isOutside(layer: LayerReport, canvas: Pick<Template, 'width' | 'height'>): boolean {
  const { box, text } = layer;
  const { width, height } = canvas;
  if (text === undefined || isParked(layer, canvas)) return false;
  const center = centerOf(box);
  const slack = text.fontSize * bearing;
  const isBeyond = (x: number, y: number): boolean => {
    const turned = rotatePoint({ x: x - center.x, y: y - center.y }, box.rotation);
    const at: Point = { x: turned.x + center.x, y: turned.y + center.y };
    return at.x < -slack || at.y < -slack || at.x > width + slack || at.y > height + slack;
  };
  return text.lines.some((line) => {
    if (line.text.trim() === '') return false;
    const [end, top] = [line.x + line.width, line.y - text.fontSize * letterHeight];
    return [line.x, end].some((x) => isBeyond(x, line.y) || isBeyond(x, top));
  });
}

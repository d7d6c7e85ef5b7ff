/** Positions in the sizes that do not show, of layers that were freed from a stack or pasted with their overrides. */
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { boundsOf, centerOf, insideCanvas, isInBox } from '../../canvas/geometry.ts';
import type { Box } from '../../canvas/geometry.ts';
import { anchorOf, positionOf } from '../layer-sizes.ts';
import type { Sides } from '../layer-sizes.ts';
import { findLayer, idsWithin, numberOf } from '../layers.ts';
import { setOverride, viewOf } from '../sizes.ts';
import type { SizeName } from '../sizes.ts';
import { arranged } from './arrange-size.ts';
import { canvases, writeInSizes } from './size-values.ts';

/** Positions the layers of the canvas that a stack positions in `before`: inside the canvas of each other size. */
export function arrangeFreedLayers(document: Template, before: Template, size: SizeName): void {
  const stacked = new Set(stackedIds(before.layers));
  const sizes = canvases(document);
  const from = sizes.get(size) ?? document;
  const shown = viewOf(document, size);
  for (const layer of document.layers.filter(({ id }) => stacked.has(id))) {
    const here = findLayer(shown, layer.id) ?? layer;
    const positions = [...sizes].map(([name, to]) => {
      const position = name === size ? here : positionIn(viewOf(document, name), here, from, to);
      return [name, { x: position.x, y: position.y }] as const;
    });
    writeInSizes(layer, new Map<SizeName, { x?: unknown; y?: unknown }>(positions));
  }
}

/** Ids of the layers that stacks contain, at any depth. */
function stackedIds(layers: readonly Layer[]): string[] {
  return layers.flatMap((layer) => {
    if (layer.type === 'stack') return idsWithin(layer).slice(1);
    return isParent(layer) ? stackedIds(layer.layers) : [];
  });
}

/** Position in the canvas `to` of a layer that lies in the canvas `from` like `here`. */
function positionIn(view: Template, here: Layer, from: Sides, to: Sides): Pick<Layer, 'x' | 'y'> {
  const { x, y } = arranged({ layer: here, group: undefined }, from, to);
  const layer = { ...(findLayer(view, here.id) ?? here), x, y } as Layer;
  const box = boxOf(layer, here);
  const inside = insideCanvas(to, box);
  return {
    x: positionOf(numberOf(x) + inside.x - box.x),
    y: positionOf(numberOf(y) + inside.y - box.y),
  };
}

/** Moves pasted layers together into the canvas of a size, if their middle is out of sight there. */
export function bringIntoCanvas(
  document: Template,
  ids: readonly string[],
  size: string,
  canvas: Sides,
): void {
  const layers = ids.flatMap((id) => findLayer(viewOf(document, size), id) ?? []);
  const bounds = boundsOf(layers.map((layer) => boxOf(layer)));
  const sheet = { ...canvas, x: 0, y: 0, rotation: 0 };
  if (bounds === undefined || isInBox(sheet, centerOf(bounds))) return;
  // A background may have its middle elsewhere.
  if (isInBox({ ...bounds, rotation: 0 }, centerOf(sheet))) return;
  const to = insideCanvas(canvas, bounds);
  const delta = { x: to.x - bounds.x, y: to.y - bounds.y };
  for (const { id, ...shown } of layers) {
    const layer = findLayer(document, id);
    for (const name of ['x', 'y'] as const) {
      const value = shown[name];
      if (layer === undefined || typeof value !== 'number') continue;
      const next = positionOf(value + delta[name]);
      setOverride(layer, size, name, next === layer[name] ? undefined : next);
    }
  }
}

/** Box of a layer of the canvas. A side without a number is as long as that of `measured`. */
function boxOf(layer: Layer, measured?: Layer): Box {
  const { width, height } = layer;
  const sides = {
    width: typeof width === 'number' ? width : numberOf(measured?.width),
    height: typeof height === 'number' ? height : numberOf(measured?.height),
  };
  const anchor = anchorOf(layer);
  return {
    x: numberOf(layer.x) - anchor.x * sides.width,
    y: numberOf(layer.y) - anchor.y * sides.height,
    ...sides,
    rotation: numberOf(layer.rotation),
  };
}

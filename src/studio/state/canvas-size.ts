/** Layers that cover the canvas keep covering it when its sides change. */
import type { Layer } from '#language/schema/layers.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { Template } from '#language/schema/template.ts';
import { overridesOf } from '#language/sizes.ts';
import { lengthMaxPx } from './layer-sizes.ts';
import { setOverride, viewOf } from './sizes.ts';

/** Width and height of a canvas, design pixels. */
type Sides = Readonly<Pick<Template, 'width' | 'height'>>;

const sides = ['width', 'height'] as const;

/** Resizes the layers that covered a canvas of these sides. In its sizes, the design stays as it was. */
export function followCanvas(draft: Template, before: Sides): void {
  for (const layer of draft.layers) {
    const covering = coveringSides(layer, before, draft);
    if (covering === undefined) continue;
    for (const side of sides) {
      if (draft[side] === before[side]) continue;
      for (const { name } of draft.sizes ?? []) {
        setOverride(layer, name, side, overridesOf(layer, name)[side] ?? layer[side]);
      }
      layer[side] = covering[side];
    }
  }
}

/** Resizes the layers that cover the canvas of a size for its new sides. Its name is still that of `before`. */
export function followSize(draft: Template, before: TemplateSize, after: Sides): void {
  const shown = new Map(viewOf(draft, before.name).layers.map((layer) => [layer.id, layer]));
  for (const layer of draft.layers) {
    const covering = coveringSides(shown.get(layer.id) ?? layer, before, after);
    if (covering === undefined) continue;
    for (const side of sides) {
      if (after[side] === before[side]) continue;
      const isBase = covering[side] === layer[side];
      setOverride(layer, before.name, side, isBase ? undefined : covering[side]);
    }
  }
}

/** Returns the sides with which a layer that covers a canvas covers another; undefined if it does not cover the first. */
function coveringSides(layer: Layer, before: Sides, after: Sides): Sides | undefined {
  const { x, y, width, height, rotation = 0 } = layer;
  if (rotation !== 0 || typeof x !== 'number' || typeof y !== 'number') return undefined;
  if (typeof width !== 'number' || typeof height !== 'number' || x > 0 || y > 0) return undefined;
  if (x + width < before.width || y + height < before.height) return undefined;
  // What lies beyond the canvas stays.
  return {
    width: Math.min(lengthMaxPx, width + after.width - before.width),
    height: Math.min(lengthMaxPx, height + after.height - before.height),
  };
}

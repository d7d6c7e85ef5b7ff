/** Layers that an edit in one size adds to the canvas, or frees from a stack, are arranged in all other sizes. */
import type { Template } from '#language/schema/template.ts';
import { flattenLayers, idsWithin } from '../layers.ts';
import type { SizeName } from '../sizes.ts';
import { arranged } from './arrange-size.ts';
import { arrangeFreedLayers, bringIntoCanvas } from './other-sizes.ts';
import { canvases, valuesOf, writeInSizes } from './size-values.ts';

/**
 * Puts the layers of the canvas that are not in `before`, or that a stack positions there, into other sizes, as
 * `arrangeInSize` would arrange them. Layers that were pasted with overrides keep these, but move into sight.
 */
export function arrangeNewLayers(document: Template, before: Template, size: SizeName): void {
  if (document.sizes === undefined) return;
  const known = new Set(flattenLayers(before).map(({ layer }) => layer.id));
  const sizes = canvases(document);
  const from = sizes.get(size) ?? document;
  arrangeFreedLayers(document, before, size);
  const pasted: string[] = [];
  for (const layer of document.layers) {
    if (idsWithin(layer).some((id) => known.has(id))) continue;
    if (layer.bySize !== undefined) {
      pasted.push(layer.id);
      continue;
    }
    for (const position of flattenLayers({ layers: [layer] })) {
      const values = [...sizes].map(([name, to]) => {
        const there = arranged(position, from, to);
        const here = valuesOf(position.layer, Object.keys(there));
        return [name, name === size ? here : there] as const;
      });
      writeInSizes(position.layer, new Map(values));
    }
  }
  for (const [name, canvas] of sizes) {
    if (name !== undefined && name !== size) bringIntoCanvas(document, pasted, name, canvas);
  }
}

/** Layers that cover the canvas keep covering it when its sides change. */
import type { Template } from '#language/schema/template.ts';
import { overridesOf } from '#language/sizes.ts';
import { setOverride } from './sizes.ts';

/** Resizes the layers that covered exactly a canvas of these sides. In its sizes, the design stays as it was. */
export function followCanvas(
  draft: Template,
  before: Readonly<Pick<Template, 'width' | 'height'>>,
): void {
  for (const layer of draft.layers) {
    const { x, y, width, height, rotation = 0 } = layer;
    const isAtCorner = x === 0 && y === 0 && rotation === 0;
    if (!isAtCorner || width !== before.width || height !== before.height) continue;
    for (const side of ['width', 'height'] as const) {
      if (draft[side] === before[side]) continue;
      for (const { name } of draft.sizes ?? []) {
        setOverride(layer, name, side, overridesOf(layer, name)[side] ?? before[side]);
      }
      layer[side] = draft[side];
    }
  }
}

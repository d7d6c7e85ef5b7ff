/** An image as the background: over the whole canvas, in every size. */
import type { ImageLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from './editor.ts';
import { findLayer, moveLayers } from './layers.ts';
import { setOverride } from './sizes.ts';

/** Properties that would uncover a part of the canvas. */
const uncovering = ['fit', 'rotation', 'cornerRadius', 'clip'] as const;

/** Makes an image cover the canvas of a whole document, and that of each of its sizes. */
export function coverCanvas(draft: Template, layer: ImageLayer): void {
  for (const name of uncovering) delete layer[name];
  Object.assign(layer, { x: 0, y: 0, width: draft.width, height: draft.height });
  for (const { name, width, height } of draft.sizes ?? []) {
    for (const property of ['x', 'y', 'fit', 'rotation'])
      setOverride(layer, name, property, undefined);
    setOverride(layer, name, 'width', width === layer.width ? undefined : width);
    setOverride(layer, name, 'height', height === layer.height ? undefined : height);
  }
}

/** Makes the selected image the background: below all other layers, and locked. */
export function makeBackground(editor: Editor): void {
  const [id = ''] = editor.selection.value;
  editor.changeWhole('Use as background', (draft) => {
    if (findLayer(draft, id)?.type !== 'image') return;
    moveLayers(draft, [id], undefined, 0);
    const layer = findLayer(draft, id);
    if (layer?.type !== 'image') return;
    coverCanvas(draft, layer);
    layer.locked = true;
  });
}

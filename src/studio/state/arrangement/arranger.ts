/** Code that arranges layers in the sizes that do not show. It is loaded before a document with sizes is edited. */
import type { moveCopiesInSizes } from './copies.ts';
import type { arrangeNewLayers } from './new-layers.ts';
import type { arrangeWrapped } from './wrapped-layers.ts';

interface Arranger {
  arrangeNewLayers: typeof arrangeNewLayers;
  arrangeWrapped: typeof arrangeWrapped;
  moveCopiesInSizes: typeof moveCopiesInSizes;
}

/** `code` is undefined until it is loaded. */
export const arranger: { code?: Arranger } = {};

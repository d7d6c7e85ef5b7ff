/** Draws what is needed to carry layers: the picture below them, they alone, and what lies above them. */
import type { PlatenClient } from '../../../client/platen-client.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { findLayer, flattenLayers } from '../../state/layers.ts';
import type { LayerParent } from '../../state/layers.ts';

/** Object URLs of the pictures, in paint order. */
export interface CarriedPictures {
  below: string;
  layers: string;
  /** Undefined where nothing lies above. */
  above: string | undefined;
  /** Frees all of them. */
  release(): void;
}

/** Layers that one preview can be asked for (`POST /v1/preview`, `layers`). */
const askedLayersMax = 100;

/** Draws them. Rejects like the client. */
export async function drawCarried(
  client: PlatenClient,
  document: Template,
  values: Readonly<Record<string, unknown>>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CarriedPictures> {
  const found = layersAbove(document, ids);
  const above = found.length > askedLayersMax ? [] : found;
  const without = structuredClone(document);
  for (const id of [...ids, ...above]) {
    const layer = findLayer(without, id);
    if (layer !== undefined) layer.visible = false;
  }
  const draw = async (template: Template, layers?: readonly string[]): Promise<string> => {
    const only = layers === undefined ? {} : { layers: [...layers] };
    const request = {
      template,
      values,
      format: 'png' as const,
      onImageError: 'default' as const,
      ...only,
    };
    const { bytes, contentType } = await client.preview(request, { signal });
    const picture = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: contentType });
    return URL.createObjectURL(picture);
  };
  const drawn = await Promise.allSettled([
    draw(without),
    draw(document, ids),
    above.length === 0 ? undefined : draw(document, above),
  ]);
  const urls = drawn.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
  const release = (): void => {
    for (const url of urls) if (url !== undefined) URL.revokeObjectURL(url);
  };
  const failed = drawn.find((each) => each.status === 'rejected');
  const [below, layers, over] = urls;
  if (failed !== undefined || below === undefined || layers === undefined) {
    release();
    throw failed?.reason;
  }
  return { below, layers, above: over, release };
}

/**
 * Ids of what is painted after the topmost of the layers `ids`; a group stands for all that is in it. Layers that are the
 * mask of others are painted nowhere.
 */
export function layersAbove(document: LayerParent, ids: readonly string[]): string[] {
  const carried = new Set(ids);
  const masks = new Set(flattenLayers(document).map(({ layer }) => layer.mask));
  /** Whether a carried layer is among them; those above it are noted in `above`, the topmost first. */
  const collect = (layers: readonly Layer[], above: string[]): boolean => {
    for (const layer of layers.toReversed()) {
      if (carried.has(layer.id)) return true;
      const inside: string[] = [];
      if (layer.type === 'group' && collect(layer.layers, inside)) {
        above.push(...inside);
        return true;
      }
      if (!masks.has(layer.id)) above.push(layer.id);
    }
    return false;
  };
  const above: string[] = [];
  return collect(document.layers, above) ? above.toReversed() : [];
}

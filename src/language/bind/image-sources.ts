/** Lists the images that concrete layers draw, for whoever has to fetch them. */
import type { Layer } from '../schema/layers.ts';

/**
 * Image sources of layers and fills, groups' too, each once, in document order. Sources that are
 * empty (an image variable that is empty by choice) are left out: they draw nothing.
 */
export function imageSources(layers: readonly Layer[]): string[] {
  const sources = new Set<string>();
  for (const layer of layers) collect(layer, sources);
  sources.delete('');
  return [...sources];
}

function collect(layer: Layer, sources: Set<string>): void {
  if (layer.type === 'image') sources.add(layer.src.trim());
  if ('fill' in layer && typeof layer.fill === 'object' && 'image' in layer.fill) {
    sources.add(layer.fill.image.trim());
  }
  if (layer.type === 'group') for (const child of layer.layers) collect(child, sources);
}

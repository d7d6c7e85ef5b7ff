/** Finds the layers that a refusal of the service speaks of. */
import type { Template } from '#language/schema/template.ts';
import { flattenLayers } from '../state/layers.ts';

/** Ids of the layers that a message names by their paths (`layers[2].layers[0]`) or in quotes (`"photo"`), each once. */
export function namedLayers(message: string, document: Pick<Template, 'layers'>): string[] {
  const paths = new Set(message.match(/layers\[\d+\](?:\.layers\[\d+\])*/g));
  const quoted = new Set(Array.from(message.matchAll(/["“”]([\w-]{1,64})["“”]/g), ([, id]) => id));
  return flattenLayers(document)
    .filter(({ layer, path }) => paths.has(path) || quoted.has(layer.id))
    .map(({ layer }) => layer.id);
}

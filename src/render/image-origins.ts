/** Says which images a render draws, and from which layers and variables each of them comes. */
import { bindText, boundNames, walkStrings } from '#shared/bindings.ts';
import { imageSources } from '#shared/image-sources.ts';
import type { Layer } from '#shared/layer-schemas.ts';
import { resolveLayers } from '#shared/resolve-layers.ts';
import { walkLayers } from '#shared/template-meaning.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { ResolvedValues } from './resolve-variables.ts';

/** Where a source comes from: the layers that draw it, and the variables that they bind for it (maybe none). */
export interface ImageOrigin {
  layers: string[];
  variables: string[];
}

/**
 * The sources that a template draws with these values, as they stand after binding, each once and in
 * drawing order; hidden layers and empty sources draw none.
 */
export function drawnSources(template: PublishedTemplate, values: ResolvedValues): string[] {
  const { document } = template;
  // Most of the work is binding; a template without any image needs none of it.
  if (imageSources(document.layers).length === 0) return [];
  return imageSources(resolveLayers(document, values).layers);
}

/** True for a source that is fetched: its bytes may change while its name does not. */
export function isRemote(source: string): boolean {
  return !/^(asset|data):/i.test(source);
}

/** Finds where `source` comes from under these values. */
export function imageOrigin(
  template: PublishedTemplate,
  values: ResolvedValues,
  source: string,
): ImageOrigin {
  const layers: string[] = [];
  const variables = new Set<string>();
  for (const [, layer] of walkLayers(template.document.layers)) {
    const text = sourceTexts(layer).find((each) => bindText(each, values).trim() === source);
    if (text === undefined) continue;
    layers.push(layer.id);
    for (const name of boundNames(text)) variables.add(name);
  }
  return { layers, variables: [...variables] };
}

/** The unbound texts of a layer that name images, in its own properties at any depth; not its children's. */
function sourceTexts(layer: Layer): string[] {
  const own = layer.type === 'group' ? { ...layer, layers: [] } : layer;
  return [...walkStrings(own)]
    .filter(([path]) => /(^|\.)(src|image)$/.test(path))
    .map(([, text]) => text);
}

/** Says which images a render draws, and from which layers and variables each of them comes. */
import { bindAddress, boundNames, walkStrings } from '#language/bind/bindings.ts';
import { imageSources } from '#language/bind/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { walkLayers } from '#language/check/template-meaning.ts';
import type { Template } from '#language/schema/template.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { ResolvedValues } from './values.ts';

/** Where a source comes from: the layers that draw it, and the variables that they bind for it (maybe none). */
export interface ImageOrigin {
  layers: string[];
  variables: string[];
}

/** A document with nothing but the layers that name images, by the whole document. */
const pictureDocuments = new WeakMap<Template, Template>();

/**
 * The sources that a template draws with these values, as they stand after binding, each once and in
 * drawing order; hidden layers and empty sources draw none.
 */
export function drawnSources(template: PublishedTemplate, values: ResolvedValues): string[] {
  const { document } = template;
  let pictures = pictureDocuments.get(document);
  if (pictures === undefined) {
    // Binding every layer of a banner takes 10 µs of the main thread; most name no image.
    pictures = { ...document, layers: pictureLayers(document.layers) };
    pictureDocuments.set(document, pictures);
  }
  if (pictures.layers.length === 0) return [];
  return imageSources(resolveLayers(pictures, values).layers);
}

/** Only the layers that name an image, bound or not. A value changes which image it is, never whether there is one. */
function pictureLayers(layers: readonly Layer[]): Layer[] {
  return layers
    .filter((layer) => imageSources([layer]).length > 0)
    .map((layer) =>
      layer.type === 'group' ? { ...layer, layers: pictureLayers(layer.layers) } : layer,
    );
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
    const text = sourceTexts(layer).find((each) => bindAddress(each, values).trim() === source);
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

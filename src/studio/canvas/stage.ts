/** The image on the canvas: swaps renders without a flash, and moves a bitmap of layers between two others. */
import type { Carried } from './canvas-state.ts';
import { centerOf } from './geometry.ts';
import type { Box } from './geometry.ts';
import type { PlatenClient } from '../../client/platen-client.ts';
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Frame, PreviewScale, Values } from '../state/frames.ts';
import { createImage, loadImage } from '../state/load-image.ts';
import { findPosition, flattenLayers } from '../state/layers.ts';
import type { LayerParent } from '../state/layers.ts';

type ShownFrame = Pick<Frame, 'url' | 'element'>;

/** Shows images in an element of the size of the image on the screen. Its `data-shows` is `exact` or `parts`. */
export class Stage {
  readonly #element: HTMLElement;
  #order = 0;
  /** Order of the newest render that was shown, and of the newest that was shown without carried parts. */
  #shownOrder = 0;
  #aloneOrder = 0;
  #exact: HTMLImageElement | undefined;
  /** Images of a drag, in paint order. */
  #parts: readonly HTMLImageElement[] = [];
  #carried: HTMLImageElement | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Replaces all images by one render. Resolves to false if a later render was shown already. */
  async show({ url, element }: ShownFrame): Promise<boolean> {
    const order = this.#nextOrder();
    const exact = element ?? (await loadImage(url));
    // Shows it even if a newer frame is loading: frames may arrive faster than they are decoded.
    if (exact === undefined || order < this.#shownOrder) return false;
    this.#shownOrder = order;
    this.#aloneOrder = order;
    this.#exact = exact;
    this.#parts = [];
    this.#carried = undefined;
    this.#arrange('exact');
    return true;
  }

  /** Shows a render over the parts and keeps the parts. Does nothing if `isWanted` is false after loading. */
  async rest({ url, element }: ShownFrame, isWanted: () => boolean): Promise<boolean> {
    const order = this.#nextOrder();
    const exact = element ?? (await loadImage(url));
    if (exact === undefined || order < this.#shownOrder || !isWanted()) return false;
    this.#shownOrder = order;
    this.#exact = exact;
    this.#arrange('exact');
    return true;
  }

  /** Shows the images of a drag, or only keeps them for `lift` if `isResting`. False if a later render was shown. */
  async carry(images: CarriedImages, isResting: () => boolean): Promise<boolean> {
    const order = this.#nextOrder();
    const { below, layers, above } = images;
    const parts = await decodeAll([below, layers, ...(above === undefined ? [] : [above])]);
    if (parts.length === 0 || order < this.#aloneOrder) return false;
    this.#parts = parts;
    [, this.#carried] = parts;
    this.#arrange(isResting() ? 'exact' : 'parts');
    return true;
  }

  /** Shows the parts again. False if there are none. */
  lift(): boolean {
    if (this.#parts.length === 0) return false;
    this.#element.dataset['shows'] = 'parts';
    return true;
  }

  /** Moves the carried image without a repaint. `zoom` is screen pixels per design pixel. */
  position({ delta, angle, center, stretch, isInserting }: Carried, zoom: number): void {
    const style = this.#carried?.style;
    if (style === undefined) return;
    style.zIndex = isInserting ? '1' : '';
    if (stretch !== undefined) {
      style.transformOrigin = '0 0';
      style.transform = stretched(stretch.from, stretch.to, zoom);
      return;
    }
    style.transformOrigin = `${center.x * zoom}px ${center.y * zoom}px`;
    style.transform = `translate(${delta.x * zoom}px, ${delta.y * zoom}px) rotate(${angle}deg)`;
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  #arrange(shows: 'exact' | 'parts'): void {
    const exact = this.#exact === undefined ? [] : [this.#exact];
    if (this.#exact !== undefined) this.#exact.dataset['image'] = 'exact';
    for (const [index, part] of this.#parts.entries()) {
      part.dataset['image'] = ['below', 'carried', 'above'][index];
    }
    this.#element.dataset['shows'] = shows;
    this.#element.replaceChildren(...this.#parts, ...exact);
  }
}

/** CSS transform from one box to another. Both boxes must have the same rotation. */
function stretched(from: Box, to: Box, zoom: number): string {
  const [before, after] = [centerOf(from), centerOf(to)];
  const across = from.width === 0 ? 1 : to.width / from.width;
  const down = from.height === 0 ? 1 : to.height / from.height;
  return [
    `translate(${after.x * zoom}px, ${after.y * zoom}px)`,
    `rotate(${from.rotation}deg) scale(${across}, ${down}) rotate(${-from.rotation}deg)`,
    `translate(${-before.x * zoom}px, ${-before.y * zoom}px)`,
  ].join(' ');
}

/** Loads and decodes images. Empty if one of them fails, for example because its URL was revoked. */
async function decodeAll(urls: readonly string[]): Promise<readonly HTMLImageElement[]> {
  const images = urls.map(createImage);
  try {
    await Promise.all(images.map((image) => image.decode()));
    return images;
  } catch {
    return [];
  }
}

// The images of a drag: the image below the carried layers, the layers themselves, and the image above.

/** Object URLs of the images, in paint order. */
export interface CarriedImages {
  below: string;
  layers: string;
  /** Undefined if no layer is above. */
  above: string | undefined;
  /** Revokes all URLs. */
  release(): void;
}

/** Maximum number of `layers` of a preview request (`POST /v1/preview`). */
const askedLayersMax = 100;

/** Renders the images of a drag. Rejects like the client. The caller releases the images. */
export async function drawCarried(
  client: PlatenClient,
  document: Template,
  { values, scale }: { values: Values; scale: PreviewScale | undefined },
  { ids, isFloating, isCopy }: Pick<Carried, 'ids' | 'isFloating' | 'isCopy'>,
  signal: AbortSignal,
): Promise<CarriedImages> {
  // Layers that may change their position in the paint order are shown on top.
  const found = isFloating ? [] : layersAbove(document, ids);
  const above = found.length > askedLayersMax ? [] : found;
  const without = structuredClone(document);
  for (const id of isCopy ? above : [...ids, ...above]) {
    const position = findPosition(without, id);
    // A stack would close the gap that a hidden layer leaves.
    if (position?.group?.type === 'stack') position.layer.opacity = 0;
    else if (position !== undefined) position.layer.visible = false;
  }
  const draw = async (template: Template, layers?: readonly string[]): Promise<string> => {
    const only = layers === undefined ? {} : { layers: [...layers] };
    const request = {
      template,
      values,
      format: 'png' as const,
      onImageError: 'default' as const,
      ...(scale === undefined ? {} : { scale }),
      ...only,
    };
    const { bytes, contentType } = await client.preview(request, { signal });
    const image = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: contentType });
    return URL.createObjectURL(image);
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
 * Ids of the layers that are painted after the topmost of the layers `ids`. The id of a group includes its layers.
 * Masks of other layers are left out, because they are not painted.
 */
export function layersAbove(document: LayerParent, ids: readonly string[]): string[] {
  const carried = new Set(ids);
  const masks = new Set(flattenLayers(document).map(({ layer }) => layer.mask));
  /** Whether `layers` has a carried layer. Adds the ids of layers above it to `above`, the topmost first. */
  const collect = (layers: readonly Layer[], above: string[]): boolean => {
    for (const layer of layers.toReversed()) {
      if (carried.has(layer.id)) return true;
      const inside: string[] = [];
      if (isParent(layer) && collect(layer.layers, inside)) {
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

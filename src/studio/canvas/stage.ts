/** The image on the canvas: swaps renders without a flash, and moves a bitmap of layers between those below and above. */
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

/** Shows images in an element that is as large as the image on the screen; its `data-shows` says which of them. */
export class Stage {
  readonly #element: HTMLElement;
  #order = 0;
  /** Of the newest render that has come to the screen, and of the newest that had it for itself. */
  #shownOrder = 0;
  #aloneOrder = 0;
  #exact: HTMLImageElement | undefined;
  /** In paint order. */
  #parts: readonly HTMLImageElement[] = [];
  #carried: HTMLImageElement | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Shows one render in place of all that is there; resolves to false when a later one was there before it. */
  async show({ url, element }: ShownFrame): Promise<boolean> {
    const order = this.#nextOrder();
    const exact = element ?? (await loadImage(url));
    // One that a newer image waits behind is shown all the same: frames may come faster than they are decoded.
    if (exact === undefined || order < this.#shownOrder) return false;
    this.#shownOrder = order;
    this.#aloneOrder = order;
    this.#exact = exact;
    this.#parts = [];
    this.#carried = undefined;
    this.#arrange('exact');
    return true;
  }

  /** Shows a render over the parts, which stay at hand; unless `isWanted` says no once it is loaded. */
  async rest({ url, element }: ShownFrame, isWanted: () => boolean): Promise<boolean> {
    const order = this.#nextOrder();
    const exact = element ?? (await loadImage(url));
    if (exact === undefined || order < this.#shownOrder || !isWanted()) return false;
    this.#shownOrder = order;
    this.#exact = exact;
    this.#arrange('exact');
    return true;
  }

  /** Shows a carried image with those below and above it; `isResting`: not before `lift`. False when a render came first. */
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

  /** Shows the parts again; false when there are none. */
  lift(): boolean {
    if (this.#parts.length === 0) return false;
    this.#element.dataset['shows'] = 'parts';
    return true;
  }

  /** Moves the carried image; `zoom` in screen pixels a design pixel. The browser moves its bitmap without a repaint. */
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

/** The transform that takes one box to another, as CSS has it; both are turned alike. */
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

/** Large images that are ready to be moved; none when one cannot be, as when it was freed meanwhile. */
async function decodeAll(urls: readonly string[]): Promise<readonly HTMLImageElement[]> {
  const images = urls.map(createImage);
  try {
    await Promise.all(images.map((image) => image.decode()));
    return images;
  } catch {
    return [];
  }
}

// The images of a drag: what lies below the carried layers, the layers alone, and what lies above.

/** Object URLs of the images, in paint order. */
export interface CarriedImages {
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
  { values, scale }: { values: Values; scale: PreviewScale | undefined },
  { ids, isFloating, isCopy }: Pick<Carried, 'ids' | 'isFloating' | 'isCopy'>,
  signal: AbortSignal,
): Promise<CarriedImages> {
  // What may come into another position of the paint order is on top.
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

/** The picture on the canvas: swaps renders without a flash, and carries a bitmap of layers over a render without them. */
import type { PlatenClient } from '../../client/platen-client.ts';
import type { Template } from '#shared/template-schema.ts';
import { findLayer } from '../state/layers.ts';
import type { Carried } from './canvas-state.ts';

/** What is drawn of layers that are carried: the picture without them, and they alone. Object URLs. */
export interface CarriedPictures {
  below: string;
  layers: string;
  /** Frees both. */
  release(): void;
}

/** Shows pictures in an element that is as large as the picture on the screen. */
export class Stage {
  readonly #element: HTMLElement;
  #order = 0;
  /** Of the newest swap that has come to the screen. */
  #shownOrder = 0;
  #carried: HTMLImageElement | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Shows one picture in place of all that is there; resolves to false when a later one was there before it. */
  async show(url: string): Promise<boolean> {
    const [picture] = await this.#swap([url]);
    if (picture === undefined) return false;
    this.#carried = undefined;
    return true;
  }

  /** Shows a picture with the carried one over it. */
  async carry(pictures: CarriedPictures): Promise<boolean> {
    const [, layers] = await this.#swap([pictures.below, pictures.layers]);
    if (layers === undefined) return false;
    this.#carried = layers;
    return true;
  }

  /** Places the carried picture; `zoom` in screen pixels a design pixel. The browser moves its bitmap and paints nothing anew. */
  place({ delta, angle, center }: Carried, zoom: number): void {
    const style = this.#carried?.style;
    if (style === undefined) return;
    style.transformOrigin = `${center.x * zoom}px ${center.y * zoom}px`;
    style.transform = `translate(${delta.x * zoom}px, ${delta.y * zoom}px) rotate(${angle}deg)`;
  }

  /** Only decoded pictures come to the screen, all at once. */
  async #swap(urls: readonly string[]): Promise<readonly HTMLImageElement[]> {
    this.#order += 1;
    const order = this.#order;
    const images = urls.map((url) => {
      const image = new Image();
      image.alt = '';
      image.draggable = false;
      image.src = url;
      return image;
    });
    try {
      await Promise.all(images.map((image) => image.decode()));
    } catch {
      // A picture that was freed meanwhile: what is on the screen stays.
      return [];
    }
    // One that a newer picture waits behind is shown all the same: frames may come faster than they are decoded.
    if (order < this.#shownOrder) return [];
    this.#shownOrder = order;
    this.#element.replaceChildren(...images);
    return images;
  }
}

/** Draws what is needed to carry layers. Rejects like the client. */
export async function drawCarried(
  client: PlatenClient,
  document: Template,
  values: Readonly<Record<string, unknown>>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CarriedPictures> {
  const without = structuredClone(document);
  for (const id of ids) {
    const layer = findLayer(without, id);
    if (layer !== undefined) layer.visible = false;
  }
  const call = { signal };
  const format = 'png';
  const [below, layers] = await Promise.all([
    client.preview({ template: without, values, format }, call),
    client.preview({ template: document, values, format, layers: [...ids] }, call),
  ]);
  const toUrl = ({ bytes, contentType }: typeof below): string =>
    URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: contentType }));
  const urls = { below: toUrl(below), layers: toUrl(layers) };
  return {
    ...urls,
    release() {
      URL.revokeObjectURL(urls.below);
      URL.revokeObjectURL(urls.layers);
    },
  };
}

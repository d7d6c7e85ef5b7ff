/** The picture on the canvas: swaps renders without a flash, and moves a bitmap of layers between those below and above. */
import type { Carried } from './canvas-state.ts';
import type { CarriedPictures } from './gestures/carried-images.ts';

/** Shows pictures in an element that is as large as the picture on the screen; its `data-shows` says which of them. */
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
  async show(url: string): Promise<boolean> {
    const order = this.#nextOrder();
    const [exact] = await decodeAll([url]);
    // One that a newer picture waits behind is shown all the same: frames may come faster than they are decoded.
    if (exact === undefined || order < this.#shownOrder) return false;
    this.#shownOrder = order;
    this.#aloneOrder = order;
    this.#exact = exact;
    this.#parts = [];
    this.#carried = undefined;
    this.#arrange('exact');
    return true;
  }

  /** Shows a render over the parts, which stay at hand; unless `isWanted` says no once it is decoded. */
  async rest(url: string, isWanted: () => boolean): Promise<boolean> {
    const order = this.#nextOrder();
    const [exact] = await decodeAll([url]);
    if (exact === undefined || order < this.#shownOrder || !isWanted()) return false;
    this.#shownOrder = order;
    this.#exact = exact;
    this.#arrange('exact');
    return true;
  }

  /** Shows a carried picture with those below and above it; `isResting`: not before `lift`. False when a render came first. */
  async carry(pictures: CarriedPictures, isResting: () => boolean): Promise<boolean> {
    const order = this.#nextOrder();
    const { below, layers, above } = pictures;
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

  /** Places the carried picture; `zoom` in screen pixels a design pixel. The browser moves its bitmap and paints nothing anew. */
  place({ delta, angle, center }: Carried, zoom: number): void {
    const style = this.#carried?.style;
    if (style === undefined) return;
    style.transformOrigin = `${center.x * zoom}px ${center.y * zoom}px`;
    style.transform = `translate(${delta.x * zoom}px, ${delta.y * zoom}px) rotate(${angle}deg)`;
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  #arrange(shows: 'exact' | 'parts'): void {
    const exact = this.#exact === undefined ? [] : [this.#exact];
    if (this.#exact !== undefined) this.#exact.dataset['picture'] = 'exact';
    for (const [index, part] of this.#parts.entries()) {
      part.dataset['picture'] = ['below', 'carried', 'above'][index];
    }
    this.#element.dataset['shows'] = shows;
    this.#element.replaceChildren(...this.#parts, ...exact);
  }
}

/** Images that are ready to be painted; none when one cannot be, as when it was freed meanwhile. */
async function decodeAll(urls: readonly string[]): Promise<readonly HTMLImageElement[]> {
  const images = urls.map((url) => {
    const image = new Image();
    image.alt = '';
    image.draggable = false;
    // What changes places with another is painted in the same frame of the screen.
    image.decoding = 'sync';
    image.src = url;
    return image;
  });
  try {
    await Promise.all(images.map((image) => image.decode()));
    return images;
  } catch {
    return [];
  }
}

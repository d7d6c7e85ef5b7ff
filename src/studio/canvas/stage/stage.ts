/** The image on the canvas: swaps renders without a flash, and moves an image of layers between two others. */
import type { Signal } from '@preact/signals';
import type { Frame } from '../../state/frames.ts';
import { loadImage } from '../../state/load-image.ts';
import type { Carried, Staged } from '../canvas-state.ts';
import type { CarriedImages } from './carried-images.ts';

/** A copy of the layers moves, or the layers move above all others. */
type Manner = Pick<Carried, 'isCopy' | 'isInserting'>;

/** Shows images in an element of the size of the image on the screen. Its `data-shows` is `exact`, `parts` or `earlier`. */
export class Stage {
  readonly #element: HTMLElement;
  readonly #staged: Signal<Staged | undefined>;
  #order = 0;
  #shownOrder = 0;
  #images: CarriedImages | undefined;

  constructor(element: HTMLElement, staged: Signal<Staged | undefined>) {
    this.#element = element;
    this.#staged = staged;
  }

  /** Shows a render, of the document or an earlier one. Resolves to false if something newer was shown before it. */
  async show(frame: Frame, isCurrent: boolean): Promise<boolean> {
    this.#order += 1;
    const order = this.#order;
    const exact = frame.element ?? (await loadImage(frame.url));
    // Shows it even if a newer frame is loading: frames may arrive faster than they are decoded.
    if (exact === undefined || order < this.#shownOrder) return false;
    this.#shownOrder = order;
    this.#images = undefined;
    if (exact.parentElement !== this.#element) this.#element.replaceChildren(exact);
    this.#element.dataset['shows'] = isCurrent ? 'exact' : 'earlier';
    this.#staged.value = { document: frame.document, report: frame.report, isMoved: false };
    return true;
  }

  /** Shows images of layers, moved by a matrix in design pixels to where the document of `shown` has them. */
  move(
    images: CarriedImages,
    matrix: DOMMatrix,
    manner: Manner | undefined,
    shown: Omit<Staged, 'isMoved'>,
  ): void {
    this.#order += 1;
    this.#shownOrder = this.#order;
    if (images !== this.#images) this.#put(images);
    const { layers, copied, from } = images;
    const { a, b, c, d, e, f } = matrix;
    // Percentages of the image stay right when it is zoomed.
    const [x, y] = [(100 * e) / from.width, (100 * f) / from.height];
    layers.style.transform = `translate(${x}%, ${y}%) matrix(${[a, b, c, d].join()}, 0, 0)`;
    layers.style.zIndex = manner?.isInserting === true ? '1' : '';
    copied.style.display = manner?.isCopy === true ? '' : 'none';
    this.#element.dataset['shows'] = 'parts';
    this.#staged.value = { ...shown, isMoved: true };
  }

  /** Keeps what is shown, of an earlier document. */
  markEarlier(): void {
    this.#element.dataset['shows'] = 'earlier';
  }

  #put(images: CarriedImages): void {
    this.#images = images;
    const { below, copied, layers, above } = images;
    layers.dataset['image'] = 'carried';
    this.#element.replaceChildren(below, copied, layers, ...(above === undefined ? [] : [above]));
  }
}

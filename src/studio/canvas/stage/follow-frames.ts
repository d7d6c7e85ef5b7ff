/** Keeps the stage up to date: shows exact frames, and until they arrive images of layers where the document has them. */
import { effect, signal, untracked } from '@preact/signals';
import { momentOf } from '../../state/frames.ts';
import type { Frame } from '../../state/frames.ts';
import { movesFreely } from '../canvas-state.ts';
import type { CanvasState, Carried } from '../canvas-state.ts';
import { laterCalls } from '../../later-calls.ts';
import type { CarriedImages, CarriedLayers, drawCarried } from './carried-images.ts';
import { selectedIds } from '../commands.ts';
import { placeLayers } from '../layer-geometry.ts';
import { followTyping } from './follow-typing.ts';
import type { Stage } from './stage.ts';

/** Follows the editor's frames and the canvas's gestures until the returned function is called. */
export function followFrames(state: CanvasState, stage: Stage): () => void {
  const follower = new FrameFollower(state, stage);
  const ends = [
    effect(() => follower.prepare()),
    effect(() => follower.present()),
    followTyping(state),
  ];
  return () => {
    for (const end of ends) end();
    follower.close();
  };
}

/** Delay before images of newly selected layers are rendered, in ms. A drag renders them at once. */
const selectedAfterMs = 60;

/** Delay before the images are rendered again after a change, in ms. Exact frames of further changes go first. */
const changedAfterMs = 300;

/** Delay before images of layers replace a late frame, in ms. Most frames arrive before, and are exact. */
const lateAfterMs = 80;

class FrameFollower {
  readonly #state: CanvasState;
  readonly #stage: Stage;
  readonly #images = signal<CarriedImages | undefined>(undefined);
  /** What the newest images show, or those that are being rendered. */
  #wanted: CarriedLayers | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawing = new AbortController();
  /** Whether the frame of the document is late. `#lateTimer` waits for that. */
  readonly #isLate = signal(false);
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the newest requested frame when the images of layers were moved. Older frames do not replace them. */
  #movedAt = 0;

  constructor(state: CanvasState, stage: Stage) {
    this.#state = state;
    this.#stage = stage;
  }

  /** Renders images of the selected layers before they are moved, because the exact frame may take long. */
  prepare(): void {
    const wanted = this.#layersToCarry();
    const isDrag = this.#state.carried.value !== undefined;
    // Images of an earlier document can still be moved to where a later one has the layers.
    if (wanted === undefined) return;
    clearTimeout(this.#timer);
    if (isSame(wanted, this.#wanted) || this.#canReuse(wanted)) return;
    const isChange = wanted.ids.join() === this.#wanted?.ids.join();
    if (isDrag) this.#draw(wanted);
    else
      this.#timer = setTimeout(
        () => {
          // Each letter changes the image. The layers move after the focus has left the field.
          if (!isTyping()) this.#draw(wanted);
        },
        isChange ? changedAfterMs : selectedAfterMs,
      );
  }

  /** The layers of a drag, or the selected layers while the frame is up to date. */
  #layersToCarry(): CarriedLayers | undefined {
    const { editor, carried, editing, marquee } = this.#state;
    const { value: document } = editor.document;
    const { value: lifted } = carried;
    const shown = { values: editor.values.value, moment: momentOf(editor) };
    if (lifted !== undefined) return { from: lifted.from, ids: lifted.ids, ...shown };
    const isCurrent = editor.frame.value?.document === document;
    const isBusy = editing.value !== undefined || marquee.value !== undefined;
    const ids = selectedIds(editor);
    return isCurrent && !isBusy && ids.length > 0 ? { from: document, ids, ...shown } : undefined;
  }

  /** Whether the images that there are can be moved to where the layers are, and are as sharp as new ones. */
  #canReuse({ ids, moment }: CarriedLayers): boolean {
    const { value: images } = this.#images;
    if (images?.ids.join() !== ids.join() || images.moment.scale !== moment.scale) return false;
    const matrix = this.#matrix(images, this.#state.carried.value);
    if (matrix === undefined) return false;
    const { a, b, c, d } = matrix;
    return Math.abs(Math.hypot(a, b) - 1) + Math.abs(Math.hypot(c, d) - 1) < 0.001;
  }

  #draw(wanted: CarriedLayers): void {
    this.#wanted = wanted;
    this.#drawing.abort();
    this.#drawing = new AbortController();
    const { signal: stopped } = this.#drawing;
    laterCalls.run?.((code) => this.#drawWith(code.drawCarried, wanted, stopped));
  }

  async #drawWith(
    draw: typeof drawCarried,
    wanted: CarriedLayers,
    stopped: AbortSignal,
  ): Promise<void> {
    const { editor } = this.#state;
    const frame = editor.frame.peek();
    // The boxes of another document can differ from those of the report.
    if (frame?.document !== wanted.from) {
      this.#wanted = undefined;
      return;
    }
    const positions = placeLayers(wanted.from, frame.report);
    const boxes = new Map(positions.map(({ id, seen }) => [id, seen]));
    try {
      const { client } = editor.service;
      const images = await draw(client, frame.drawn, { ...wanted, boxes }, stopped);
      if (!stopped.aborted) this.#images.value = images;
    } catch {
      // Exact frames follow the layers alone. The next change renders the images again.
      if (!stopped.aborted) this.#wanted = undefined;
    }
  }

  /**
   * Shows the frame of the document. Until it arrives, moves the images of layers to where the document has them: at
   * once in a drag, and otherwise when the frame is late.
   */
  present(): void {
    const { editor, carried, shown, typing, hint, staged } = this.#state;
    const { value: frame } = shown;
    const { value: lifted } = carried;
    const { value: images } = this.#images;
    if (frame === undefined) return;
    const isRefused =
      editor.frameError.value !== undefined && editor.retryFrame.value === undefined;
    const isCurrent = frame.document === editor.document.value || frame === typing.value;
    // No frame can show layers that a stack positions elsewhere until the drop.
    const isAbove = lifted !== undefined && !lifted.isDropped && movesFreely(lifted, editor);
    const isDrag = lifted !== undefined || hint.value !== undefined;
    const isAtOnce = this.#isLate.value || isDrag || staged.peek()?.isMoved === true;
    const matrix = isCurrent && !isAbove ? undefined : images && this.#matrix(images, lifted);
    untracked(() => {
      this.#watchLate(!isCurrent);
      if (matrix !== undefined && images !== undefined && isAtOnce) {
        this.#movedAt = editor.askedFrame.value;
        const { report } = frame;
        this.#stage.move(images, matrix, lifted, { document: editor.document.value, report });
      } else if (isCurrent || isRefused || frame.number >= this.#movedAt) {
        void this.#show(frame, isCurrent, isCurrent || isRefused ? lifted : undefined);
      } else this.#stage.markEarlier();
    });
  }

  #watchLate(isWaiting: boolean): void {
    if (!isWaiting) {
      clearTimeout(this.#lateTimer);
      this.#lateTimer = undefined;
      this.#isLate.value = false;
    } else this.#lateTimer ??= setTimeout(() => (this.#isLate.value = true), lateAfterMs);
  }

  #matrix(images: CarriedImages, lifted: Carried | undefined): DOMMatrix | undefined {
    const { editor, hint, positions } = this.#state;
    if (lifted !== undefined && movesFreely(lifted, editor)) {
      const isSameDrag = images.from === lifted.from && images.ids.join() === lifted.ids.join();
      return isSameDrag ? new DOMMatrix().translate(lifted.delta.x, lifted.delta.y) : undefined;
    }
    const shown = { values: editor.values.value, moment: momentOf(editor) };
    if (!hasSameLook(images, shown)) return undefined;
    const boxes = new Map(positions.value.map(({ id, seen }) => [id, seen]));
    return images.matrixTo(editor.document.value, boxes, hint.value !== undefined);
  }

  /** Shows a frame, which ends the drag `landing`. */
  async #show(frame: Frame, isCurrent: boolean, landing: Carried | undefined): Promise<void> {
    const { carried } = this.#state;
    const isShown = await this.#stage.show(frame, isCurrent);
    if (isShown && landing?.isDropped === true && carried.value === landing) {
      carried.value = undefined;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lateTimer);
    this.#drawing.abort();
  }
}

/** Whether a field has the focus. */
function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea') === true;
}

function isSame(one: CarriedLayers, other: CarriedLayers | undefined): boolean {
  if (one.from !== other?.from || one.ids.join() !== other.ids.join()) return false;
  return one.moment.scale === other.moment.scale && hasSameLook(one, other);
}

type Look = Pick<CarriedLayers, 'values' | 'moment'>;

/** Whether a document looks the same with values and at a moment. The scale makes no difference. */
function hasSameLook({ values, moment: { time, frame } }: Look, other: Look): boolean {
  const { moment } = other;
  return values === other.values && time === moment.time && frame === moment.frame;
}

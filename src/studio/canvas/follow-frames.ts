/** Keeps the stage up to date: shows exact frames, and during a gesture a bitmap of the moved layers. */
import { effect, untracked } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import { createFrames, drawLoaded, momentOf } from '../state/frames.ts';
import type { Frame } from '../state/frames.ts';
import { findLayer } from '../state/layers.ts';
import type { CanvasState, Carried } from './canvas-state.ts';
import { textOf, textTarget, withShownBindings } from './text/editable-text.ts';
import { drawCarried } from './stage.ts';
import type { CarriedImages, Stage } from './stage.ts';

/** Follows the editor's frames and the canvas's gestures until the returned function is called. */
export function followFrames(state: CanvasState, stage: Stage): () => void {
  const follower = new FrameFollower(state, stage);
  const ends = [
    effect(() => {
      const { value: carried } = state.carried;
      const isLifting = carried !== undefined && !carried.isDropped;
      untracked(() => isLifting && follower.lift(carried));
    }),
    effect(() => follower.position()),
    effect(() => follower.follow()),
    followTyping(state),
  ];
  return () => {
    for (const end of ends) end();
    follower.release();
  };
}

/** Requests images with bindings as they are written, while a text with bindings is edited. */
function followTyping({ editor, editing, typing }: CanvasState): () => void {
  const { client } = editor.service;
  const frames = createFrames(drawLoaded(client), globalThis);
  let before = 0;
  const ends = [
    effect(() => {
      const id = editing.value?.id;
      const document = editor.document.value;
      const layer = id === undefined ? undefined : findLayer(document, id);
      if (id === undefined || layer?.type !== 'text') return;
      const isText = editing.value?.isText === true;
      const target = textTarget(document, layer, isText, editor.values.peek());
      if (target.kind !== 'text' || !textOf(layer).includes('{{')) return;
      const shown = withShownBindings(document, layer);
      const moment = momentOf(editor);
      const copy = async (): Promise<Template> => {
        const valid = await editor.validCopy();
        return valid === document ? shown : withShownBindings(valid, layer);
      };
      untracked(() => frames.ask(shown, editor.values.value, moment, copy));
    }),
    effect(() => {
      const frame = frames.frame.value;
      const isOpen = editing.value !== undefined;
      // A frame of an earlier edit must not be shown in the next one.
      if (!isOpen) before = frames.asked.peek();
      typing.value = isOpen && frame !== undefined && frame.number > before ? frame : undefined;
    }),
    () => frames.close(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

class FrameFollower {
  readonly #state: CanvasState;
  readonly #stage: Stage;
  /** The document from which the carried bitmaps are rendered. `#progress` is the state of that render. */
  #from: Template | undefined;
  #progress: 'none' | 'drawing' | 'shown' | 'failed' = 'none';
  #images: CarriedImages | undefined;
  #drawing = new AbortController();
  #shownUrl: string | undefined;

  constructor(state: CanvasState, stage: Stage) {
    this.#state = state;
    this.#stage = stage;
  }

  /** Renders the carried layers and the images below and above them, once for each gesture. */
  lift(lifted: Carried): void {
    const { from } = lifted;
    if (from === this.#from) return;
    this.#from = from;
    this.#drawing.abort();
    this.#drawing = new AbortController();
    void this.#draw(lifted, this.#drawing.signal);
  }

  async #draw(lifted: Carried, signal: AbortSignal): Promise<void> {
    const { service, values, previewScale: scale, frame } = this.#state.editor;
    const { from } = lifted;
    const drawn = frame.peek()?.document === from ? frame.peek()?.drawn : undefined;
    this.#progress = 'drawing';
    try {
      const shown = { values: values.value, scale: scale.value };
      const images = await drawCarried(service.client, drawn ?? from, shown, lifted, signal);
      const isExact = (): boolean => {
        const newest = this.#newestUrl();
        return newest !== undefined && newest === this.#shownUrl;
      };
      const isResting = (): boolean => isExact() && !this.#isAbove();
      const isThere = !signal.aborted && (await this.#stage.carry(images, isResting));
      if (!isThere || signal.aborted) {
        images.release();
        return;
      }
      if (!isResting()) this.#shownUrl = undefined;
      this.#images?.release();
      this.#images = images;
      this.#progress = 'shown';
      this.position();
    } catch {
      // The exact frames follow the gesture instead.
      if (!signal.aborted) this.#progress = 'failed';
    }
  }

  /** Moves the carried bitmap with the gesture. A bitmap of an earlier gesture stays where it was dropped. */
  position(): void {
    const { carried, view } = this.#state;
    const { zoom } = view.value;
    const { value: lifted } = carried;
    const isCurrent = this.#progress === 'shown' && lifted?.from === this.#from;
    if (lifted !== undefined && isCurrent) this.#stage.position(lifted, zoom);
  }

  /**
   * Shows the newest frame. While layers are carried, it waits for a frame with the layers in the same position. Until
   * then it shows the carried bitmap between the images below and above it.
   */
  follow(): void {
    const { editor, carried, shown } = this.#state;
    const frame = shown.value;
    const isNewest = frame?.document === editor.document.value;
    const lifted = carried.value;
    // After an outage the exact frame still arrives. A refused document never gets one.
    const isRefused =
      editor.frameError.value !== undefined && editor.retryFrame.value === undefined;
    if (frame === undefined) return;
    const isAlone = this.#progress === 'failed';
    if (lifted === undefined) void this.#show(frame);
    else if (lifted.isDropped && (isNewest || isRefused || isAlone)) {
      void this.#land(frame, lifted);
    } else if (!lifted.isDropped && !this.#isAbove() && (isNewest || isAlone)) {
      void this.#rest(frame, isAlone);
    } else if (this.#stage.lift()) this.#shownUrl = undefined;
  }

  /** Shows the exact frame while the pointer rests, and keeps the bitmaps for the next movement. */
  async #rest(frame: Frame, isAlone: boolean): Promise<void> {
    const { url } = frame;
    if (url === this.#shownUrl) return;
    const isShown = await this.#stage.rest(frame, () => isAlone || url === this.#newestUrl());
    if (isShown) this.#shownUrl = url;
  }

  /** Whether no exact frame can show the carried layers, because a stack positions them elsewhere. */
  #isAbove(): boolean {
    const lifted = this.#state.carried.peek();
    return lifted !== undefined && !lifted.isDropped && (lifted.isFloating || lifted.isInserting);
  }

  /** URL of the frame of the current document, if the frame is available. */
  #newestUrl(): string | undefined {
    const { editor, shown } = this.#state;
    const frame = shown.peek();
    return frame?.document === editor.document.peek() ? frame.url : undefined;
  }

  async #land(frame: Frame, lifted: Carried): Promise<void> {
    const isShown = await this.#show(frame);
    const { carried } = this.#state;
    // Another gesture may have begun while the image was decoded.
    if (isShown && carried.value === lifted) carried.value = undefined;
  }

  async #show(frame: Frame): Promise<boolean> {
    const { url } = frame;
    if (url === this.#shownUrl && this.#progress === 'none') return true;
    if (this.#progress === 'drawing') this.#drawing.abort();
    const from = this.#from;
    const isShown = await this.#stage.show(frame);
    if (!isShown) return false;
    this.#shownUrl = url;
    // Another gesture has started in the meantime, and needs its bitmaps.
    if (from !== this.#from) return true;
    this.#progress = 'none';
    this.release();
    return true;
  }

  release(): void {
    this.#images?.release();
    this.#images = undefined;
    this.#from = undefined;
  }
}

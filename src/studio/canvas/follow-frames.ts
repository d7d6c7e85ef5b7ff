/** Keeps the stage up to date: exact frames, and while a gesture moves layers, their bitmap over a picture without them. */
import { effect, untracked } from '@preact/signals';
import type { Template } from '#shared/template-schema.ts';
import { explainError } from '../state/explain-error.ts';
import { createFrames } from '../state/frames.ts';
import { findLayer } from '../state/layers.ts';
import type { CanvasState, Carried } from './canvas-state.ts';
import { textOf, textTarget, withShownBindings } from './editable-text.ts';
import type { CarriedPictures, Stage } from './stage.ts';
import { drawCarried } from './stage.ts';

/** Follows the editor's frames and the canvas's gestures until the function that it returns is called. */
export function followFrames(state: CanvasState, stage: Stage): () => void {
  const follower = new FrameFollower(state, stage);
  const ends = [
    effect(() => {
      const { value: carried } = state.carried;
      const isLifting = carried !== undefined && !carried.isDropped;
      untracked(() => isLifting && follower.lift(carried.from, carried.ids));
    }),
    effect(() => {
      const { value: carried } = state.carried;
      const { zoom } = state.view.value;
      if (carried !== undefined) stage.place(carried, zoom);
    }),
    effect(() => follower.follow()),
    followTyping(state),
  ];
  return () => {
    for (const end of ends) end();
    follower.release();
  };
}

/** While a text with bindings is edited, pictures that show them as they are written. */
function followTyping({ editor, editing, typing }: CanvasState): () => void {
  const { client } = editor.service;
  const frames = createFrames(client.previewReport.bind(client), explainError);
  let before = 0;
  const ends = [
    effect(() => {
      const id = editing.value?.id;
      const document = editor.document.value;
      const layer = id === undefined ? undefined : findLayer(document, id);
      if (id === undefined || layer?.type !== 'text') return;
      const isText = editing.value?.isText === true;
      const target = textTarget(document, layer, isText);
      if (target.kind !== 'text' || !textOf(layer).includes('{{')) return;
      untracked(() => frames.ask(withShownBindings(document, id), editor.values.value));
    }),
    effect(() => {
      const frame = frames.frame.value;
      const isOpen = editing.value !== undefined;
      // A picture of an earlier field is of no use to the next one.
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
  /** The document that the carried bitmap is drawn from, and what became of drawing it. */
  #from: Template | undefined;
  #progress: 'none' | 'drawing' | 'shown' | 'failed' = 'none';
  #pictures: CarriedPictures | undefined;
  #drawing = new AbortController();
  #shownUrl: string | undefined;

  constructor(state: CanvasState, stage: Stage) {
    this.#state = state;
    this.#stage = stage;
  }

  /** Draws layers by themselves and the picture without them, once a gesture. */
  lift(from: Template, ids: readonly string[]): void {
    if (from === this.#from) return;
    this.#from = from;
    this.#drawing.abort();
    this.#drawing = new AbortController();
    void this.#draw(from, ids, this.#drawing.signal);
  }

  async #draw(from: Template, ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { editor, carried, view } = this.#state;
    const { service, values } = editor;
    this.#progress = 'drawing';
    try {
      const pictures = await drawCarried(service.client, from, values.value, ids, signal);
      const isShown = !signal.aborted && (await this.#stage.carry(pictures));
      if (!isShown || signal.aborted) {
        pictures.release();
        return;
      }
      this.#pictures?.release();
      this.#pictures = pictures;
      this.#progress = 'shown';
      this.#shownUrl = undefined;
      if (carried.value !== undefined) this.#stage.place(carried.value, view.value.zoom);
    } catch {
      // The exact frames follow the gesture instead.
      if (!signal.aborted) this.#progress = 'failed';
    }
  }

  /** Shows the newest frame, unless something is carried that it does not have in its new place yet. */
  follow(): void {
    const { editor, carried, shown } = this.#state;
    const frame = shown.value;
    const document = editor.document.value;
    const lifted = carried.value;
    const hasFailed = editor.frameError.value !== undefined;
    if (frame === undefined) return;
    if (lifted === undefined || this.#progress === 'failed') {
      void this.#show(frame.url);
      return;
    }
    if (!lifted.isDropped || (frame.document !== document && !hasFailed)) return;
    void this.#land(frame.url, lifted);
  }

  async #land(url: string, lifted: Carried): Promise<void> {
    const isShown = await this.#show(url);
    const { carried } = this.#state;
    // Another gesture may have begun while the picture was decoded.
    if (isShown && carried.value === lifted) carried.value = undefined;
  }

  async #show(url: string): Promise<boolean> {
    if (url === this.#shownUrl) return true;
    if (this.#progress === 'drawing') this.#drawing.abort();
    const isShown = await this.#stage.show(url);
    if (!isShown) return false;
    this.#shownUrl = url;
    this.#progress = 'none';
    this.release();
    return true;
  }

  release(): void {
    this.#pictures?.release();
    this.#pictures = undefined;
    this.#from = undefined;
  }
}

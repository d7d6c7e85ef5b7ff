/** Exact renders of a document that is being edited: numbered requests, one on its way and the newest waiting. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PreviewReport, PreviewRequest } from '../../client/platen-client.ts';
import type { Template } from '#shared/template-schema.ts';

/** Values to preview with, by the names of variables. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** A render with what it shows. */
export interface Frame {
  /** Of its request; higher is newer. */
  number: number;
  /** `data:` URL of the picture. */
  url: string;
  report: PreviewReport;
  /** The very document and values that it was drawn from. */
  document: Template;
  values: Values;
}

/** What a source of frames gives. */
export interface Frames {
  readonly frame: ReadonlySignal<Frame | undefined>;
  /** Why the newest document was not drawn, one sentence a line; undefined when it was. The frame before stays. */
  readonly error: ReadonlySignal<string | undefined>;
  /** Number of the newest request: the frame is up to date when it has this number. */
  readonly asked: ReadonlySignal<number>;
  /** Asks for a frame; an older request that is still waiting is never sent. */
  ask(document: Template, values: Values): void;
  close(): void;
}

/** What draws: the client's `previewReport`. Rejects like it. */
export type DrawFrame = (
  request: PreviewRequest,
  options: { signal: AbortSignal },
) => Promise<PreviewReport>;

interface Order {
  number: number;
  document: Template;
  values: Values;
}

/** Creates a source of frames; `explain` makes a sentence of what `draw` rejected with. */
export function createFrames(draw: DrawFrame, explain: (error: unknown) => string): Frames {
  const frame = signal<Frame | undefined>(undefined);
  const error = signal<string | undefined>(undefined);
  const asked = signal(0);
  const closing = new AbortController();
  let waiting: Order | undefined;
  let isBusy = false;

  const show = async ({ number, document, values }: Order): Promise<void> => {
    try {
      const request = frameRequest(document, values);
      const { image = '', ...report } = await draw(request, { signal: closing.signal });
      if (closing.signal.aborted) return;
      frame.value = { number, url: image, report, document, values };
      error.value = undefined;
    } catch (reason) {
      if (closing.signal.aborted) return;
      // An older document's error is of no use to whoever has changed it since.
      if (number === asked.value) error.value = explain(reason);
    }
  };
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (waiting !== undefined && !closing.signal.aborted) {
      const order = waiting;
      waiting = undefined;
      await show(order);
    }
    isBusy = false;
  };
  return {
    frame,
    error,
    asked,
    ask(document, values) {
      asked.value += 1;
      waiting = { number: asked.value, document, values };
      void run();
    },
    close() {
      waiting = undefined;
      closing.abort();
    },
  };
}

/** Formats whose encoders take longer than an editor may wait; they are edited as PNG, which shows the same pixels before encoding. */
const slowFormats: ReadonlySet<string> = new Set(['webp', 'avif']);

/** The preview that draws a document with values; those that no variable of it has are left out. */
export function frameRequest(document: Template, values: Values): PreviewRequest {
  const names = new Set(document.variables.map(({ name }) => name));
  const known = Object.entries(values).filter(([name]) => names.has(name));
  const isSlow = slowFormats.has(document.output?.format ?? 'png');
  return {
    template: document,
    values: Object.fromEntries(known),
    inline: true,
    ...(isSlow ? { format: 'png' } : {}),
  };
}

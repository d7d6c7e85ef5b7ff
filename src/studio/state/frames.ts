/** Exact renders of a document that is being edited: numbered requests, one on its way and the newest waiting. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient, PreviewReport, PreviewRequest } from '../../client/platen-client.ts';
import { mostFrames } from '#language/animation/frames.ts';
import { defaultFormat, outputFormats } from '#language/formats.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Template } from '#language/schema/template.ts';
import { explainFailure, failureOf, statusOf } from '../wording.ts';
import type { Failure } from '../wording.ts';
import { loadImage } from './load-image.ts';
import { bindingProblems } from './typed-variables.ts';

/** Values to preview with, by the names of variables. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** A time, and that of the first open, from which an `evergreen` countdown runs; ms since the epoch. */
export interface PreviewTime {
  timeMs: number;
  firstOpenMs: number;
}

/** When a template that time changes is shown, and how large. */
export interface PreviewMoment {
  /** Undefined: that of the render. */
  time?: PreviewTime | undefined;
  /** The index of a frame of the animation; undefined: the image as designed. */
  frame?: number | undefined;
  /** Device pixels a design pixel, for what is shown smaller than it is; undefined: 1. */
  scale?: PreviewScale | undefined;
}

/** The moment that an editor shows. */
export function momentOf(editor: {
  previewTime: ReadonlySignal<PreviewTime | undefined>;
  previewFrame: ReadonlySignal<number | undefined>;
  previewScale: ReadonlySignal<PreviewScale | undefined>;
}): PreviewMoment {
  const { previewTime, previewFrame, previewScale } = editor;
  return { time: previewTime.value, frame: previewFrame.value, scale: previewScale.value };
}

export type PreviewScale = 0.125 | 0.25 | 0.5;

/** Pixels of an image that takes no longer than a key at its full size. */
const fullScalePixelsMax = 2_500_000;

/** The least scale at which an image is sharp on the screen; undefined: its full size. */
export function scaleShown(
  { width, height }: { width: number; height: number },
  devicePixels: number,
): PreviewScale | undefined {
  if (width * height <= fullScalePixelsMax) return undefined;
  return ([0.125, 0.25, 0.5] as const).find((scale) => scale >= devicePixels);
}

/** The scale of the first frame, before the canvas is laid out: nothing is shown larger than the window. */
export function scaleInWindow(document: {
  width: number;
  height: number;
}): PreviewScale | undefined {
  const { innerWidth, innerHeight, devicePixelRatio } = globalThis;
  const zoom = Math.min(innerWidth / document.width, innerHeight / document.height);
  return scaleShown(document, zoom * devicePixelRatio);
}

/** A render with what it shows. */
export interface Frame {
  /** Of its request; higher is newer. */
  number: number;
  /** `data:` URL of the image. */
  url: string;
  /** The same, loaded: what the page shows of the report and the image come in one frame of the screen. */
  element?: HTMLImageElement | undefined;
  report: PreviewReport;
  /** The very document and values that it was drawn from. */
  document: Template;
  values: Values;
}

/** What a source of frames gives. */
export interface Frames {
  readonly frame: ReadonlySignal<Frame | undefined>;
  /** Why the newest document was not rendered; undefined when it was. The frame before stays. */
  readonly error: ReadonlySignal<Failure | undefined>;
  /** Asks again now, where `error` is an outage and no refusal; after a pause it is asked again by itself. */
  readonly retry: ReadonlySignal<(() => void) | undefined>;
  /** Number of the newest request: the frame is up to date when it has this number. */
  readonly asked: ReadonlySignal<number>;
  /** Asks for a frame; an older request that is still waiting is never sent. */
  ask(document: Template, values: Values, moment?: PreviewMoment): void;
  close(): void;
}

/** What draws, and loads the image. Rejects like the client's `previewReport`. */
export type DrawFrame = (
  request: PreviewRequest,
  options: { signal: AbortSignal },
) => Promise<PreviewReport & Pick<Frame, 'element'>>;

/** Draws with the service. */
export function drawLoaded(client: PlatenClient): DrawFrame {
  return async (request, options) => {
    const report = await client.previewReport(request, options);
    const { image } = report;
    return image === undefined ? report : { ...report, element: await loadImage(image) };
  };
}

interface Order {
  number: number;
  document: Template;
  values: Values;
  moment: PreviewMoment;
}

/** Milliseconds without a change after which contrasts are measured: that takes as long as the image again. */
const contrastAfterMs = 400;

/** Milliseconds until a frame is asked for again after an outage, from one to the next twice as long up to the last. */
export const retryFirstMs = 1000;
export const retryLastMs = 30_000;

/** Creates a source of frames. The event `online` of `host`, the page's window, says that an outage may be over. */
export function createFrames(draw: DrawFrame, host: Pick<EventTarget, 'addEventListener'>): Frames {
  return new FrameSource(draw, host);
}

class FrameSource implements Frames {
  readonly frame = signal<Frame | undefined>(undefined);
  readonly error = signal<Failure | undefined>(undefined);
  readonly retry = signal<(() => void) | undefined>(undefined);
  readonly asked = signal(0);
  readonly #draw: DrawFrame;
  readonly #closing = new AbortController();
  #newest: Order | undefined;
  #waiting: Order | undefined;
  #isBusy = false;
  #retryMs = retryFirstMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the contrasts of the frame that is shown. */
  #contrastTimer: ReturnType<typeof setTimeout> | undefined;
  #measuring = new AbortController();

  constructor(draw: DrawFrame, host: Pick<EventTarget, 'addEventListener'>) {
    this.#draw = draw;
    const { signal: closed } = this.#closing;
    host.addEventListener('online', () => this.retry.value?.(), { signal: closed });
  }

  ask(document: Template, values: Values, moment: PreviewMoment = {}): void {
    this.asked.value += 1;
    this.#leaveContrast();
    const problems = bindingProblems(document);
    if (problems.length > 0) {
      this.#refuse(problems);
      return;
    }
    this.#newest = { number: this.asked.value, document, values, moment };
    this.#send();
  }

  close(): void {
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    this.#leaveContrast();
    this.#closing.abort();
  }

  #leaveContrast(): void {
    clearTimeout(this.#contrastTimer);
    this.#measuring.abort();
  }

  /** Adds contrasts to the report of the frame, unless something changes meanwhile. */
  async #measureContrast(request: PreviewRequest, number: number): Promise<void> {
    this.#measuring = new AbortController();
    try {
      const options = { signal: this.#measuring.signal };
      const report = await this.#draw({ ...request, contrast: true, inline: false }, options);
      const shown = this.frame.peek();
      if (shown?.number === number) this.frame.value = { ...shown, report };
    } catch {
      // The next change asks again.
    }
  }

  /** Sends the newest request, or has it wait. */
  #send(): void {
    clearTimeout(this.#timer);
    this.#waiting = this.#newest;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#waiting !== undefined && !this.#closing.signal.aborted) {
      const order = this.#waiting;
      this.#waiting = undefined;
      await this.#show(order);
    }
    this.#isBusy = false;
  }

  async #show({ number, document, values, moment }: Order): Promise<void> {
    const { signal: closed } = this.#closing;
    try {
      const request = { ...frameRequest(document, values, moment), contrast: false };
      const { image = '', element, ...report } = await this.#draw(request, { signal: closed });
      if (closed.aborted) return;
      this.frame.value = { number, url: image, element, report, document, values };
      if (number === this.asked.value) {
        const measure = (): void => void this.#measureContrast(request, number);
        this.#contrastTimer = setTimeout(measure, contrastAfterMs);
      }
      this.error.value = undefined;
      this.retry.value = undefined;
      this.#retryMs = retryFirstMs;
    } catch (reason) {
      if (closed.aborted) return;
      // The error of an older document is of no use after a change.
      if (number === this.asked.value) this.#fail(reason);
    }
  }

  /** Sends nothing of a document whose bindings are not written to their end: the service would refuse it. */
  #refuse(problems: readonly TemplateProblem[]): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    this.retry.value = undefined;
    this.error.value = failureOf(problems);
  }

  #fail(reason: unknown): void {
    const status = statusOf(reason);
    const isOutage = status === 0 || status >= 500;
    const sendAgain = (): void => {
      if (!this.#isBusy) this.#send();
    };
    this.error.value = explainFailure(reason);
    this.retry.value = isOutage ? sendAgain : undefined;
    if (!isOutage) return;
    this.#timer = setTimeout(sendAgain, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, retryLastMs);
  }
}

/** The preview that draws a document with values, perhaps at another time or in another frame; those that no variable of it has are left out. */
export function frameRequest(
  document: Template,
  values: Values,
  { time, frame, scale }: PreviewMoment = {},
): PreviewRequest {
  const frames = mostFrames(document);
  const names = new Set(document.variables.map(({ name }) => name));
  const known = Object.entries(values).filter(([name]) => names.has(name));
  const { isSlow } = outputFormats[document.output?.format ?? defaultFormat];
  return {
    template: document,
    values: Object.fromEntries(known),
    inline: true,
    // The layer has a warning of what a link would answer; everything else can still be edited.
    onImageError: 'default',
    ...(isSlow ? { format: defaultFormat } : {}),
    ...(scale === undefined ? {} : { scale }),
    ...(time === undefined
      ? {}
      : {
          now: new Date(time.timeMs).toISOString(),
          firstOpen: new Date(time.firstOpenMs).toISOString(),
        }),
    // The document may have fewer frames than when one was chosen.
    ...(frame === undefined || frames < 2 ? {} : { frame: Math.min(frame, frames - 1) }),
  };
}

/** Exact renders of a document that is being edited: numbered requests, of which one runs and the newest waits. */
import { sentValue } from '#language/values/decimal-signs.ts';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient, PreviewReport, PreviewRequest } from '../../client/platen-client.ts';
import { mostFrames } from '#language/animation/frames.ts';
import { defaultFormat, outputFormats } from '#language/formats.ts';
import type { Template } from '#language/schema/template.ts';
import { explainFailure, statusOf } from '../wording.ts';
import type { Failure } from '../wording.ts';
import { loadImage } from './load-image.ts';

/** Sample values by variable name. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** The time of a preview, and of the first open, which starts an evergreen countdown; ms since the epoch. */
export interface PreviewTime {
  timeMs: number;
  firstOpenMs: number;
}

/** The time, the frame and the scale of a preview. */
export interface PreviewMoment {
  /** Undefined for the time of the render. */
  time?: PreviewTime | undefined;
  /** The index of a frame of the animation; undefined for the image as designed. */
  frame?: number | undefined;
  /** Device pixels per design pixel, for an image that is shown reduced; undefined for 1. */
  scale?: PreviewScale | undefined;
}

/** Returns the moment that an editor shows. */
export function momentOf(editor: {
  previewTime: ReadonlySignal<PreviewTime | undefined>;
  previewFrame: ReadonlySignal<number | undefined>;
  previewScale: ReadonlySignal<PreviewScale | undefined>;
}): PreviewMoment {
  const { previewTime, previewFrame, previewScale } = editor;
  return { time: previewTime.value, frame: previewFrame.value, scale: previewScale.value };
}

export type PreviewScale = 0.125 | 0.25 | 0.5;

/** Largest image, in pixels, whose render at full size is fast enough for typing. */
const fullScalePixelsMax = 2_500_000;

/** Returns the least scale at which an image is sharp at `devicePixels` per design pixel; undefined for full size. */
export function scaleShown(
  { width, height }: { width: number; height: number },
  devicePixels: number,
): PreviewScale | undefined {
  if (width * height <= fullScalePixelsMax) return undefined;
  return ([0.125, 0.25, 0.5] as const).find((scale) => scale >= devicePixels);
}

/** Returns the scale of the first frame, before the canvas is laid out: the image is no larger than the window. */
export function scaleInWindow(document: {
  width: number;
  height: number;
}): PreviewScale | undefined {
  const { innerWidth, innerHeight, devicePixelRatio } = globalThis;
  const zoom = Math.min(innerWidth / document.width, innerHeight / document.height);
  return scaleShown(document, zoom * devicePixelRatio);
}

/** A render, with the document and the values that it shows. */
export interface Frame {
  /** Number of the request; higher is newer. */
  number: number;
  /** `data:` URL of the image. */
  url: string;
  /** The loaded image, so that the report and the image appear in the same frame of the screen. */
  element?: HTMLImageElement | undefined;
  report: PreviewReport;
  /** Whether the contrasts of the report, which are measured after the image, are there. */
  contrasts: 'awaited' | 'measured' | 'failed';
  /** The document of the render, by identity. */
  document: Template;
  /** The valid copy of the document, which the image shows. */
  drawn: Template;
  values: Values;
}

/** A source of frames. */
export interface Frames {
  readonly frame: ReadonlySignal<Frame | undefined>;
  /** The failure of the newest document; undefined if it was rendered. The previous frame stays. */
  readonly error: ReadonlySignal<Failure | undefined>;
  /** Requests again at once; undefined unless `error` is an outage. The source also retries after a pause. */
  readonly retry: ReadonlySignal<(() => void) | undefined>;
  /** Number of the newest request: the frame is up to date if it has this number. */
  readonly asked: ReadonlySignal<number>;
  /**
   * Requests a frame. An older request that still waits is never sent. `validCopy` gives the copy of the document that
   * is rendered; it never rejects.
   */
  ask(
    document: Template,
    values: Values,
    moment?: PreviewMoment,
    validCopy?: () => Template | Promise<Template>,
  ): void;
  close(): void;
}

/** Renders, and loads the image. Rejects like the client's `previewReport`. */
export type DrawFrame = (
  request: PreviewRequest,
  options: { signal: AbortSignal },
) => Promise<PreviewReport & Pick<Frame, 'element'>>;

/** Returns a `DrawFrame` that renders with the service. */
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
  validCopy: (() => Template | Promise<Template>) | undefined;
}

/** Time without a change before contrasts are measured, in ms. Measuring takes as long as the image again. */
const contrastAfterMs = 400;

/** First and longest delay before a retry after an outage, in ms. The delay doubles for each retry. */
export const retryFirstMs = 1000;
export const retryLastMs = 30_000;

/** Creates a source of frames. The event `online` of `host`, the page's window, starts a retry after an outage. */
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
  /** Number of the newest request when the document of the frame was asked for again, mostly by an undo. */
  #undone = 0;
  #waiting: Order | undefined;
  #isBusy = false;
  #retryMs = retryFirstMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Timer that starts the measurement of contrasts for the current frame. */
  #contrastTimer: ReturnType<typeof setTimeout> | undefined;
  #measuring = new AbortController();

  constructor(draw: DrawFrame, host: Pick<EventTarget, 'addEventListener'>) {
    this.#draw = draw;
    const { signal: closed } = this.#closing;
    host.addEventListener('online', () => this.retry.value?.(), { signal: closed });
  }

  ask(
    document: Template,
    values: Values,
    moment: PreviewMoment = {},
    validCopy?: Order['validCopy'],
  ): void {
    if (document === this.frame.peek()?.document) this.#undone = this.asked.peek();
    this.asked.value += 1;
    // A person who goes on after an outage does not wait for the longest delay.
    this.#retryMs = retryFirstMs;
    this.#leaveContrast();
    this.#newest = { number: this.asked.value, document, values, moment, validCopy };
    this.#send();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leaveContrast();
    this.#closing.abort();
  }

  #leaveContrast(): void {
    clearTimeout(this.#contrastTimer);
    this.#measuring.abort();
  }

  /** Adds contrasts to the report of the frame, unless a newer frame replaces it. */
  async #measureContrast(request: PreviewRequest, number: number): Promise<void> {
    this.#measuring = new AbortController();
    try {
      const options = { signal: this.#measuring.signal };
      const report = await this.#draw({ ...request, contrast: true, inline: false }, options);
      this.#noteContrasts(number, { report, contrasts: 'measured' });
    } catch {
      // The next change measures again.
      if (number === this.asked.peek()) this.#noteContrasts(number, { contrasts: 'failed' });
    }
  }

  #noteContrasts(number: number, noted: Pick<Frame, 'contrasts'> & Partial<Frame>): void {
    const shown = this.frame.peek();
    if (shown?.number === number) this.frame.value = { ...shown, ...noted };
  }

  /** Sends the newest request, or lets it wait while another runs. */
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

  async #show({ number, document, values, moment, validCopy }: Order): Promise<void> {
    const { signal: closed } = this.#closing;
    const copy = validCopy?.() ?? document;
    const drawn = copy instanceof Promise ? await copy : copy;
    try {
      const request = { ...frameRequest(drawn, values, moment), contrast: false };
      const { image = '', element, ...report } = await this.#draw(request, { signal: closed });
      // An undo came before this frame, and the image of what it restored is still there.
      const isUndone = number <= this.#undone && document !== this.frame.peek()?.document;
      if (closed.aborted || isUndone) return;
      const shown = { number, url: image, element, report, contrasts: 'awaited' as const };
      this.frame.value = { ...shown, document, drawn, values };
      if (number === this.asked.value) {
        const measure = (): void => void this.#measureContrast(request, number);
        this.#contrastTimer = setTimeout(measure, contrastAfterMs);
      }
      this.error.value = undefined;
      this.retry.value = undefined;
      this.#retryMs = retryFirstMs;
    } catch (reason) {
      if (closed.aborted) return;
      // The error of an older document does not matter after a change.
      if (number === this.asked.value) this.#fail(reason);
    }
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

/** Returns the preview request of a document at a moment. Leaves out values without a variable. */
export function frameRequest(
  document: Template,
  values: Values,
  { time, frame, scale }: PreviewMoment = {},
): PreviewRequest {
  const known = document.variables
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, type }) => [name, sentValue(type, values[name], document.lang)]);
  const { isSlow } = outputFormats[document.output?.format ?? defaultFormat];
  return {
    template: document,
    values: Object.fromEntries(known),
    inline: true,
    // The report warns of the failed image; everything else can still be edited.
    onImageError: 'default',
    ...(isSlow ? { format: defaultFormat } : {}),
    ...(scale === undefined ? {} : { scale }),
    ...(time === undefined
      ? {}
      : {
          now: new Date(time.timeMs).toISOString(),
          firstOpen: new Date(time.firstOpenMs).toISOString(),
        }),
    ...(frame === undefined ? {} : frameOf(document, frame)),
  };
}

/** The frame of an animation, or its last: the document may have fewer than when one was chosen. */
function frameOf(document: Template, frame: number): Pick<PreviewRequest, 'frame'> {
  const frames = mostFrames(document);
  return frames < 2 ? {} : { frame: Math.min(frame, frames - 1) };
}

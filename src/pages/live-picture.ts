/** Draws what is typed: waits for a pause, drops answers that are no longer wanted, and keeps the old picture until the new one is there. */

/** Milliseconds without a key before a picture is asked for. */
const pauseMs = 120;

/** How a picture came out; `message` is the service's sentence, or undefined for a success. */
export interface PictureReport {
  message: string | undefined;
  type: string;
  bytes: number;
  ms: number;
}

/** The picture element with the request behind it. */
export class LivePicture {
  readonly #image: HTMLImageElement;
  readonly #onReport: (report: PictureReport) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #shownUrl = '';

  constructor(image: HTMLImageElement, onReport: (report: PictureReport) => void) {
    this.#image = image;
    this.#onReport = onReport;
  }

  /** Shows the picture at `path` after a pause; a later call replaces this one. */
  show(path: string, width: number, height: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(path, width, height), pauseMs);
  }

  async #load(path: string, width: number, height: number): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const started = performance.now();
    try {
      const response = await fetch(path, { signal: running.signal });
      if (!response.ok) {
        const message = await errorMessage(response);
        if (!running.signal.aborted) this.#report(message);
        return;
      }
      const blob = await response.blob();
      const ms = performance.now() - started;
      const url = URL.createObjectURL(blob);
      await decode(url);
      if (running.signal.aborted) return URL.revokeObjectURL(url);
      this.#swap(url, width, height);
      this.#onReport({ message: undefined, type: blob.type, bytes: blob.size, ms });
    } catch {
      if (!running.signal.aborted) this.#report('The service did not answer.');
    }
  }

  #swap(url: string, width: number, height: number): void {
    this.#image.width = width;
    this.#image.height = height;
    this.#image.src = url;
    if (this.#shownUrl !== '') URL.revokeObjectURL(this.#shownUrl);
    this.#shownUrl = url;
  }

  #report(message: string): void {
    this.#onReport({ message, type: '', bytes: 0, ms: 0 });
  }
}

/** Resolves when the picture could be painted at once, so that nothing flickers. */
async function decode(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
}

async function errorMessage(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error?: { message?: string } };
    return body.error?.message ?? `The service answered ${response.status}.`;
  } catch {
    return `The service answered ${response.status}.`;
  }
}

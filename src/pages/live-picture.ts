/** Draws what is typed: waits for a pause, drops answers that are no longer wanted, and keeps the old picture until the new one is there. */

/** Milliseconds without a key before a picture is asked for. */
const pauseMs = 120;

/** How a picture came out; `message` says what is wrong, of the image that is shown or that there is none. */
export interface PictureReport {
  message: string | undefined;
  /** Whether the picture is what readers see with these values; else the one before stays. */
  isShown: boolean;
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
      // As a reader: what fails is an image in place of the error.
      const headers = { Accept: 'image/*' };
      const response = await fetch(path, { signal: running.signal, headers });
      if (!response.ok) {
        const message = await errorMessage(response);
        if (!running.signal.aborted) this.#report(message);
        return;
      }
      const blob = await response.blob();
      const ms = performance.now() - started;
      const message = await problemOf(response, path, running.signal);
      const url = URL.createObjectURL(blob);
      await decode(url);
      if (running.signal.aborted) return URL.revokeObjectURL(url);
      this.#swap(url, width, height);
      this.#onReport({ message, isShown: true, type: blob.type, bytes: blob.size, ms });
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
    this.#onReport({ message, isShown: false, type: '', bytes: 0, ms: 0 });
  }
}

/** Resolves when the picture could be painted at once, so that nothing flickers. */
async function decode(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
}

/** What is wrong with an image that came: the error that it stands for, in the service's words, or its warnings. */
async function problemOf(
  response: Response,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (response.headers.has('X-Render-Error')) {
    // As a program: the error itself.
    const asked = await fetch(path, { signal, headers: { Accept: 'application/json' } });
    if (!asked.ok) return errorMessage(asked);
  }
  const warnings = response.headers.get('X-Render-Warnings') ?? '';
  return warnings === '' ? undefined : warnings.split(', ').map(warningText).join(' ');
}

/** What each warning says of its layer. */
const warningTexts: Readonly<Record<string, string>> = {
  TEXT_OVERFLOWS: 'The text is larger than its box',
  TEXT_TRUNCATED: 'The text does not fit and is cut',
  GLYPH_MISSING: 'No font has all of the characters',
  FONT_MISSING: 'The font is missing',
  IMAGE_FAILED: 'The image could not be loaded, and the default is shown',
  CODE_FAILED: 'The code cannot be drawn',
};

/** `IMAGE_FAILED;layer="photo"` as a sentence. */
function warningText(warning: string): string {
  const [code = '', layer] = warning.split(';layer=');
  const sentence = warningTexts[code] ?? `There is a warning, ${code}`;
  return layer === undefined ? `${sentence}.` : `${sentence}: layer ${layer}.`;
}

async function errorMessage(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error?: { message?: string } };
    return body.error?.message ?? `The service answered ${response.status}.`;
  } catch {
    return `The service answered ${response.status}.`;
  }
}

/** The first page: a template, its values, its image, its link, and the snippets. */
import { enableCopyButtons, readFields, showFields } from './controls.ts';
import { emailServices } from './email-services.ts';
import { isPublicAddress, linkBase } from './public-address.ts';
import {
  curlSnippet,
  describeImage,
  emailWidthPx,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from './snippets.ts';
import type { SnippetTemplate } from './snippets.ts';
import type { PageVariable } from './controls.ts';

/** A template in the page's data. */
interface Sample extends SnippetTemplate {
  uid: string;
  /** The newest published version. */
  newest: number;
  variables: PageVariable[];
}

interface PageData {
  /** The service's configured address, without a trailing slash; empty if none is configured. */
  configuredBase: string;
  samples: Sample[];
}

// Shows the image of the typed values. Requests wait for a pause in typing, and late answers are dropped. The last
// image stays until the next one is decoded.

/** Pause in typing before an image is requested, in ms. */
const pauseMs = 120;

/** The result of a request for an image. `message` is the problem of the image, or the reason why there is none. */
interface ImageReport {
  message: string | undefined;
  /** Whether readers see an image for these values. Otherwise the last image stays. */
  isShown: boolean;
  type: string;
  bytes: number;
  ms: number;
}

/** The image element and its current request. */
class LiveImage {
  readonly #image: HTMLImageElement;
  readonly #onReport: (report: ImageReport) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #shownUrl = '';

  constructor(image: HTMLImageElement, onReport: (report: ImageReport) => void) {
    this.#image = image;
    this.#onReport = onReport;
  }

  /** Shows the image at `path` after a pause. A later call replaces this one. */
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
      // Requests as a reader: an error is answered with an image.
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

/** Resolves when the image is decoded, to prevent flicker. */
async function decode(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
}

/** The problem of a received image: the message of the error that it replaces, or its warnings. Undefined for none. */
async function problemOf(
  response: Response,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (response.headers.has('X-Render-Error')) {
    // Requests as a program: the answer is the error.
    const asked = await fetch(path, { signal, headers: { Accept: 'application/json' } });
    if (!asked.ok) return errorMessage(asked);
  }
  const warnings = response.headers.get('X-Render-Warnings') ?? '';
  return warnings === '' ? undefined : warnings.split(', ').map(warningText).join(' ');
}

/** The sentence for each warning code. */
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

// The page.

const { configuredBase, samples } = JSON.parse(byId('samples').textContent) as PageData;
const base = linkBase(configuredBase, new URL('.', document.baseURI).href);
const fields = byId('fields');
const emailService = byId('tool') as HTMLSelectElement;
const link = byId('link') as HTMLAnchorElement;
const typedNote = byId('tool-note').textContent.trim();
const displayWidth = byId('display-width') as HTMLInputElement;
const clickTarget = byId('click-target') as HTMLInputElement;
const pin = byId('pin') as HTMLInputElement;
const image = new LiveImage(byId('image') as HTMLImageElement, (report) => {
  const { message, isShown, type, bytes, ms } = report;
  if (message !== undefined) {
    return say(isShown ? `${message} This is what readers see.` : message, 'error');
  }
  const kilobytes = Math.max(1, Math.round(bytes / 1024));
  const size = `${current.width} × ${current.height}`;
  const kind = type.replace('image/', '').toUpperCase();
  say(`${size} · ${kind} · ${kilobytes} KB · ${Math.max(1, Math.round(ms))} ms`, 'ok');
});
let current: Sample = samples[0] ?? {
  uid: '',
  name: '',
  file: '',
  width: 1,
  height: 1,
  texts: [],
  scaleMax: 1,
  newest: 1,
  variables: [],
};

enableCopyButtons();
if (samples.length > 0) start();

function start(): void {
  byId('local').hidden = isPublicAddress(base);
  emailService.append(new Option('None: the values as typed', ''));
  for (const { id, name } of emailServices) emailService.append(new Option(name, id));
  byId('picker').append(...samples.map(choice));
  showFields(fields, current.variables);
  showSnippets();
  emailService.addEventListener('change', showSnippets);
  for (const input of [displayWidth, clickTarget, pin]) {
    input.addEventListener('input', showSnippets);
  }
  byId('form').addEventListener('submit', (event) => event.preventDefault());
  fields.addEventListener('input', () => {
    draw();
    showSnippets();
  });
  byId('picker').addEventListener('change', (event) => {
    const uid = (event.target as HTMLInputElement).value;
    current = samples.find((sample) => sample.uid === uid) ?? current;
    showFields(fields, current.variables);
    draw();
    showSnippets();
  });
}

function draw(): void {
  image.show(renderPath(current, readFields(fields)), current.width, current.height);
}

function showSnippets(): void {
  const values = readFields(fields);
  const { newest } = current;
  byId('pin-text').textContent = `Keep version ${newest}`;
  const shown = { ...current, version: pin.checked ? newest : undefined };
  const typedUrl = `${base}/${renderPath(shown, values)}`;
  const chosen = emailServices.find(({ id }) => id === emailService.value);
  const url =
    chosen === undefined ? typedUrl : `${base}/${taggedPath(shown, values, chosen, fallbacks())}`;
  link.textContent = url;
  // Only an email service replaces tags, so the link on the page has the typed values.
  link.href = typedUrl;
  const description = describeImage(current, values, chosen, fallbacks());
  const widthPx = displayWidth.validity.valid ? displayWidth.valueAsNumber : emailWidthPx;
  byId('html').textContent = htmlSnippet(current, url, description, {
    widthPx: widthPx || emailWidthPx,
    target: clickTarget.value.trim(),
  });
  byId('markdown').textContent = markdownSnippet(url, description);
  // No tags: a shell has no contacts.
  byId('curl').textContent = curlSnippet(current, typedUrl);
  byId('tool-note').textContent = chosen === undefined ? typedNote : toolNote(chosen);
}

function toolNote({ name, encoder, hasFallback, note }: (typeof emailServices)[number]): string {
  const encoding = encoder === undefined ? '' : `${encoder} makes any value safe in a link. `;
  const fallback = hasFallback
    ? 'A contact without a value gets the fallback in the tag. '
    : 'A contact without a value gets the template’s default. ';
  const missing = readFields(fields).some(({ isPersonal }) => isPersonal)
    ? ''
    : `Tick “from contact” at a value that ${name} shall fill in. `;
  return `${missing}${encoding}${fallback}${note}`;
}

/** Fallbacks of merge tags: the defaults of the variables. */
function fallbacks(): Record<string, string> {
  return Object.fromEntries(current.variables.map(({ name, value }) => [name, value]));
}

function choice(sample: Sample): HTMLElement {
  const label = document.createElement('label');
  const radio = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'template',
    value: sample.uid,
    checked: sample === current,
    className: 'quiet',
  });
  const thumbnail = Object.assign(document.createElement('img'), {
    alt: '',
    loading: 'lazy',
    src: `v1/render/${sample.uid}.webp?_quality=40`,
  });
  label.append(radio, thumbnail, sample.name);
  return label;
}

function say(text: string, state: 'ok' | 'error'): void {
  byId('caption').textContent = text;
  byId('caption').dataset['state'] = state;
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

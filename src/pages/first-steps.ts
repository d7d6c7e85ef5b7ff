/** The first page: template, values, image, link and snippets, each made from the one before. */
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

/** A template as the page's data has it. */
interface Sample extends SnippetTemplate {
  uid: string;
  /** The newest version that is published. */
  newest: number;
  variables: PageVariable[];
}

interface PageData {
  /** The service's configured address, without a slash at the end; empty without one. */
  configuredBase: string;
  samples: Sample[];
}

// The live image of the typed values: it waits for a pause, drops late answers, and keeps the last image until the next one.

/** Milliseconds without a key before an image is requested. */
const pauseMs = 120;

/** The result of a request for an image; `message` says what is wrong with it, or why there is none. */
interface ImageReport {
  message: string | undefined;
  /** Whether readers see this image with these values; otherwise the one before stays. */
  isShown: boolean;
  type: string;
  bytes: number;
  ms: number;
}

/** The image element with its request. */
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

/** Resolves when the image is decoded, so that nothing flickers. */
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
  say(`${size} · ${type} · ${kilobytes} KB · in ${Math.max(1, Math.round(ms))} ms from here`, 'ok');
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
  // Tags are for an email service: the link opens the image with the typed values.
  link.href = typedUrl;
  const description = describeImage(current, values, chosen, fallbacks());
  const widthPx = displayWidth.validity.valid ? displayWidth.valueAsNumber : emailWidthPx;
  byId('html').textContent = htmlSnippet(current, url, description, {
    widthPx: widthPx || emailWidthPx,
    target: clickTarget.value.trim(),
  });
  byId('markdown').textContent = markdownSnippet(url, description);
  // A shell has no contacts.
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

/** The variable's default is the best fallback there is. */
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

/** The first page: template, values, picture, link and snippets follow each other. */
import { enableCopyButtons } from './copy-button.ts';
import { LivePicture } from './live-picture.ts';
import { mailTools } from './mail-tools.ts';
import { isPublicAddress, linkBase } from './public-address.ts';
import type { SnippetTemplate } from './snippets.ts';
import {
  curlSnippet,
  describeImage,
  emailWidthPx,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  taggedPath,
} from './snippets.ts';
import type { PageVariable } from './value-fields.ts';
import { readFields, showFields } from './value-fields.ts';

/** A template as the page's data has it. */
interface Sample extends SnippetTemplate {
  uid: string;
  variables: PageVariable[];
}

interface PageData {
  /** The service's configured address, without a slash at the end; empty without one. */
  configuredBase: string;
  samples: Sample[];
}

const { configuredBase, samples } = JSON.parse(byId('samples').textContent) as PageData;
const base = linkBase(configuredBase, new URL('.', document.baseURI).href);
const fields = byId('fields');
const tool = byId('tool') as HTMLSelectElement;
const link = byId('link') as HTMLAnchorElement;
const typedNote = byId('tool-note').textContent.trim();
const displayWidth = byId('display-width') as HTMLInputElement;
const picture = new LivePicture(byId('picture') as HTMLImageElement, (report) => {
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
  variables: [],
};

enableCopyButtons();
if (samples.length > 0) start();

function start(): void {
  byId('local').hidden = isPublicAddress(base);
  tool.append(new Option('None: the values as typed', ''));
  for (const { id, name } of mailTools) tool.append(new Option(name, id));
  byId('picker').append(...samples.map(choice));
  showFields(fields, current.variables);
  showSnippets();
  tool.addEventListener('change', showSnippets);
  displayWidth.addEventListener('input', showSnippets);
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
  picture.show(renderPath(current, readFields(fields)), current.width, current.height);
}

function showSnippets(): void {
  const values = readFields(fields);
  const typedUrl = `${base}/${renderPath(current, values)}`;
  const chosen = mailTools.find(({ id }) => id === tool.value);
  const url =
    chosen === undefined ? typedUrl : `${base}/${taggedPath(current, values, chosen, fallbacks())}`;
  link.textContent = url;
  // Tags are for a mailing tool: what opens is the picture with the typed values.
  link.href = typedUrl;
  const description = describeImage(current, values, chosen, fallbacks());
  const widthPx = displayWidth.validity.valid ? displayWidth.valueAsNumber : emailWidthPx;
  byId('html').textContent = htmlSnippet(current, url, description, widthPx || emailWidthPx);
  byId('markdown').textContent = markdownSnippet(url, description);
  // A shell has no contacts.
  byId('curl').textContent = curlSnippet(current, typedUrl);
  byId('tool-note').textContent = chosen === undefined ? typedNote : toolNote(chosen);
}

function toolNote({ name, encoder, hasFallback, note }: (typeof mailTools)[number]): string {
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

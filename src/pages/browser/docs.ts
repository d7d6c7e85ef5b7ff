/** The reference page: adds "Try it" forms from the OpenAPI description that the page was generated from. */
import { enableCopyButtons } from './controls.ts';

/** The parts of an operation's description that a form needs. */
interface DescribedOperation {
  operationId: string;
  security: unknown[];
  parameters?: Array<{
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    description: string;
    example?: string | Record<string, string>;
  }>;
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** A method and path with its description. */
interface Target {
  method: string;
  path: string;
  operation: DescribedOperation;
}

enableCopyButtons();
void start();

async function start(): Promise<void> {
  const answer = await fetch('openapi.json');
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, DescribedOperation>>;
  };
  const keyForm = document.querySelector<HTMLFormElement>('#key-form');
  if (keyForm !== null) keyForm.hidden = false;
  keyForm?.addEventListener('submit', (event) => event.preventDefault());
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const article = document.getElementById(operation.operationId);
      article?.querySelector('.code')?.append(tryButton({ method, path, operation }));
    }
  }
}

function tryButton(target: Target): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Try it';
  button.addEventListener('click', () => {
    const form = tryForm(target);
    button.replaceWith(form);
    form.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  });
  return button;
}

function tryForm(target: Target): HTMLFormElement {
  const { parameters = [], requestBody } = target.operation;
  const form = document.createElement('form');
  form.className = 'try';
  for (const parameter of parameters) {
    if (parameter.name === 'X-API-Key') continue;
    const { example } = parameter;
    const isMap = typeof example === 'object';
    const lines = isMap ? Object.entries(example).map((pair) => pair.join('=')) : [example ?? ''];
    const control = document.createElement(isMap ? 'textarea' : 'input');
    control.name = `${parameter.in} ${isMap ? '*' : parameter.name}`;
    control.value = lines.join('\n');
    control.required = parameter.required === true;
    const hint = isMap ? 'one name=value a line' : parameter.in;
    form.append(labelled(`${parameter.name} (${hint})`, control));
  }
  const types = Object.entries(requestBody?.content ?? {});
  if (types.length > 0) form.append(...bodyControls(types));
  const send = document.createElement('button');
  send.className = 'primary';
  send.textContent = `Send ${target.method.toUpperCase()}`;
  const output = document.createElement('output');
  form.append(send, output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(target, form, output);
  });
  return form;
}

function bodyControls(types: Array<[type: string, media: { example?: unknown }]>): HTMLElement[] {
  const controls: HTMLElement[] = [];
  const json = types.find(([type]) => type === 'application/json');
  if (json !== undefined) {
    const area = document.createElement('textarea');
    area.name = 'json';
    area.spellcheck = false;
    area.value = JSON.stringify(json[1].example ?? {}, null, 2);
    controls.push(labelled('Body (JSON)', area));
  }
  if (types.some(([type]) => type !== 'application/json')) {
    const file = document.createElement('input');
    file.type = 'file';
    file.name = 'file';
    controls.push(labelled('Body (a file; wins over JSON)', file));
  }
  return controls;
}

async function submit(target: Target, form: HTMLFormElement, output: HTMLElement): Promise<void> {
  const data = new FormData(form);
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let path = target.path.slice(1);
  for (const [field, value] of data) {
    const [location, name = ''] = field.split(' ');
    if (typeof value !== 'string' || value === '') continue;
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (location === 'header') headers[name] = value;
    else if (location === 'query' && name === '*') addLines(query, value);
    else if (location === 'query') query.set(name, value);
  }
  const key = document.querySelector<HTMLInputElement>('#key')?.value ?? '';
  if (key !== '' && target.operation.security.length > 0) headers['X-API-Key'] = key;
  const search = query.size > 0 ? `?${query}` : '';
  const init: RequestInit = { method: target.method.toUpperCase(), headers };
  const body = bodyOf(data);
  if (body !== undefined && init.method !== 'GET') {
    init.body = body;
    if (typeof body === 'string') headers['Content-Type'] = 'application/json';
  }
  await showAnswer(output, path + search, init);
}

function bodyOf(data: FormData): File | string | undefined {
  const file = data.get('file');
  if (file instanceof File && file.size > 0) return file;
  const json = data.get('json');
  return typeof json === 'string' ? json : undefined;
}

function addLines(query: URLSearchParams, text: string): void {
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split('=');
    if (name.trim() !== '') query.set(name.trim(), value.join('='));
  }
}

function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label');
  label.append(text, control);
  return label;
}

// Shows the response to a request: status, time, headers, and the image or the text.

/** Maximum characters of a shown text. */
const shownMax = 100_000;

/** Sends a request and shows its response in `output`. Never rejects. */
async function showAnswer(output: HTMLElement, target: string, init: RequestInit): Promise<void> {
  const started = performance.now();
  try {
    const response = await fetch(target, init);
    const blob = await response.blob();
    const ms = Math.max(1, Math.round(performance.now() - started));
    const line = document.createElement('strong');
    line.textContent = `${response.status} ${response.statusText} · ${ms} ms · ${blob.size} bytes`;
    output.replaceChildren(line, headerList(response.headers), await content(response, blob));
  } catch (error) {
    output.textContent = `There was no answer: ${String(error)}`;
  }
}

async function content(response: Response, blob: Blob): Promise<HTMLElement> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('image/')) {
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    image.alt = 'The image that came back';
    return image;
  }
  const block = document.createElement('pre');
  block.tabIndex = 0;
  const text = await blob.text();
  block.textContent = (type.includes('json') ? pretty(text) : text).slice(0, shownMax);
  return block;
}

function headerList(headers: Headers): HTMLElement {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Headers';
  const block = document.createElement('pre');
  block.textContent = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  details.append(summary, block);
  return details;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

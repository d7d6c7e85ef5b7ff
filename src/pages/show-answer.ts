/** Sends a request and shows what came back: status, time, headers, and the picture or the text. */

/** Characters of a text that are shown. */
const shownMax = 100_000;

/** Replaces what `output` shows; never rejects. */
export async function showAnswer(
  output: HTMLElement,
  target: string,
  init: RequestInit,
): Promise<void> {
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
    image.alt = 'The picture that came back';
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

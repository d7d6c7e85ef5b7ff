/** Draws `welcome-banner` with headless Chromium: warm pages over its debugging protocol, the text replaced and a screenshot taken. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Peer, StyledBox } from './banner.ts';
import { banner, bannerBoxes, fonts, markSvg, imagePath, nameSizeOf } from './banner.ts';

/** Pages that are kept open: the concurrency of the measurement. */
const pagesMax = 4;

type Send = (
  method: string,
  parameters?: object,
  sessionId?: string,
) => Promise<Record<string, unknown>>;

/** A response of the browser; events have no number and are not awaited. */
interface Message {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

export async function createChromium(): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-chromium-'));
  const page = join(folder, 'banner.html');
  writeFileSync(page, bannerPage());
  const browser = spawn(
    'chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      // A page behind another one must draw all the same.
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--allow-file-access-from-files',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}/profile`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  browser.once('exit', onEarlyExit);
  const send = connect(browser);
  const free: string[] = [];
  for (let index = 0; index < pagesMax; index += 1)
    free.push(await openPage(send, pathToFileURL(page).href));
  const waiting: ((session: string) => void)[] = [];
  const borrow = async (): Promise<string> => {
    const session = free.pop();
    return session ?? new Promise((resolve) => waiting.push(resolve));
  };
  return {
    async draw({ name }, format) {
      const session = await borrow();
      const expression = `{ const line = document.querySelector('[data-name]');
        line.textContent = ${JSON.stringify(name)}; line.style.fontSize = '${nameSizeOf(name)}px'; }`;
      await send('Runtime.evaluate', { expression }, session);
      // Without its fast setting a PNG takes seconds.
      const settings = format === 'jpeg' ? { quality: banner.quality } : { optimizeForSpeed: true };
      const { data } = await send('Page.captureScreenshot', { format, ...settings }, session);
      const next = waiting.shift();
      if (next === undefined) free.push(session);
      else next(session);
      return Buffer.from(String(data), 'base64');
    },
    async close() {
      browser.off('exit', onEarlyExit);
      browser.kill();
      await once(browser, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Thrown outside of any promise: it ends the process of the peer, and so the measurement. */
function onEarlyExit(code: number | null): never {
  throw new Error(`Chromium ended with ${code}.`);
}

/** Uses two pipes with zero-terminated messages: the browser ends when they close, however this process ends. */
function connect(browser: ChildProcess): Send {
  const [, , , toBrowser, fromBrowser] = browser.stdio;
  const open = new Map<number, (message: Message) => void>();
  let text = '';
  (fromBrowser as Readable).setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!chunk.includes('\0')) return;
    const messages = text.split('\0');
    text = messages.pop() ?? '';
    for (const each of messages) {
      const message: Message = JSON.parse(each);
      open.get(message.id)?.(message);
      open.delete(message.id);
    }
  });
  let lastId = 0;
  return (method, parameters = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      open.set(lastId, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`Chromium's ${method}: ${error.message}`));
      });
      const session = sessionId === undefined ? {} : { sessionId };
      const message = JSON.stringify({ id: lastId, method, params: parameters, ...session });
      (toBrowser as Writable).write(`${message}\0`);
    });
}

async function openPage(send: Send, url: string): Promise<string> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const session = String(sessionId);
  const size = { width: banner.width, height: banner.height, deviceScaleFactor: 1, mobile: false };
  await send('Emulation.setDeviceMetricsOverride', size, session);
  await send('Page.navigate', { url }, session);
  const expression = `new Promise((resolve) => {
    const check = () => document.readyState === 'complete' && document.querySelector('[data-name]') ? Promise.all([...document.fonts].map((font) => font.load())).then(resolve) : setTimeout(check, 20);
    check();
  }).then(() => true)`;
  await send('Runtime.evaluate', { expression, awaitPromise: true }, session);
  return session;
}

function bannerPage(): string {
  const faces = fonts.map(
    ({ family, weight, path }) =>
      `@font-face { font-family: '${family}'; font-weight: ${weight}; src: url('${pathToFileURL(path).href}'); }`,
  );
  const sources = {
    photo: pathToFileURL(imagePath('coast.jpg')).href,
    mark: `data:image/svg+xml;base64,${Buffer.from(markSvg).toString('base64')}`,
  };
  const name = 'traveller';
  const boxes = bannerBoxes('welcome-banner', name).map(({ text = '', image, style }) => {
    const css = cssText(style);
    if (image !== undefined) return `<img src="${sources[image]}" style="${css}">`;
    return `<div ${text === name ? 'data-name' : ''} style="${css}">${text}</div>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${faces.join('\n')} body { margin: 0 }</style>${boxes.join('\n')}`;
}

function cssText(style: StyledBox['style']): string {
  return Object.entries(style)
    .map(([key, value]) => {
      const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const hasUnit = typeof value === 'string' || key === 'fontWeight';
      return `${name}: ${hasUnit ? value : `${value}px`}`;
    })
    .join('; ');
}

/** The studio in a headless browser: the time from a key to the exact pixels on the screen. */
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { demoApiKey, startService } from '../harness/service.ts';
import { quantile } from '../harness/statistics.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** The path of Debian's package. */
const executablePath = '/usr/bin/chromium';

const editsOf: Record<Effort, number> = { quick: 5, normal: 40 };

/** Edits that are not counted: the first ones warm up the browser and make the template's base render. */
const warmUpEdits = 10;

/**
 * Milliseconds between two edits: a person who types, and a person who looks at each result, while the images of the
 * sample data are being rendered.
 */
const pausesMs = [120, 850] as const;

/** Of the large template. */
const [largeSidePx, largeLayers] = [4096, 200] as const;

export const studio: Scenario = {
  name: 'studio',
  words: ['editing', 'browser'],
  programs: ['chromium'],
  needsPeers: false,
  run: async (effort) => ({ measurements: await measure(editsOf[effort]) }),
};

async function measure(edits: number): Promise<Measurement[]> {
  const service = await startService();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await openEditor(page, service.base, 'welcome-banner', { x: 0.15, y: 0.4 });
  const [typing, looking] = [
    await timeEdits(page, edits, pausesMs[0]),
    await timeEdits(page, edits, pausesMs[1]),
  ];
  const large = await timeLarge(browser, service.base, Math.ceil(edits / 2));
  await browser.close();
  await service.close();
  const largeMeasurement: Measurement = {
    budget: 'studio-large-p95',
    reached: quantile(large, 0.95),
    how:
      `${largeSidePx} × ${largeSidePx}, ${largeLayers} layers, fitted into the window, a rectangle moved by a key ` +
      `${large.length} times, every ${pausesMs[1]} ms (median ${quantile(large, 0.5).toFixed(1)} ms)`,
  };
  return [...smallMeasurements(edits, typing, looking), largeMeasurement];
}

/** Milliseconds of edits in a large template, which is made for it. */
async function timeLarge(browser: Browser, base: string, edits: number): Promise<number[]> {
  const headers = { 'X-API-Key': demoApiKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify(largeTemplate());
  await (await fetch(`${base}/v1/templates?uid=large`, { method: 'POST', headers, body })).text();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await openEditor(page, base, 'large', { x: 0.02, y: 0.02 });
  return timeEdits(page, edits, pausesMs[1]);
}

/** Rectangles and texts in a grid that fills the canvas. */
function largeTemplate(): object {
  const columns = 20;
  const cell = largeSidePx / columns;
  const layers = Array.from({ length: largeLayers }, (_, index) => {
    const x = Math.round((index % columns) * cell);
    const y = Math.floor(index / columns) * 2 * cell;
    const box = { id: `l${index}`, x, y, width: 160, height: 160 };
    const fill = index % 3 === 0 ? '#d64933' : '#20639b';
    return index % 2 === 0
      ? { ...box, type: 'rect', fill, cornerRadius: 12 }
      : { ...box, type: 'text', text: `Layer ${index}`, fontSize: 40, fill };
  });
  const size = { width: largeSidePx, height: largeSidePx };
  return { format: 1, name: 'Large', ...size, background: '#ffffff', variables: [], layers };
}

function smallMeasurements(
  edits: number,
  typing: readonly number[],
  looking: readonly number[],
): Measurement[] {
  return (
    [
      ['studio-p50', 0.5],
      ['studio-p95', 0.95],
    ] as const
  ).map(([budget, part]) => {
    const reached = [quantile(typing, part), quantile(looking, part)] as const;
    const both = reached.map((ms, index) => `${ms.toFixed(1)} ms every ${pausesMs[index]} ms`);
    const how =
      `\`welcome-banner\`, JPEG, a text moved by a key ${edits} times at each of two paces (${both.join(', ')}; ` +
      'the worse counts), from the press to the frame with the service’s image; browser and service on the same cores';
    return { budget, reached: Math.max(...reached), how };
  });
}

/** Milliseconds of each edit but the first ones. */
async function timeEdits(page: Page, edits: number, pauseMs: number): Promise<number[]> {
  const times: number[] = [];
  for (let edit = -warmUpEdits; edit < edits; edit += 1) {
    const ms = await pressAndWait(page, edit % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
    if (edit >= 0) times.push(ms);
    await page.waitForTimeout(pauseMs);
  }
  return times;
}

/** Opens a template, selects the layer at these parts of its width and height, and times each key press. */
async function openEditor(
  page: Page,
  base: string,
  uid: string,
  at: { x: number; y: number },
): Promise<void> {
  await page.goto(`${base}/studio#/t/${uid}`);
  await page.fill('#api-key', demoApiKey);
  await page.keyboard.press('Enter');
  const sheet = page.locator('.canvas-sheet');
  await sheet.locator('img').waitFor();
  const box = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.click(box.x + box.width * at.x, box.y + box.height * at.y);
  // As text: the benchmarks are compiled without browser types.
  await page.evaluate(`
    const sheet = document.querySelector('.canvas-sheet');
    let pressedMs = 0;
    addEventListener('keydown', ({ timeStamp }) => { pressedMs = timeStamp; }, true);
    new MutationObserver(() => {
      // Images of the moved layers are shown first.
      if (sheet.dataset.shows !== 'exact') return;
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => globalThis.resolveEdit(performance.now() - pressedMs);
        painted.port2.postMessage(0);
      });
    }).observe(sheet, { childList: true });
  `);
}

/** Milliseconds from the press to the frame after the one with the new image. */
async function pressAndWait(page: Page, key: string): Promise<number> {
  const reported = page.evaluate('new Promise((resolve) => { globalThis.resolveEdit = resolve; })');
  await page.keyboard.press(key);
  return Number(await reported);
}

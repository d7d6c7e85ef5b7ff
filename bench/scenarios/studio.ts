/** The studio in a headless browser: the time from a key to the exact pixels on the screen. */
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
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
  await openEditor(page, service.base);
  const [typing, looking] = [
    await timeEdits(page, edits, pausesMs[0]),
    await timeEdits(page, edits, pausesMs[1]),
  ];
  await browser.close();
  await service.close();
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

/** Opens the sample, selects its large text, and times each key press. */
async function openEditor(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/studio#/t/welcome-banner`);
  await page.fill('#api-key', demoApiKey);
  await page.keyboard.press('Enter');
  const sheet = page.locator('.canvas-sheet');
  await sheet.locator('img').waitFor();
  const box = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.click(box.x + box.width * 0.15, box.y + box.height * 0.4);
  // As text: the benchmarks are compiled without browser types.
  await page.evaluate(`
    const sheet = document.querySelector('.canvas-sheet');
    let pressedMs = 0;
    addEventListener('keydown', ({ timeStamp }) => { pressedMs = timeStamp; }, true);
    new MutationObserver(() => requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => globalThis.resolveEdit(performance.now() - pressedMs);
      painted.port2.postMessage(0);
    })).observe(sheet, { childList: true });
  `);
}

/** Milliseconds from the press to the frame after the one with the new image. */
async function pressAndWait(page: Page, key: string): Promise<number> {
  const reported = page.evaluate('new Promise((resolve) => { globalThis.resolveEdit = resolve; })');
  await page.keyboard.press(key);
  return Number(await reported);
}

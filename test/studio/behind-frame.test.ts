/** Panels and the strip of sample data leave the service and the page to the frame of a key. */
import t from 'tap';
import type { Page, Request } from 'playwright-core';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** Makes the delay after which panels do not wait for a frame endless. */
const waitsForFrames = `
  const start = setTimeout;
  globalThis.setTimeout = (call, ms, ...rest) => start(call, ms === 80 ? 1e8 : ms, ...rest);
`;

/** Keeps what the inspector shows of the position at the moment of each exact image. */
const watchImages = `
  const sheet = document.querySelector('.canvas-sheet');
  const left = document.querySelector('[data-field="x"] input');
  globalThis.seenLeft = [];
  new MutationObserver(() => {
    if (sheet.dataset.shows === 'exact') globalThis.seenLeft.push(left.value);
  }).observe(sheet, { childList: true });
`;

function isOfStrip(request: Request): boolean {
  return request.url().endsWith('/v1/preview') && (request.postData() ?? '').includes('"quality"');
}

t.test('behind the frame', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  const openPage = async (uid: string, script = ''): Promise<{ page: Page; left: Left }> => {
    const page = await context.newPage();
    if (script !== '') await page.addInitScript(script);
    const canvas = await openCanvas(page, base, uid);
    await canvas.click({ x: 80, y: 70 });
    const field = page.locator('[data-field="x"] input');
    await field.waitFor();
    const shows = (value: string): Promise<boolean> =>
      eventually(async () => (await field.inputValue()) === value);
    return { page, left: { field, shows } };
  };
  type Left = { field: ReturnType<Page['locator']>; shows: (value: string) => Promise<boolean> };

  t.test('a key on the canvas changes the image first, then the panels', async (t) => {
    const { page, left } = await openPage('behind-image', waitsForFrames);
    await page.evaluate(watchImages);
    await page.keyboard.press('Shift+ArrowRight');
    t.ok(await left.shows('50'));
    t.same(await page.evaluate('seenLeft[0]'), '40', 'at the moment of the image');
    await page.close();
  });

  t.test('the panels do not wait for a frame that never comes', async (t) => {
    const { page, left } = await openPage('behind-late');
    await page.route('**/v1/preview', () => undefined);
    await page.keyboard.press('Shift+ArrowRight');
    t.ok(await left.shows('50'));
    // A removed layer is of another selection, which waits for nothing.
    await page.keyboard.press('Delete');
    t.ok(await eventually(async () => (await left.field.count()) === 0));
    await page.close();
  });

  t.test('a key in a panel changes the panels at once', async (t) => {
    const { page, left } = await openPage('behind-panel', waitsForFrames);
    await page.route('**/v1/preview', () => undefined);
    await page.keyboard.press('Shift+ArrowRight');
    await left.field.press('ArrowUp');
    await left.field.press('ArrowUp');
    t.ok(await left.shows('52'), 'each key adds to the one before, which was on the canvas');
    await page.close();
  });

  t.test('the set of the values on the canvas takes its image from the canvas', async (t) => {
    const { page } = await openPage('behind-strip');
    const rests = page.locator('.samples[aria-busy="false"]');
    await rests.waitFor();
    const sets = await page.locator('.preset').count();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (isOfStrip(request)) requests.push(request.postData() ?? '');
    });
    const image = page.locator('.preset[data-preset="defaults"] img');
    const before = await image.getAttribute('src');
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.samples[aria-busy="true"]').waitFor();
    await rests.waitFor();
    const shown = await page.locator('.canvas-sheet img').getAttribute('src');
    t.equal(await image.getAttribute('src'), shown);
    t.not(shown, before);
    t.equal(requests.length, sets - 1, 'all others are rendered');
    t.notOk(requests.some((body) => body.includes('"values":{}')));
    await page.close();
  });
});

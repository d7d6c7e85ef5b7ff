/** Editing of right-to-left texts on the canvas, in a browser. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** A line in design pixels of the canvas. */
type Line = { x: number; width: number };

/** Lines of the field, one for each paragraph of its only span. */
async function readLines(page: Page, canvas: CanvasPage): Promise<Line[]> {
  const [sheetLeft] = await canvas.at({ x: 0, y: 0 });
  return page.evaluate((zero) => {
    const node = document.querySelector('.span-field span')?.firstChild;
    if (node === null || node === undefined) return [];
    let start = 0;
    return (node.textContent ?? '').split('\n').map((line) => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + line.length);
      start += line.length + 1;
      const { left, width } = range.getBoundingClientRect();
      return { x: left - zero, width };
    });
  }, sheetLeft);
}

t.test('right-to-left texts are edited over their letters', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const context = await studioContext(browser);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const field = page.locator('.span-field');
  let count = 0;

  /** Opens a template of one text, and that for editing. */
  async function edit(more: object): Promise<CanvasPage> {
    count += 1;
    const box = { x: 30, y: 20, width: 330, height: 120 };
    const look = { fontFamily: 'Noto Sans Arabic', fontSize: 24, overflow: 'visible' };
    const layer = { id: 't', type: 'text', ...box, ...look, ...more };
    const canvas = await openCanvas(page, base, `right-to-left-${count}`, [layer]);
    await page.mouse.dblclick(...(await canvas.at({ x: 195, y: 35 })));
    await field.waitFor();
    return canvas;
  }

  const texts: ReadonlyArray<[claim: string, more: object]> = [
    ['a text', { text: 'مرحبا بالعالم هنا' }],
    ['paragraphs, each in its direction', { text: 'مرحبا بالعالم\nHello مرحبا\n12 مرحبا\n345' }],
    ['paragraphs that end at the end', { text: 'مرحبا\nHello', align: 'end' }],
    ['a text that is forced to the left', { text: 'مرحبا بالعالم هنا', direction: 'ltr' }],
    ['a text that is forced to the right', { text: 'Hello\nمرحبا', direction: 'rtl' }],
  ];
  for (const [claim, more] of texts) {
    t.test(`the field covers ${claim}`, async (t) => {
      const canvas = await edit(more);
      const report = await client.previewReport({ uid: `right-to-left-${count}` });
      const drawn = report.layers[0]?.text?.lines ?? [];
      const isOver = ({ x, width }: Line, index: number): boolean =>
        Math.abs(x - (drawn[index]?.x ?? 0)) < 2 &&
        Math.abs(width - (drawn[index]?.width ?? 0)) < 3;
      // The font of the field may still load.
      await eventually(async () => (await readLines(page, canvas)).every(isOver), 10_000);
      const lines = await readLines(page, canvas);
      t.ok(lines.every(isOver), JSON.stringify({ lines, drawn }));
      t.equal(lines.length, drawn.length);
      t.same(complaints.splice(0), []);
    });
  }

  t.test('a double-clicked word is selected and styled alone', async (t) => {
    const canvas = await edit({ text: 'مرحبا بالعالم هنا' });
    const words: ReadonlyArray<[word: string, x: number]> = [
      ['هنا', 225],
      ['مرحبا', 340],
    ];
    for (const [word, x] of words) {
      await page.mouse.dblclick(...(await canvas.at({ x, y: 35 })));
      t.equal(await page.evaluate(() => String(getSelection()).trim()), word);
    }
    await page.keyboard.press('Control+b');
    t.match(await canvas.layer('t'), {
      spans: [{ text: /^مرحبا ?$/, fontWeight: 700 }, { text: /بالعالم هنا$/ }],
    });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.keyboard.type('ك');
    t.equal(await field.textContent(), 'مرحبا بالعالم هناك', 'the end is at the left');
    t.same(complaints.splice(0), []);
  });
});

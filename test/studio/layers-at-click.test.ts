/** The position of layers that a click of a tool adds, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('layers that a click adds', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);

  t.test('a text begins at the click, and each layer lies inside the canvas', async (t) => {
    const canvas = await openCanvas(page, base, 'at-click', []);
    const { keyboard } = page;
    const add = async (key: string, point: { x: number; y: number }): Promise<void> => {
      await keyboard.press(key);
      await canvas.click(point);
      if (key === 't') await page.locator('.span-field').press('Escape');
    };
    await add('t', { x: 60, y: 150 });
    const text = await canvas.find('text');
    t.match(text, { x: 60, y: 126, width: 270, height: 48, verticalAlign: 'middle' });
    t.equal(text['align'], undefined, 'at the start of its line');
    await add('t', { x: 200, y: 290 });
    t.match(await canvas.layer('text-2'), { x: 200, y: 252, width: 200, height: 48 }, 'narrower');
    await add('t', { x: 390, y: 5 });
    t.match(await canvas.layer('text-3'), { x: 265, y: 0, width: 135 }, 'at the edge');
    await add('r', { x: 5, y: 10 });
    t.match(await canvas.layer('rect'), { x: 0, y: 0, width: 150, height: 90 });
    await add('o', { x: 395, y: 295 });
    t.match(await canvas.layer('ellipse'), { x: 310, y: 210, width: 90, height: 90 });
    await add('k', { x: 390, y: 150 });
    t.match(await canvas.layer('image'), { x: 240, y: 90, width: 160, height: 120 });
    const mirrored = await openCanvas(page, base, 'at-click-he', [], { lang: 'he' });
    await keyboard.press('t');
    await mirrored.click({ x: 340, y: 150 });
    t.match(await mirrored.layer('text'), { x: 70, width: 270, align: 'right' });
    t.same(complaints.splice(0), []);
  });
});

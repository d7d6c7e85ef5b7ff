/** Copies that are dragged in a stack and out of it, in a browser. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const card = {
  id: 'card',
  type: 'stack',
  x: 40,
  y: 40,
  width: 200,
  height: 'hug',
  gap: 10,
  padding: 20,
  fill: '#eceff4',
  layers: [
    { id: 'one', type: 'rect', width: 60, height: 30, fill: '#d64933' },
    { id: 'two', type: 'rect', width: 'fill', height: 40, fill: '#3caea3' },
  ],
};

t.test(
  'with Alt a copy is dragged, within its stack and out of it',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const complaints = watchPage(page, base);
    const canvas = await openCanvas(page, base, 'stack-copies', [card]);
    const inCard = async (): Promise<string[]> => {
      const [stack] = await canvas.layers();
      return stack?.type === 'stack' ? stack.layers.map(({ id }) => id) : [];
    };

    await page.click('[data-layer="one"]');
    await page.keyboard.down('Alt');
    await canvas.press({ x: 90, y: 75 });
    await canvas.moveTo({ x: 90, y: 130 });
    t.equal(await page.locator('.insertion').count(), 1);
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'), 'its bitmap is carried');
    t.equal(await canvas.colorOnceAt({ x: 70, y: 75 }, '#d64933'), '#d64933', 'the layer stays');
    await canvas.release();
    await page.keyboard.up('Alt');
    t.same(await inCard(), ['one', 'two', 'one-2']);
    await page.keyboard.press('Control+z');
    t.same(await inCard(), ['one', 'two'], 'one step');

    await page.click('[data-layer="two"]');
    await page.keyboard.down('Alt');
    await canvas.press({ x: 90, y: 120 });
    await canvas.moveTo({ x: 210, y: 245 });
    await canvas.release();
    await page.keyboard.up('Alt');
    t.same(await inCard(), ['one', 'two']);
    t.match(
      await canvas.find('two-2'),
      { x: 180, y: 225, width: 160, height: 40 },
      'where it was dropped, as large as the other',
    );
    t.same(complaints, []);
  },
);

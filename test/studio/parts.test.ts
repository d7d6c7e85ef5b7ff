/** F6 moves the keyboard between the parts of the editor, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('F6 moves between the parts of the editor', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  const box = { x: 20, y: 20, width: 160, height: 60 };
  const canvas = await openCanvas(page, base, 'parts', [
    { id: 'ground', type: 'rect', ...box },
    { id: 'title', type: 'text', ...box, text: 'Hello' },
  ]);
  const focused = (): Promise<string | undefined> =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      const part = element?.closest('.top-bar, .side, .centre');
      const name = part?.getAttribute('aria-label') ?? part?.className;
      const field = element?.closest('[data-field]')?.getAttribute('data-field');
      return [name, element?.getAttribute('data-layer') ?? field].filter(Boolean).join(': ');
    });
  const press = async (key: string): Promise<string | undefined> => {
    await page.keyboard.press(key);
    return focused();
  };
  const layers = 'Layers, variables and comments';

  await page.click('[data-layer="title"]');
  t.equal(await press('F6'), 'Canvas');
  t.equal(await press('F6'), 'Properties: text', 'the text of a layer is two presses away');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  t.match(await canvas.layer('title'), { text: 'Hello!' });
  t.equal(await press('F6'), 'top-bar', 'after the last part the first');
  t.equal(await press('F6'), `${layers}: title`, 'the selected layer');
  t.equal(await press('Shift+F6'), 'top-bar');
  t.equal(await press('Shift+F6'), 'Properties: text');
  await page.click('[data-layer="ground"]');
  await page.keyboard.press('F6');
  t.match(await press('F6'), /^Properties/, 'a layer without a text');
  t.same(complaints, []);
});

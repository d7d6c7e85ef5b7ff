/** Copying and pasting while a text is edited on the canvas, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('an edited text uses the clipboard', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** Opens a template of one text, and that for editing. */
  async function edit(more: object): Promise<CanvasPage> {
    count += 1;
    const box = { x: 20, y: 20, width: 360, height: 60 };
    const layer = { id: 't', type: 'text', ...box, fontSize: 15, overflow: 'visible', ...more };
    const canvas = await openCanvas(page, base, `text-clipboard-${count}`, [layer]);
    await page.mouse.dblclick(...(await canvas.at({ x: 50, y: 30 })));
    await page.waitForSelector('.text-editor');
    return canvas;
  }

  /** As a browser tells of text that comes from another program. */
  const paste = (selector: string, data: Record<string, string>): Promise<unknown> =>
    page.locator(selector).evaluate((field, texts) => {
      const clipboardData = new DataTransfer();
      for (const [type, value] of Object.entries(texts)) clipboardData.setData(type, value);
      const options = { bubbles: true, cancelable: true, clipboardData };
      field.dispatchEvent(new ClipboardEvent('paste', options));
    }, data);

  t.test('styled words are pasted as spans, which have the look at the caret', async (t) => {
    const spans = [{ text: 'One ' }, { text: 'two', fontStyle: 'italic', fill: '#00c800' }];
    const canvas = await edit({ spans, width: 360 });
    const look = { fontStyle: 'italic', fill: '#00c800' };
    await page.keyboard.press('End');
    const html = '<p>a <b style="color:#ff0000">bold</b> word</p>';
    await paste('.span-field', { 'text/plain': 'a bold word ', 'text/html': html });
    const pasted = [
      { text: 'One ' },
      { ...look, text: 'twoa ' },
      { fontStyle: 'italic', text: 'bold', fontWeight: 700, fill: '#ff0000' },
    ];
    t.same((await canvas.find('t'))['spans'], [...pasted, { ...look, text: ' word ' }]);
    await page.keyboard.type('!');
    t.same((await canvas.find('t'))['spans'], [...pasted, { ...look, text: ' word !' }]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    t.same((await canvas.find('t'))['spans'], spans, 'a paste is one step');
    await page.keyboard.press('End');
    const many = '<b>x</b>y'.repeat(30);
    await paste('.span-field', { 'text/plain': 'xy'.repeat(30), 'text/html': many });
    const { spans: after } = await canvas.find('t');
    t.same(after, [{ text: 'One ' }, { ...look, text: `two${'xy'.repeat(30)}` }], 'too many');
    t.same(complaints.splice(0), []);
  });

  t.test('styled words are pasted in a field beside the text', async (t) => {
    const canvas = await edit({ text: 'Pill', linePill: { fill: '#ffcc00' } });
    await page.keyboard.press('End');
    await paste('.text-aside textarea', {
      'text/plain': 's in red',
      'text/html': 's in <b>red</b>',
    });
    t.match(await canvas.layer('t'), {
      spans: [{ text: 'Pills in ' }, { text: 'red', fontWeight: 700 }],
    });
    await page.keyboard.type('!');
    t.match(await canvas.layer('t'), { spans: [{}, { text: 'red!' }] });
    t.same(complaints.splice(0), []);
  });

  t.test('a copied layer is pasted beside an edited text, not as JSON in it', async (t) => {
    const canvas = await edit({ text: 'Hello' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Enter');
    await page.locator('.span-field').waitFor();
    await page.keyboard.press('Control+v');
    await page.locator('.text-editor').waitFor({ state: 'detached' });
    t.match(await canvas.layers(), [{ text: 'Hello' }, { text: 'Hello' }]);
    await page.keyboard.press('Delete');
    t.match(await canvas.order(), ['t'], 'the keys act on the pasted layer');
    t.same(complaints.splice(0), []);
  });

  t.test('words that are copied or cut in a text keep its look', async (t) => {
    const canvas = await edit({ text: 'Sale', fontWeight: 800, transform: 'uppercase' });
    await page.keyboard.press('Control+c');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+v');
    t.match(await canvas.layer('t'), { text: 'SaleSale', fontWeight: 800 });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    t.equal(await page.locator('.span-field').textContent(), '');
    await page.keyboard.press('Control+v');
    t.match(await canvas.layer('t'), { text: 'SaleSale', fontWeight: 800 });
    t.same(await canvas.order(), ['t'], 'nothing is pasted on the canvas');
    t.same(complaints.splice(0), []);
  });
});

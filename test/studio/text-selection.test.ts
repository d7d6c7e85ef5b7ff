/** The selection and the caret while a text is edited on the canvas, in a browser. */
import t from 'tap';
import { decodeImage } from '../e2e/image-bytes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the pointer selects in an edited text', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** Opens a template of one text, and that for editing. */
  async function edit(more: object): Promise<CanvasPage> {
    count += 1;
    const box = { x: 20, y: 20, width: 360, height: 60 };
    const layer = { id: 't', type: 'text', ...box, fontSize: 20, overflow: 'visible', ...more };
    const canvas = await openCanvas(page, base, `text-selection-${count}`, [layer]);
    await page.mouse.dblclick(...(await canvas.at({ x: 50, y: 30 })));
    await page.waitForSelector('.text-editor');
    return canvas;
  }

  t.test(
    'a drag over selected words selects a part of them, which a letter replaces',
    async (t) => {
      const canvas = await edit({ text: 'Dear {{name}}, welcome' });
      const field = page.locator('.span-field');
      // The letters move when the face of the text replaces another.
      await field.evaluate(async (element) => {
        const { fontFamily } = getComputedStyle(element.querySelector('span') ?? element);
        const unquoted = (name = ''): string => name.trim().replaceAll('"', '');
        const name = unquoted(fontFamily.split(',')[0]);
        const isShown = ({ family, status }: FontFace): boolean =>
          status === 'loaded' && unquoted(family) === name;
        while (![...document.fonts].some(isShown)) await new Promise(requestAnimationFrame);
      });
      /** Screen position before a letter of the text. */
      const before = (at: number): Promise<[number, number]> =>
        field.evaluate((element, index) => {
          const node = element.querySelector('span')?.firstChild as Node;
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const { left, top, height } = range.getBoundingClientRect();
          return [left, top + height / 2] as [number, number];
        }, at);
      const selected = (): Promise<string> => page.evaluate('String(getSelection())');
      t.equal(await selected(), 'Dear {{name}}, welcome', 'all is selected first');
      await page.mouse.move(...(await before(0)));
      await page.mouse.down();
      await page.mouse.move(...(await before(4)), { steps: 6 });
      await page.mouse.up();
      t.equal(await selected(), 'Dear');
      await page.mouse.click(...(await before(4)));
      await page.keyboard.down('Shift');
      await page.mouse.click(...(await before(13)));
      t.equal(await selected(), ' {{name}}', 'with Shift a press extends the selection');
      await page.mouse.click(...(await before(14)));
      await page.keyboard.up('Shift');
      t.equal(await selected(), ' {{name}},', 'also further');
      const [x, y] = await before(17);
      await page.mouse.dblclick(x, y);
      t.equal(await selected(), 'welcome');
      await page.mouse.click(x, y, { clickCount: 3 });
      t.equal(await selected(), 'Dear {{name}}, welcome');
      await page.mouse.move(...(await before(0)));
      await page.mouse.down();
      await page.mouse.move(...(await before(4)), { steps: 6 });
      await page.mouse.up();
      await page.keyboard.type('Hi');
      await page.keyboard.press('Escape');
      t.match(await canvas.layer('t'), { text: 'Hi {{name}}, welcome' });
      t.same(complaints.splice(0), []);
    },
  );

  t.test('so does a drag in a field beside the image', async (t) => {
    await edit({ text: 'Pill of gold', linePill: { fill: '#ffcc00' } });
    const field = page.locator('.text-aside textarea');
    const box = await field.boundingBox();
    if (box === null) throw new Error('not shown');
    const y = box.y + 14;
    await page.mouse.move(box.x + 30, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 2, y, { steps: 6 });
    await page.mouse.up();
    const part = await field.evaluate(
      (area: HTMLTextAreaElement) => area.selectionEnd - area.selectionStart,
    );
    t.ok(part > 0 && part < 'Pill of gold'.length, `${part} letters`);
    t.same(complaints.splice(0), []);
  });

  t.test('at a caret, a style is for the letters that are typed next', async (t) => {
    const spans = [
      { text: 'Your ' },
      { text: 'seat', fontWeight: 700, fontStyle: 'italic' },
      { text: ' is {{city}}' },
    ];
    const bar = page.getByRole('toolbar', { name: 'Look of the selected text' });
    const pressed = (): Promise<(string | null)[]> =>
      Promise.all(
        ['bold', 'italic', 'underline'].map((name) =>
          bar.getByLabel(name).getAttribute('aria-pressed'),
        ),
      );
    for (const more of [{}, { linePill: { fill: '#ffcc00' } }]) {
      const canvas = await edit({ text: 'Your', ...more });
      await page.keyboard.press('End');
      await page.keyboard.type(' ');
      for (const key of ['b', 'u', 'u']) await page.keyboard.press(`Control+${key}`);
      await bar.getByLabel('italic').click();
      t.same(await pressed(), ['true', 'true', 'false'], 'the bar shows the next look');
      await page.keyboard.type('seat');
      for (const key of ['b', 'i']) await page.keyboard.press(`Control+${key}`);
      await page.keyboard.type(' is {{city}}');
      await page.keyboard.press('Escape');
      const layer = await canvas.find('t');
      t.match(layer, { spans });
      t.notMatch(layer, { fontWeight: 700 });
      t.notMatch(layer, { spans: [{}, { underline: true }] });
    }
    const between = await edit({ spans: spans.slice(0, 2) });
    await page.keyboard.press('Home');
    for (const _ of 'Your ') await page.keyboard.press('ArrowRight');
    for (const key of ['b', 'i']) await page.keyboard.press(`Control+${key}`);
    // The first letter is that of the word behind the caret.
    await page.keyboard.type('super ');
    await page.keyboard.press('Escape');
    t.match(await between.find('t'), { spans: [{}, { ...spans[1], text: 'super seat' }] });
    const canvas = await edit({ spans });
    await page.keyboard.press('End');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('!');
    await page.keyboard.press('Escape');
    t.match(await canvas.find('t'), { spans: [...spans.slice(0, 2), { text: / is/ }] });
    t.same(complaints.splice(0), []);
  });

  t.test(
    'an undo takes back a deletion or what was typed, and the caret stays there',
    async (t) => {
      const canvas = await edit({ text: 'A quiet day' });
      const field = page.locator('.span-field');
      const pixels = async (): Promise<Buffer> => {
        // Images of layers stand in for a late frame.
        const exact = page.locator('.canvas-sheet[data-shows="exact"] img');
        const url = (await exact.getAttribute('src')) ?? '';
        return (await decodeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))).data;
      };
      const before = await pixels();
      await page.keyboard.press('End');
      // Without a step, neither key moves the caret.
      for (const key of ['z', 'Shift+z']) await page.keyboard.press(`Control+${key}`);
      await page.keyboard.type(' with {{seat}}');
      t.ok(await eventually(async () => !before.equals(await pixels())));
      await page.keyboard.press('Home');
      await page.keyboard.press('Delete');
      t.equal(await field.textContent(), ' quiet day with {{seat}}');
      await page.keyboard.press('Control+z');
      t.equal(await field.textContent(), 'A quiet day with {{seat}}');
      await page.keyboard.press('Control+z');
      t.equal(await field.textContent(), 'A quiet day');
      t.ok(await eventually(async () => before.equals(await pixels())), 'the image follows');
      await page.keyboard.type(' out');
      t.equal(await field.textContent(), 'A quiet day out');
      t.ok(await eventually(async () => !before.equals(await pixels())));
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+Shift+z');
      await page.keyboard.type('side');
      await page.keyboard.press('Escape');
      t.match(await canvas.layer('t'), { text: 'A quiet day outside' });
      t.same(complaints.splice(0), []);
    },
  );
});

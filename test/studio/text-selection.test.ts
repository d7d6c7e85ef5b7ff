/** The selection, the caret and the clipboard while a text is edited on the canvas. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';
import { pasteInto } from './dropped-files.ts';

t.test('in an edited text', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'selection', await startBrowser(t), base);
  const { page, keyboard, editText: edit, claim } = studio;

  claim('a drag over selected words selects a part of them, which a letter replaces', async (t) => {
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
    const dragOverFirst = async (): Promise<void> => {
      await page.mouse.move(...(await before(0)));
      await page.mouse.down();
      await page.mouse.move(...(await before(4)), { steps: 6 });
      await page.mouse.up();
    };
    await dragOverFirst();
    t.equal(await selected(), 'Dear');
    await page.mouse.click(...(await before(4)));
    await keyboard.down('Shift');
    await page.mouse.click(...(await before(13)));
    t.equal(await selected(), ' {{name}}', 'with Shift a press extends the selection');
    await page.mouse.click(...(await before(14)));
    await keyboard.up('Shift');
    t.equal(await selected(), ' {{name}},', 'also further');
    const [x, y] = await before(17);
    await page.mouse.dblclick(x, y);
    t.equal(await selected(), 'welcome');
    await page.mouse.click(x, y, { clickCount: 3 });
    t.equal(await selected(), 'Dear {{name}}, welcome');
    await dragOverFirst();
    await keyboard.type('Hi');
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), { text: 'Hi {{name}}, welcome' });
  });

  claim('at a caret, a style is for the letters that are typed next', async (t) => {
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
      await keyboard.press('End');
      await keyboard.type(' ');
      for (const key of ['b', 'u', 'u']) await keyboard.press(`Control+${key}`);
      await bar.getByLabel('italic').click();
      t.same(await pressed(), ['true', 'true', 'false'], 'the bar shows the next look');
      await keyboard.type('seat');
      for (const key of ['b', 'i']) await keyboard.press(`Control+${key}`);
      await keyboard.type(' is {{city}}');
      await keyboard.press('Escape');
      const layer = await canvas.find('t');
      t.match(layer, { spans });
      t.notMatch(layer, { fontWeight: 700 });
      t.notMatch(layer, { spans: [{}, { underline: true }] });
    }
    const between = await edit({ spans: spans.slice(0, 2) });
    await keyboard.press('Home');
    for (const _ of 'Your ') await keyboard.press('ArrowRight');
    for (const key of ['b', 'i']) await keyboard.press(`Control+${key}`);
    // The first letter is that of the word behind the caret.
    await keyboard.type('super ');
    await keyboard.press('Escape');
    t.match(await between.find('t'), { spans: [{}, { ...spans[1], text: 'super seat' }] });
    const canvas = await edit({ spans });
    await keyboard.press('End');
    await keyboard.press('Control+b');
    await keyboard.press('ArrowLeft');
    await keyboard.type('!');
    await keyboard.press('Escape');
    t.match(await canvas.find('t'), { spans: [...spans.slice(0, 2), { text: / is/ }] });
  });

  claim('an undo takes back a deletion or what was typed, and the caret stays there', async (t) => {
    const canvas = await edit({ text: 'A quiet day' });
    const field = page.locator('.span-field');
    await keyboard.press('End');
    // Without a step, neither key moves the caret.
    for (const key of ['z', 'Shift+z']) await keyboard.press(`Control+${key}`);
    await keyboard.type(' with {{seat}}');
    await keyboard.press('Home');
    await keyboard.press('Delete');
    t.equal(await field.textContent(), ' quiet day with {{seat}}');
    await keyboard.press('Control+z');
    t.equal(await field.textContent(), 'A quiet day with {{seat}}');
    await keyboard.press('Control+z');
    t.equal(await field.textContent(), 'A quiet day');
    await keyboard.type(' out');
    t.equal(await field.textContent(), 'A quiet day out');
    await keyboard.press('Control+z');
    await keyboard.press('Control+Shift+z');
    await keyboard.type('side');
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), { text: 'A quiet day outside' });
  });

  claim('styled words are pasted as spans, which have the look at the caret', async (t) => {
    const spans = [{ text: 'One ' }, { text: 'two', fontStyle: 'italic', fill: '#00c800' }];
    const canvas = await edit({ spans });
    const look = { fontStyle: 'italic', fill: '#00c800' };
    await keyboard.press('End');
    const html = '<p>a <b style="color:#ff0000">bold</b> word</p>';
    await pasteInto(page, '.span-field', { 'text/plain': 'a bold word ', 'text/html': html });
    const pasted = [
      { text: 'One ' },
      { ...look, text: 'twoa ' },
      { fontStyle: 'italic', text: 'bold', fontWeight: 700, fill: '#ff0000' },
    ];
    t.same((await canvas.find('t'))['spans'], [...pasted, { ...look, text: ' word ' }]);
    await keyboard.type('!');
    t.same((await canvas.find('t'))['spans'], [...pasted, { ...look, text: ' word !' }]);
    await keyboard.press('Control+z');
    await keyboard.press('Control+z');
    t.same((await canvas.find('t'))['spans'], spans, 'a paste is one step');
    await keyboard.press('End');
    const many = { 'text/plain': 'xy'.repeat(30), 'text/html': '<b>x</b>y'.repeat(30) };
    await pasteInto(page, '.span-field', many);
    const { spans: after } = await canvas.find('t');
    t.same(after, [{ text: 'One ' }, { ...look, text: `two${'xy'.repeat(30)}` }], 'too many');
  });

  claim('styled words are pasted in a field beside the text', async (t) => {
    const canvas = await edit({ text: 'Pill', linePill: { fill: '#ffcc00' } });
    await keyboard.press('End');
    const texts = { 'text/plain': 's in red', 'text/html': 's in <b>red</b>' };
    await pasteInto(page, '.text-aside textarea', texts);
    await keyboard.type('!');
    const spans = [{ text: 'Pills in ' }, { text: 'red!', fontWeight: 700 }];
    t.match(await canvas.layer('t'), { spans });
  });

  claim('a copied layer is pasted beside an edited text, not as JSON in it', async (t) => {
    const canvas = await edit({ text: 'Hello' });
    await keyboard.press('Escape');
    await keyboard.press('Control+c');
    await keyboard.press('Enter');
    await page.locator('.span-field').waitFor();
    await keyboard.press('Control+v');
    await page.locator('.text-editor').waitFor({ state: 'detached' });
    t.match(await canvas.layers(), [{ text: 'Hello' }, { text: 'Hello' }]);
    await keyboard.press('Delete');
    t.match(await canvas.order(), ['t'], 'the keys act on the pasted layer');
  });

  claim('words that are copied or cut in a text keep its look', async (t) => {
    const canvas = await edit({ text: 'Sale', fontWeight: 800, transform: 'uppercase' });
    await keyboard.press('Control+c');
    await keyboard.press('End');
    await keyboard.press('Control+v');
    t.match(await canvas.layer('t'), { text: 'SaleSale', fontWeight: 800 });
    await keyboard.press('Control+a');
    await keyboard.press('Control+x');
    t.equal(await page.locator('.span-field').textContent(), '');
    await keyboard.press('Control+v');
    t.match(await canvas.layer('t'), { text: 'SaleSale', fontWeight: 800 });
    t.same(await canvas.order(), ['t'], 'nothing is pasted on the canvas');
  });
});

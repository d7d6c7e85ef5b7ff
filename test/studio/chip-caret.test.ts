/** The caret beside the chips of variables, in the text fields of the studio in a browser. */
import t from 'tap';
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** The text of the focused field, with `|` for the caret, and `[` at the anchor and `]` at the focus of a selection. */
function readField(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: field } = document;
    const selection = getSelection();
    const isControl = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
    let [text, from, to, isBackward] = ['', 0, 0, false];
    if (isControl) {
      const { value, selectionStart, selectionEnd, selectionDirection } = field;
      [text, from, to] = [value, selectionStart ?? 0, selectionEnd ?? 0];
      isBackward = selectionDirection === 'backward';
    } else if (field !== null && selection !== null && selection.rangeCount > 0) {
      const range = selection.getRangeAt(0);
      const before = document.createRange();
      before.selectNodeContents(field);
      before.setEnd(range.startContainer, range.startOffset);
      [text, from] = [field.textContent, before.toString().length];
      to = from + range.toString().length;
      isBackward = selection.direction === 'backward';
    }
    const [open, close] = from === to ? ['|', ''] : isBackward ? [']', '['] : ['[', ']'];
    return text.slice(0, from) + open + text.slice(from, to) + close + text.slice(to);
  });
}

t.test('the caret passes a chip as one sign', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** Waits until the field shows `expected`, because a selection settles a frame after a key. */
  async function shows(t: Test, expected: string, claim: string): Promise<void> {
    let shown = '';
    await eventually(async () => (shown = await readField(page)) === expected);
    t.equal(shown, expected, claim);
  }
  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }
  /** Opens a template of one text. */
  async function open(text: string, more: object = {}): Promise<CanvasPage> {
    count += 1;
    const box = { x: 20, y: 20, width: 360, height: 60 };
    const look = { fontSize: 14, overflow: 'visible' };
    return openCanvas(page, base, `chip-caret-${count}`, [
      { id: 't', type: 'text', ...box, ...look, text, ...more },
    ]);
  }
  async function editOnCanvas(text: string, more?: object): Promise<CanvasPage> {
    const canvas = await open(text, more);
    await page.mouse.dblclick(...(await canvas.at({ x: 50, y: 30 })));
    await page.waitForSelector('.text-editor');
    return canvas;
  }
  const fields: ReadonlyArray<[name: string, edit: (text: string) => Promise<CanvasPage>]> = [
    ['on the canvas', (text) => editOnCanvas(text)],
    ['beside the image', (text) => editOnCanvas(text, { linePill: { fill: '#ffcc00' } })],
    [
      'in the inspector',
      async (text) => {
        const canvas = await open(text);
        await page.click('[data-layer="t"]');
        await page.focus('.p-row[data-field="text"] textarea');
        return canvas;
      },
    ],
  ];
  for (const [name, edit] of fields) {
    t.test(`of a text ${name}`, async (t) => {
      const canvas = await edit('Hi {{name}}, {{city | upper}} now');
      await press('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
      await shows(t, 'Hi {{name}}|, {{city | upper}} now', 'ArrowRight');
      await press('ArrowLeft');
      await shows(t, 'Hi |{{name}}, {{city | upper}} now', 'ArrowLeft');
      await press('Shift+ArrowRight');
      await shows(t, 'Hi [{{name}}], {{city | upper}} now', 'Shift selects it');
      await press('Shift+ArrowLeft', 'Shift+ArrowLeft');
      await shows(t, 'Hi] [{{name}}, {{city | upper}} now', 'and the letter before it');
      await press('End', 'Control+ArrowLeft', 'Control+ArrowLeft');
      await shows(t, 'Hi {{name}}, |{{city | upper}} now', 'a word to the left');
      await press('Control+Shift+ArrowRight');
      await shows(t, 'Hi {{name}}, [{{city | upper}}] now', 'a selected word');
      await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace');
      await shows(t, 'Hi |, {{city | upper}} now', 'Backspace');
      t.match(await canvas.layer('t'), { text: 'Hi , {{city | upper}} now' });
      await press('Control+z');
      t.match(await canvas.layer('t'), { text: 'Hi {{name}}, {{city | upper}} now' }, 'one undo');
      await press('End', 'Control+ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Delete');
      await shows(t, 'Hi {{name}}, | now', 'Delete');
      await press('ArrowLeft', 'ArrowLeft', 'Control+Backspace');
      await shows(t, 'Hi |,  now', 'a word that is a chip');
      t.same(complaints.splice(0), []);
    });
  }

  /** Screen position of a letter of the text on the canvas. */
  async function pointOf(at: number): Promise<[number, number]> {
    await page.evaluate('document.fonts.ready');
    return page.locator('.span-field').evaluate((field, index) => {
      const range = document.createRange();
      const node = field.querySelector('span')?.firstChild as Node;
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const { left, top, width, height } = range.getBoundingClientRect();
      return [left + width / 2, top + height / 2] as [number, number];
    }, at);
  }

  t.test('a press in a chip goes to its nearer edge, and a second one selects it', async (t) => {
    const canvas = await editOnCanvas('Hi {{name}}, welcome');
    const formats = page.getByRole('toolbar', { name: 'Format of name' });
    await page.mouse.click(...(await pointOf(5)));
    await shows(t, 'Hi |{{name}}, welcome', 'its start');
    await formats.waitFor();
    await page.mouse.click(...(await pointOf(9)));
    await shows(t, 'Hi {{name}}|, welcome', 'its end');
    await formats.getByRole('button', { name: 'FRIEND', exact: true }).click();
    await shows(t, 'Hi {{name | upper}}|, welcome', 'the caret is behind the format');
    await formats.getByRole('button', { name: 'friend', exact: true }).click();
    await press('ArrowRight');
    await formats.waitFor({ state: 'detached' });
    await page.mouse.dblclick(...(await pointOf(6)));
    await shows(t, 'Hi [{{name}}], welcome', 'two presses');
    await page.mouse.move(...(await pointOf(15)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOf(7)), { steps: 4 });
    await page.mouse.up();
    t.match(await readField(page), /^Hi \]\{\{name\}\}, we?\[/, 'a drag selects all of it');
    await page.keyboard.type('!');
    t.match(await canvas.layer('t'), { text: /^Hi !/ });
    t.same(complaints.splice(0), []);
  });

  for (const [name, edit] of fields) {
    t.test(`the letters of a chip are edited by keys alone ${name}`, async (t) => {
      const canvas = await edit('Pay {{name}} now');
      await press('Control+Home', 'Control+ArrowRight', 'ArrowRight', 'Shift+ArrowRight');
      await shows(t, 'Pay [{{name}}] now', 'selected by a key');
      const button = page.getByRole('button', { name: 'Edit', exact: true });
      await button.focus();
      await press('Enter');
      await shows(t, 'Pay {{[name]}} now', 'its letters');
      await page.keyboard.type('cit');
      await shows(t, 'Pay {{cit|}} now', 'typed');
      await press('Backspace', 'ArrowLeft');
      await shows(t, 'Pay {{c|i}} now', 'and removed one by one');
      await press('ArrowRight');
      await page.keyboard.type('t');
      await press('Enter');
      t.match(await canvas.layer('t'), { text: 'Pay {{city}} now' });
      await press('End', 'Control+ArrowLeft', 'ArrowLeft', 'ArrowLeft');
      await shows(t, 'Pay |{{city}} now', 'then it is one sign again');
      t.same(complaints.splice(0), []);
    });
  }

  t.test('a binding that is typed is edited letter by letter until it is finished', async (t) => {
    const canvas = await editOnCanvas('Hi ');
    await press('End');
    await page.keyboard.type('{{fir');
    await press('Backspace', 'Backspace');
    await shows(t, 'Hi {{f|', 'letters');
    await press('ArrowLeft', 'Delete');
    await page.keyboard.type('name}}');
    await shows(t, 'Hi {{name}}|', 'finished');
    await page.keyboard.type('!');
    await press('ArrowLeft', 'Backspace');
    await shows(t, 'Hi |!', 'one sign');
    await press('Control+z');
    t.match(await canvas.layer('t'), { text: 'Hi {{name}}!' }, 'what was typed before stays');
    t.same(complaints.splice(0), []);
  });

  t.test('a composition beside a chip is left alone', async (t) => {
    const canvas = await editOnCanvas('Hi {{name}}');
    await press('End');
    const devtools = await page.context().newCDPSession(page);
    for (const text of ['に', 'にほ', '日本']) {
      const [selectionStart, selectionEnd] = [text.length, text.length];
      await devtools.send('Input.imeSetComposition', { text, selectionStart, selectionEnd });
    }
    await devtools.send('Input.insertText', { text: '日本' });
    await shows(t, 'Hi {{name}}日本|', 'composed');
    await press('ArrowLeft', 'ArrowLeft', 'Backspace');
    t.match(await canvas.layer('t'), { text: 'Hi 日本' });
    t.same(complaints.splice(0), []);
  });

  for (const [name, edit] of fields) {
    t.test(`arrows select in the direction of the paragraph ${name}`, async (t) => {
      await edit('שלום {{name}}, כאן\nHi שלום you');
      await press('Control+Home', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft');
      await shows(t, 'ש[לו]ם {{name}}, כאן\nHi שלום you', 'to the left');
      await press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
      await shows(t, ']ש[לום {{name}}, כאן\nHi שלום you', 'to the right');
      await press('ArrowLeft', 'Control+ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft');
      await shows(t, 'שלום [{{name}}], כאן\nHi שלום you', 'a chip');
      await press('Shift+ArrowRight', 'ArrowLeft');
      await shows(t, 'שלום {{name}}|, כאן\nHi שלום you', 'and over it');
      await press('Control+Shift+ArrowLeft', 'Control+Shift+ArrowLeft', 'Shift+ArrowRight');
      await shows(t, 'שלום {{name}}[, כא]ן\nHi שלום you', 'a word');
      await press('Control+End', 'Shift+ArrowLeft', 'Control+Shift+ArrowLeft');
      await shows(t, 'שלום {{name}}, כאן\nHi שלום ]you[', 'a paragraph to the right');
      t.same(complaints.splice(0), []);
    });
  }
});

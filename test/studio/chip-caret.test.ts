/** The caret beside the chips of variables, in the text fields of the studio. */
import t from 'tap';
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';

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

/** Keys to press, and what the field shows then. */
type Step = readonly [keys: string, expected: string, message: string];

t.test('the caret passes a chip as one sign', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'caret', await startBrowser(t), base);
  const { page, keyboard, claim } = studio;
  /** Presses keys, and waits until the field shows `expected`: a selection settles a frame after a key. */
  async function follow(t: Test, steps: readonly Step[]): Promise<void> {
    for (const [keys, expected, message] of steps) {
      for (const key of keys.split(' ')) await keyboard.press(key);
      await shows(t, expected, message);
    }
  }
  async function shows(t: Test, expected: string, message: string): Promise<void> {
    let shown = '';
    await eventually(async () => (shown = await readField(page)) === expected);
    t.equal(shown, expected, message);
  }
  const editOnCanvas = (text: string, more: object = {}): Promise<CanvasPage> =>
    studio.editText({ text, fontSize: 14, ...more });
  const editInInspector = async (text: string): Promise<CanvasPage> => {
    const canvas = await editOnCanvas(text);
    await keyboard.press('Escape');
    await page.click('[data-layer="t"]');
    await page.focus('.p-row[data-field="text"] textarea');
    return canvas;
  };
  const fields: ReadonlyArray<[name: string, edit: (text: string) => Promise<CanvasPage>]> = [
    ['on the canvas', editOnCanvas],
    ['beside the image', (text) => editOnCanvas(text, { linePill: { fill: '#ffcc00' } })],
    ['in the inspector', editInInspector],
  ];
  for (const [name, edit] of fields) {
    claim(`of a text ${name}`, async (t) => {
      const canvas = await edit('Hi {{name}}, {{city | upper}} now');
      const right = 'ArrowRight ArrowRight ArrowRight ArrowRight';
      await follow(t, [
        [`Control+Home ${right}`, 'Hi {{name}}|, {{city | upper}} now', 'ArrowRight'],
        ['ArrowLeft', 'Hi |{{name}}, {{city | upper}} now', 'ArrowLeft'],
        ['Shift+ArrowRight', 'Hi [{{name}}], {{city | upper}} now', 'Shift selects it'],
        ['Shift+ArrowLeft Shift+ArrowLeft', 'Hi] [{{name}}, {{city | upper}} now', 'and a letter'],
        ['End Control+ArrowLeft Control+ArrowLeft', 'Hi {{name}}, |{{city | upper}} now', 'words'],
        ['Control+Shift+ArrowRight', 'Hi {{name}}, [{{city | upper}}] now', 'a selected word'],
        [`Home ${right} Backspace`, 'Hi |, {{city | upper}} now', 'Backspace'],
      ]);
      t.match(await canvas.layer('t'), { text: 'Hi , {{city | upper}} now' });
      await keyboard.press('Control+z');
      t.match(await canvas.layer('t'), { text: 'Hi {{name}}, {{city | upper}} now' }, 'one undo');
      await follow(t, [
        ['End Control+ArrowLeft ArrowLeft ArrowLeft Delete', 'Hi {{name}}, | now', 'Delete'],
        ['ArrowLeft ArrowLeft Control+Backspace', 'Hi |,  now', 'a word that is a chip'],
      ]);
    });

    claim(`the letters of a chip are edited by keys alone ${name}`, async (t) => {
      const canvas = await edit('Pay {{name}} now');
      const toChip = 'Control+Home Control+ArrowRight ArrowRight Shift+ArrowRight';
      await follow(t, [[toChip, 'Pay [{{name}}] now', 'selected by a key']]);
      await page.getByRole('button', { name: 'Edit', exact: true }).focus();
      await follow(t, [['Enter', 'Pay {{[name]}} now', 'its letters']]);
      await keyboard.type('cit');
      await follow(t, [['Backspace ArrowLeft', 'Pay {{c|i}} now', 'are removed one by one']]);
      await keyboard.press('ArrowRight');
      await keyboard.type('t');
      await keyboard.press('Enter');
      t.match(await canvas.layer('t'), { text: 'Pay {{city}} now' });
      const toStart = 'End Control+ArrowLeft ArrowLeft ArrowLeft';
      await follow(t, [[toStart, 'Pay |{{city}} now', 'then it is one sign again']]);
    });

    claim(`arrows select in the direction of the paragraph ${name}`, async (t) => {
      await edit('שלום {{name}}, כאן\nHi שלום you');
      const left = 'Shift+ArrowLeft Shift+ArrowLeft';
      const right = 'Shift+ArrowRight Shift+ArrowRight Shift+ArrowRight';
      const word = 'Control+Shift+ArrowLeft';
      const toChip = 'ArrowLeft Control+ArrowLeft ArrowLeft Shift+ArrowLeft';
      await follow(t, [
        [`Control+Home ArrowLeft ${left}`, 'ש[לו]ם {{name}}, כאן\nHi שלום you', 'to the left'],
        [right, ']ש[לום {{name}}, כאן\nHi שלום you', 'to the right'],
        [toChip, 'שלום [{{name}}], כאן\nHi שלום you', 'a chip'],
        ['Shift+ArrowRight ArrowLeft', 'שלום {{name}}|, כאן\nHi שלום you', 'and over it'],
        [`${word} ${word} Shift+ArrowRight`, 'שלום {{name}}[, כא]ן\nHi שלום you', 'a word'],
        [`Control+End Shift+ArrowLeft ${word}`, 'שלום {{name}}, כאן\nHi שלום ]you[', 'a paragraph'],
      ]);
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

  claim('a press in a chip goes to its nearer edge, and a second one selects it', async (t) => {
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
    await keyboard.press('ArrowRight');
    await formats.waitFor({ state: 'detached' });
    await page.mouse.dblclick(...(await pointOf(6)));
    await shows(t, 'Hi [{{name}}], welcome', 'two presses');
    await page.mouse.move(...(await pointOf(15)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOf(7)), { steps: 4 });
    await page.mouse.up();
    t.match(await readField(page), /^Hi \]\{\{name\}\}, we?\[/, 'a drag selects all of it');
    await keyboard.type('!');
    t.match(await canvas.layer('t'), { text: /^Hi !/ });
  });

  claim('a binding that is typed is edited letter by letter until it is finished', async (t) => {
    const canvas = await editOnCanvas('Hi ');
    await keyboard.press('End');
    await keyboard.type('{{fir');
    await follow(t, [['Backspace Backspace', 'Hi {{f|', 'letters']]);
    await follow(t, [['ArrowLeft Delete', 'Hi {{|', 'letters']]);
    await keyboard.type('name}}!');
    await follow(t, [['ArrowLeft Backspace', 'Hi |!', 'one sign']]);
    await keyboard.press('Control+z');
    t.match(await canvas.layer('t'), { text: 'Hi {{name}}!' }, 'what was typed before stays');
  });

  claim('a composition beside a chip is left alone', async (t) => {
    const canvas = await editOnCanvas('Hi {{name}}');
    await keyboard.press('End');
    const devtools = await page.context().newCDPSession(page);
    for (const text of ['に', 'にほ', '日本']) {
      const [selectionStart, selectionEnd] = [text.length, text.length];
      await devtools.send('Input.imeSetComposition', { text, selectionStart, selectionEnd });
    }
    await devtools.send('Input.insertText', { text: '日本' });
    await shows(t, 'Hi {{name}}日本|', 'composed');
    await follow(t, [['ArrowLeft ArrowLeft Backspace', 'Hi |日本', 'one sign']]);
    t.match(await canvas.layer('t'), { text: 'Hi 日本' });
  });
});

/** Texts are edited in place: the field lies over the letters of the image, in every look and direction. */
import t from 'tap';
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import type { PreviewReport } from '../../src/client/platen-client.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';

const sentence = 'Every seat in the house is a good one, and some of them are better.';
/** What a person sees in a field: its lines, in screen pixels. */
type SeenLine = { text: string; left: number; width: number };

/** A report leaves out those that it was easier to place words without. */
function withoutSpaces(line: string): string {
  return line.replaceAll(/\s/g, '');
}

/** By the boxes of its letters. */
function readLines(page: Page): Promise<SeenLine[]> {
  return page.evaluate(() => {
    const lines: Array<{ text: string; left: number; right: number; bottom: number }> = [];
    const field = document.querySelector('.span-field');
    if (field === null) return [];
    const walker = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const letter = range.toString();
        const { left, right, bottom } = range.getBoundingClientRect();
        const line = lines.at(-1);
        if (line === undefined || left < line.right - 6) {
          lines.push({ text: letter, left, right, bottom });
          continue;
        }
        line.text += letter;
        if (letter !== ' ') line.right = right;
      }
    }
    return lines.map(({ text, left, right }) => ({ text: text.trim(), left, width: right - left }));
  });
}

/** A line in design pixels of the canvas. */
type Line = { x: number; width: number };

/** Lines of the field, one for each paragraph of its only span. */
async function readParagraphs(page: Page, canvas: CanvasPage): Promise<Line[]> {
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

t.test('texts are edited in place', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'text', await startBrowser(t), base);
  const { page, keyboard, client, claim } = studio;
  const field = page.locator('.span-field');
  const edit = (more: object): Promise<CanvasPage> =>
    studio.editText({ width: 200, fontSize: 15, ...more });

  /** Of the text as it is drawn. */
  async function drawnLines(): Promise<PreviewReport['layers'][number]['text']> {
    const uid = new URL(page.url()).hash.replace('#/t/', '');
    return (await client.previewReport({ uid })).layers[0]?.text;
  }

  /** The lines that a browser makes begin and end where the drawn ones do. */
  async function agree(t: Test, canvas: CanvasPage): Promise<void> {
    await page.evaluate('document.fonts.ready');
    const { lines = [] } = (await drawnLines()) ?? {};
    const drawn = lines.map((line) => withoutSpaces(line.text));
    t.ok(
      await eventually(
        async () =>
          JSON.stringify((await readLines(page)).map((each) => withoutSpaces(each.text))) ===
          JSON.stringify(drawn),
      ),
      drawn.join(' / '),
    );
    const [left] = await canvas.at({ x: 0, y: 0 });
    for (const [index, line] of (await readLines(page)).entries()) {
      const wanted = lines[index];
      t.ok(Math.abs(line.left - left - (wanted?.x ?? 0)) < 2, `${line.left - left} ${wanted?.x}`);
      t.ok(Math.abs(line.width - (wanted?.width ?? 0)) < 3, `${line.width} ${wanted?.width}`);
    }
  }

  claim('spans lie over their letters, and typed words belong to that at the caret', async (t) => {
    const slanted = { fontStyle: 'italic', transform: 'uppercase' };
    const spans = [
      { text: 'Hello ' },
      { text: 'dear ', fontWeight: 800, fontSize: 26 },
      { text: '{{name}}', fontFamily: 'Playfair Display', ...slanted },
    ];
    const canvas = await edit({ spans, width: 360 });
    t.equal(await field.textContent(), 'Hello dear {{name}}');
    t.equal(await page.locator('.text-note').count(), 0);
    const looks = await field.evaluate((element) =>
      [...element.querySelectorAll('span')].map((span) => {
        const { fontSize, fontWeight, textTransform } = getComputedStyle(span);
        return [fontSize, fontWeight, textTransform];
      }),
    );
    t.same(looks, [
      ['15px', '400', 'none'],
      ['26px', '800', 'none'],
      ['15px', '400', 'uppercase'],
    ]);
    await keyboard.press('Home');
    for (const _ of 'Hello dear') await keyboard.press('ArrowRight');
    await keyboard.type('est');
    await keyboard.press('End');
    await keyboard.press('Enter');
    await keyboard.type('Bye');
    t.equal(await field.textContent(), 'Hello dearest {{name}}\nBye');
    await keyboard.press('Backspace');
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), {
      spans: [{ text: 'Hello ' }, { text: 'dearest ', fontWeight: 800 }, { text: '{{name}}\nBy' }],
    });
    await keyboard.press('Control+z');
    t.match(await canvas.layer('t'), { spans: [{}, {}, { text: '{{name}}\nBye' }] }, 'a deletion');
    await keyboard.press('Control+z');
    t.match(await canvas.layer('t'), { spans }, 'all that was typed is one step');
  });

  const looks: Readonly<Record<string, object>> = {
    spans: {
      spans: [
        { text: 'Every seat in the house ' },
        { text: 'is a good one, ', fontWeight: 700, fontSize: 22 },
        { text: 'and some are better.', fontFamily: 'Playfair Display' },
      ],
      height: 110,
      verticalAlign: 'middle',
    },
    // Unbalanced, "aboard," stands in the first line.
    balance: { text: 'Welcome aboard, Amanda', width: 140, align: 'center', balance: true },
    justify: { text: sentence, align: 'justify' },
  };
  for (const [name, look] of Object.entries(looks)) {
    claim(`the lines of a field are those of the image: ${name}`, async (t) => {
      await agree(t, await edit(look));
    });
  }

  claim('the sample value of a variable has the look of its span', async (t) => {
    const spans = [{ text: '{{name}}', fontWeight: 800 }];
    const canvas = await edit({ spans, x: 220, y: 230 });
    t.equal(await field.textContent(), 'friend');
    await keyboard.type('Zoë');
    t.equal(await field.textContent(), 'Zoë');
    const note = await page.locator('.text-note').boundingBox();
    const bar = await page.locator('.zoom-bar').boundingBox();
    const window = await page.locator('.canvas-window').boundingBox();
    if (note === null || bar === null || window === null) throw new Error('not shown');
    t.ok(note.y + note.height < bar.y, 'the note lies above the bar');
    t.ok(note.x + note.width < window.x + window.width);
    await page.getByRole('button', { name: 'Edit the text' }).click();
    t.ok(await eventually(async () => (await field.textContent()) === '{{name}}'));
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), { spans });
  });

  claim('what no browser sets alike has its field beside it', async (t) => {
    const canvas = await edit({ text: 'Pill', linePill: { fill: '#ffcc00' } });
    await page.locator('.text-aside textarea').fill('Pills');
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), { text: 'Pills' });
  });

  const arabic = { fontFamily: 'Noto Sans Arabic', fontSize: 24, x: 30, width: 330, height: 120 };
  for (const [name, more] of [
    ['paragraphs, each in its direction', { text: 'مرحبا بالعالم\nHello مرحبا\n12 مرحبا\n345' }],
    ['paragraphs that end at the end', { text: 'مرحبا\nHello', align: 'end' }],
    ['a text that is forced to the right', { text: 'Hello\nمرحبا', direction: 'rtl' }],
  ] as const) {
    claim(`the field covers ${name}`, async (t) => {
      const canvas = await edit({ ...arabic, ...more });
      const drawn = (await drawnLines())?.lines ?? [];
      const isOver = ({ x, width }: Line, index: number): boolean =>
        Math.abs(x - (drawn[index]?.x ?? 0)) < 2 &&
        Math.abs(width - (drawn[index]?.width ?? 0)) < 3;
      // The font of the field may still load.
      await eventually(async () => (await readParagraphs(page, canvas)).every(isOver), 10_000);
      const lines = await readParagraphs(page, canvas);
      t.ok(lines.every(isOver), JSON.stringify({ lines, drawn }));
      t.equal(lines.length, drawn.length);
    });
  }

  claim('a double-clicked word is selected and styled alone', async (t) => {
    const canvas = await edit({ ...arabic, text: 'مرحبا بالعالم هنا' });
    for (const [word, x] of [
      ['هنا', 225],
      ['مرحبا', 340],
    ] as const) {
      await page.mouse.dblclick(...(await canvas.at({ x, y: 35 })));
      t.equal(await page.evaluate(() => String(getSelection()).trim()), word);
    }
    await keyboard.press('Control+b');
    t.match(await canvas.layer('t'), {
      spans: [{ text: /^مرحبا ?$/, fontWeight: 700 }, { text: /بالعالم هنا$/ }],
    });
    await keyboard.press('ArrowRight');
    await keyboard.press('End');
    await keyboard.type('ك');
    t.equal(await field.textContent(), 'مرحبا بالعالم هناك', 'the end is at the left');
  });
});

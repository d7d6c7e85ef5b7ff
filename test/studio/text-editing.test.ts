import t from 'tap';
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import type { PreviewReport } from '../../src/client/platen-client.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { placeBeside } from '../../src/studio/canvas/tools/bars.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const words = 'Every seat in the house is a good one, and some of them are better.';
const standard = { type: 'text', x: 20, y: 20, width: 200, height: 60, fontSize: 15 };
const text = (id: string, more: object): object => ({
  ...standard,
  id,
  overflow: 'visible',
  ...more,
});

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
    return lines.map((line) => ({
      text: line.text.trim(),
      left: line.left,
      width: line.right - line.left,
    }));
  });
}

t.test('what stands beside a text is inside the window, clear of its bars', (t) => {
  const window = { width: 800, height: 500 };
  const size = { width: 300, height: 30 };
  const position = (x: number, y: number, height = 40) =>
    placeBeside({ x, y, width: 200, height }, size, window);
  t.same(position(100, 100), { x: 100, y: 148 }, 'below');
  t.same(position(100, 400), { x: 100, y: 362 }, 'above, where the bar of the zoom is below');
  t.same(position(700, 100), { x: 492, y: 148 }, 'inside at the right');
  t.same(position(-50, 100), { x: 8, y: 148 }, 'and at the left');
  t.same(position(100, 20, 460), { x: 100, y: 412 }, 'over a text that fills the window');
  t.same(position(100, 900), { x: 100, y: 412 }, 'and for one that lies below it');
  const list = { width: 300, height: 240 };
  t.same(
    placeBeside({ x: 100, y: 140, width: 200, height: 80 }, list, window),
    { x: 100, y: 228 },
    'over a bar rather than over the text',
  );
  t.end();
});

t.test('texts of every look are edited in place', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const context = await studioContext(browser);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** Opens a template of one text, and that for editing. */
  async function edit(more: object): Promise<CanvasPage> {
    count += 1;
    const uid = `text-${count}`;
    const layer = text('t', more) as { x: number; y: number };
    const readDocument = await saveCanvas(base, uid, [layer]);
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.waitForFunction((name) => globalThis.document.title.startsWith(`${name} `), uid);
    await page.waitForSelector('.canvas-sheet img');
    const canvas = new CanvasPage(page, readDocument);
    await page.mouse.dblclick(...(await canvas.at({ x: layer.x + 30, y: layer.y + 10 })));
    await page.waitForSelector('.text-editor');
    return canvas;
  }

  /** Of the text as it is drawn. */
  async function drawnLines(): Promise<PreviewReport['layers'][number]['text']> {
    const report = await client.previewReport({ uid: `text-${count}` });
    return report.layers[0]?.text;
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

  t.test(
    'spans lie over their letters, and what is typed belongs to that at the caret',
    async (t) => {
      const spans = [
        { text: 'Hello ' },
        { text: 'dear ', fontWeight: 800, fontSize: 26 },
        {
          text: '{{name}}',
          fontFamily: 'Playfair Display',
          fontStyle: 'italic',
          transform: 'uppercase',
        },
      ];
      const canvas = await edit({ spans, width: 360 });
      const field = page.locator('.span-field');
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
      await page.keyboard.press('Home');
      for (let letter = 0; letter < 'Hello dear'.length; letter += 1) {
        await page.keyboard.press('ArrowRight');
      }
      await page.keyboard.type('est');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Bye');
      t.equal(await field.textContent(), 'Hello dearest {{name}}\nBye');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Escape');
      t.match(await canvas.layer('t'), {
        spans: [
          { text: 'Hello ' },
          { text: 'dearest ', fontWeight: 800 },
          { text: '{{name}}\nBy' },
        ],
      });
      await page.keyboard.press('Control+z');
      t.match(
        await canvas.layer('t'),
        { spans: [{}, {}, { text: '{{name}}\nBye' }] },
        'a deletion',
      );
      await page.keyboard.press('Control+z');
      t.match(await canvas.layer('t'), { spans }, 'all that was typed is one step');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('the lines of spans are those of the image', async (t) => {
    const spans = [
      { text: 'Every seat in the house ' },
      { text: 'is a good one, ', fontWeight: 700, fontSize: 22 },
      { text: 'and some are better.', fontFamily: 'Playfair Display' },
    ];
    await agree(t, await edit({ spans, height: 110, verticalAlign: 'middle' }));
    t.same(complaints.splice(0), []);
  });

  t.test('balanced lines are those of the image', async (t) => {
    // Unbalanced, "aboard," stands in the first line.
    const greeting = { text: 'Welcome aboard, Amanda', width: 140, align: 'center' };
    await agree(t, await edit({ ...greeting, balance: true }));
    t.same(complaints.splice(0), []);
  });

  t.test('so are justified ones', async (t) => {
    await agree(t, await edit({ text: words, align: 'justify' }));
    t.same(complaints.splice(0), []);
  });

  t.test('the sample value of a variable has the look of its span', async (t) => {
    const spans = [{ text: '{{name}}', fontWeight: 800 }];
    const canvas = await edit({ spans, x: 220, y: 230 });
    const field = page.locator('.span-field');
    t.equal(await field.textContent(), 'friend');
    await page.keyboard.type('Zoë');
    t.equal(await field.textContent(), 'Zoë');
    const note = await page.locator('.text-note').boundingBox();
    const bar = await page.locator('.zoom-bar').boundingBox();
    const window = await page.locator('.canvas-window').boundingBox();
    if (note === null || bar === null || window === null) throw new Error('not shown');
    t.ok(note.y + note.height < bar.y, 'the note lies above the bar');
    t.ok(note.x + note.width < window.x + window.width);
    await page.getByRole('button', { name: 'Edit the text' }).click();
    t.ok(await eventually(async () => (await field.textContent()) === '{{name}}'));
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('t'), { spans });
    t.same(complaints.splice(0), []);
  });

  t.test('capitals are seen while small letters are written', async (t) => {
    const canvas = await edit({ text: 'Sale', transform: 'uppercase' });
    const field = page.locator('.span-field');
    await field.fill('Sold out');
    const letters = page.locator('.span-field span');
    t.equal(await letters.evaluate((each) => getComputedStyle(each).textTransform), 'uppercase');
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('t'), { text: 'Sold out' });
    t.same(complaints.splice(0), []);
  });

  t.test('what no browser sets alike has its field beside it', async (t) => {
    const canvas = await edit({ text: 'Pill', linePill: { fill: '#ffcc00' } });
    await page.locator('.text-aside textarea').fill('Pills');
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('t'), { text: 'Pills' });
    t.same(complaints.splice(0), []);
  });
});

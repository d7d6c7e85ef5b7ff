/** The bar of a text that is edited on the canvas, in a browser. */
import sharp from 'sharp';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const kit = {
  colors: [{ id: 'primary', name: 'Primary', value: '#aa0055' }],
  textStyles: [],
  logos: [],
  fonts: [{ id: 'body', name: 'Body', family: 'Fraunces' }],
};

/** Contrast of two colours in hexadecimal digits (WCAG 2.2). */
function contrastOf(...colors: [string, string]): number {
  const [one = 0, other = 0] = colors.map((digits) => {
    const [red = 0, green = 0, blue = 0] = [...Buffer.from(digits, 'hex')].map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

t.test('the bar of an edited text', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const { keyboard } = page;
  const bar = page.getByRole('toolbar', { name: 'Look of the selected text' });
  await client.request('PUT /v1/brand', { body: kit });
  t.teardown(async () => {
    // Other files share the organization.
    const none = { colors: [], textStyles: [], logos: [], fonts: [] };
    await client.request('PUT /v1/brand', { body: none });
  });

  /** Opens a template of one text, and that for editing. All of it is selected. */
  async function edit(
    uid: string,
    more: object,
    below: readonly object[] = [],
  ): Promise<CanvasPage> {
    const box = { x: 20, y: 20, width: 360, height: 60 };
    const layer = { id: 't', type: 'text', ...box, fontSize: 20, overflow: 'visible', ...more };
    const canvas = await openCanvas(page, base, uid, [...below, layer]);
    await page.mouse.dblclick(...(await canvas.at({ x: 50, y: 30 })));
    await page.waitForSelector('.text-editor :is(.span-field, textarea):focus');
    return canvas;
  }

  /** Contrast of the letters of the first chip with its ground, which is its most frequent colour. */
  async function chipContrast(): Promise<number> {
    const boxOf = async (): Promise<{ x: number; y: number; width: number; height: number }> =>
      page.evaluate(() => {
        const [range] = [...(CSS.highlights.get('binding') ?? [])] as Range[];
        const { x, y, width, height } = range?.getBoundingClientRect() ?? new DOMRect();
        return { x: x + 1, y: y + 2, width: width - 2, height: height - 4 };
      });
    t.ok(await eventually(async () => (await boxOf()).height > 0), 'the chip is shown');
    const { x, y, width, height } = await boxOf();
    const seen = await page.screenshot({ clip: { x, y, width, height } });
    const data = await sharp(seen).removeAlpha().raw().toBuffer();
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 3) {
      const color = data.subarray(at, at + 3).toString('hex');
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    const [[ground] = ['']] = [...counts].toSorted(([, one], [, other]) => other - one);
    t.ok((counts.get(ground) ?? 0) > data.length / 3 / 3, 'the ground is plain');
    return Math.max(...[...counts.keys()].map((color) => contrastOf(color, ground)));
  }

  t.test('colours and fonts of the brand kit are followed, by all words or some', async (t) => {
    const canvas = await edit('bar-brand', { text: 'one two' });
    await bar.locator('.p-swatch').click();
    await page.getByRole('button', { name: 'Use Primary' }).click();
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), {
      fill: '#aa0055',
      brand: [{ property: 'fill', entry: 'primary' }],
    });
    await page.mouse.dblclick(...(await canvas.at({ x: 50, y: 30 })));
    await page.waitForSelector('.span-field');
    await keyboard.press('End');
    await keyboard.press('Control+Shift+ArrowLeft');
    await bar.locator('.text-bar-family').click();
    await page.getByRole('button', { name: 'Body, Fraunces, of the brand kit' }).click();
    await page.locator('.p-popover').waitFor({ state: 'detached' });
    await keyboard.press('Home');
    await keyboard.press('Shift+ArrowRight');
    await keyboard.press('Control+i');
    await keyboard.press('Escape');
    t.match(await canvas.layer('t'), {
      spans: [
        { text: 'o', fontStyle: 'italic' },
        { text: 'ne ' },
        { text: 'two', fontFamily: 'Fraunces' },
      ],
      brand: [
        { property: 'fill', entry: 'primary' },
        { property: 'spans.2.fontFamily', entry: 'body' },
      ],
    });
    const fonts = [{ id: 'body', name: 'Body', family: 'Space Grotesk' }];
    const colors = [{ id: 'primary', name: 'Primary', value: '#00aa55' }];
    await client.request('PUT /v1/brand', { body: { ...kit, colors, fonts } });
    await client.request('POST /v1/templates/{uid}/brand', { path: { uid: 'bar-brand' } });
    t.match(await client.getTemplateDocument('bar-brand'), {
      layers: [{ fill: '#00aa55', spans: [{}, {}, { fontFamily: 'Space Grotesk' }] }],
    });
    t.same(complaints.splice(0), []);
  });

  t.test(
    'the bar is clear of written bindings that take more lines than their values',
    async (t) => {
      const fields = [{ name: 'name', type: 'text', value: 'A' }];
      const items = { name: 'items', type: 'list', fields, value: [{ name: 'B' }, { name: 'C' }] };
      const words = { id: 'words', type: 'text', text: '{{item.name}} and {{item.name}}' };
      const layer = { ...words, width: 'fill', height: 'hug', fontSize: 20 };
      const box = { x: 20, y: 20, width: 160, height: 'hug' };
      const stack = { id: 's', type: 'stack', ...box, repeat: { list: 'items' }, layers: [layer] };
      await openCanvas(page, base, 'bar-lines', [stack], { variables: [items] });
      await page.locator('[data-layer="words"]').click();
      await page.focus('.canvas-window');
      await keyboard.press('Enter');
      await page.locator('.span-field:focus').waitFor();
      const isClear = async (): Promise<boolean> => {
        const [field, tools] = await Promise.all([
          page.locator('.span-field').boundingBox(),
          bar.boundingBox(),
        ]);
        if (field === null || tools === null) throw new Error('not shown');
        return field.height > 40 && tools.y >= field.y + field.height;
      };
      t.ok(await eventually(isClear));
      await keyboard.press('End');
      await keyboard.type(' of {{item.name}} and more of it');
      t.ok(await eventually(isClear), 'also while it grows');
      t.same(complaints.splice(0), []);
    },
  );

  for (const theme of ['light', 'dark'] as const) {
    t.test(`a chip of a variable is read over any background, ${theme}`, async (t) => {
      await page.emulateMedia({ colorScheme: theme });
      const photo = await sharp({
        create: {
          width: 200,
          height: 50,
          channels: 3,
          background: '#808080',
          noise: { type: 'gaussian', mean: 128, sigma: 90 },
        },
      })
        .png()
        .toBuffer();
      const stops = [
        { offset: 0, color: '#ffffff' },
        { offset: 1, color: '#1d4fae' },
      ];
      const grounds = {
        gradient: { type: 'rect', fill: { gradient: 'linear', angle: 90, stops } },
        photo: { type: 'image', src: (await client.uploadAsset(photo)).id },
      };
      for (const [name, ground] of Object.entries(grounds)) {
        const below = { id: 'ground', x: 0, y: 0, width: 400, height: 300, ...ground };
        for (const fill of ['#ffffff', '#808080']) {
          await edit(`chip-${theme}-${name}-${fill.slice(1)}`, { text: 'Hi {{name}}', fill }, [
            below,
          ]);
          t.ok((await chipContrast()) >= 4.5, `${fill} over the ${name}, selected`);
          await keyboard.press('End');
          t.ok((await chipContrast()) >= 4.5, `${fill} over the ${name}`);
        }
      }
      t.same(complaints.splice(0), []);
    });
  }

  t.test(
    'a field beside the text shows chips at its variables, also where it scrolls',
    async (t) => {
      const text = 'Dear {{name}}, welcome to {{city}}. '.repeat(6);
      await edit('bar-aside', { text, linePill: { fill: '#ffcc00' } });
      const chips = page.locator('.text-aside .p-chips');
      t.equal(await chips.locator('mark').count(), 12);
      await keyboard.press('Control+End');
      const scrolled = (): Promise<[chips: number, field: number]> =>
        page.evaluate(() => {
          const top = (selector: string) => document.querySelector(selector)?.scrollTop ?? 0;
          return [top('.text-aside .p-chips'), top('.text-aside textarea')];
        });
      t.ok(
        await eventually(async () => {
          const [ofChips, ofField] = await scrolled();
          return ofChips === ofField && ofField > 0;
        }),
      );
      t.same(complaints.splice(0), []);
    },
  );

  t.test('an exact colour is pasted for selected words, which stay selected', async (t) => {
    const canvas = await edit('bar-digits', { text: 'one two' });
    await keyboard.press('End');
    await keyboard.press('Control+Shift+ArrowLeft');
    await bar.locator('.p-swatch').click();
    const digits = page.getByLabel('Hex');
    /** Pastes in place of the digits. */
    const paste = async (text: string): Promise<void> => {
      await digits.press('Control+a');
      await page.evaluate((written) => navigator.clipboard.writeText(written), text);
      await keyboard.press('Control+v');
    };
    await paste('no colour');
    await keyboard.press('Enter');
    t.equal(await digits.inputValue(), '#000000');
    const pasted = [];
    for (const text of ['#ff6600', '00ff66', 'rgb(102, 0, 255)']) {
      await paste(text);
      await keyboard.press('Enter');
      pasted.push(await digits.inputValue());
    }
    t.same(pasted, ['#ff6600', '#00ff66', '#6600ff']);
    await keyboard.press('Escape');
    await page.locator('.span-field:focus').waitFor();
    t.equal(await page.evaluate('String(getSelection())'), 'two');
    await keyboard.type('2');
    t.match(await canvas.layer('t'), { spans: [{ text: 'one ' }, { text: '2', fill: '#6600ff' }] });
    t.same(complaints.splice(0), []);
  });

  t.test('the bar has the names of keys that stand on the keyboard', async (t) => {
    await edit('bar-keys', { text: 'one two' });
    const title = (): Promise<string | null> =>
      bar.getByRole('button', { name: 'bold' }).getAttribute('title');
    t.equal(await title(), 'bold (Ctrl+B)');
    await page.evaluate("Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })");
    // A new selection shows the bar again.
    await keyboard.press('End');
    await keyboard.press('Shift+ArrowLeft');
    t.ok(await eventually(async () => (await title()) === 'bold (⌘B)'));
    t.same(complaints.splice(0), []);
  });
});

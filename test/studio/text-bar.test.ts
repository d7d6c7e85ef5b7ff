/** The bar of a text that is edited on the canvas, and the chips of its variables. */
import t from 'tap';
import sharp from 'sharp';
import type { Test } from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { startStudio } from './canvas-page.ts';

const emptyKit = { colors: [], textStyles: [], logos: [], fonts: [] };
const colors = [{ id: 'primary', name: 'Primary', value: '#aa0055' }];
const kit = { ...emptyKit, colors, fonts: [{ id: 'body', name: 'Body', family: 'Fraunces' }] };

/** Contrast of two colours in hexadecimal digits (WCAG 2.2). */
function contrastOf(...pair: [string, string]): number {
  const [one = 0, other = 0] = pair.map((digits) => {
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
  const studio = await startStudio(t, 'bar', await startBrowser(t), base);
  const { page, keyboard, client, open, editText: edit, claim } = studio;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const bar = page.getByRole('toolbar', { name: 'Look of the selected text' });
  await client.request('PUT /v1/brand', { body: kit });
  t.teardown(async () => {
    // Other files share the organization.
    await client.request('PUT /v1/brand', { body: emptyKit });
  });

  /** Contrast of the letters of the first chip with its ground, which is its most frequent colour. */
  async function chipContrast(t: Test): Promise<number> {
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

  claim('colours and fonts of the brand kit are followed, by all words or some', async (t) => {
    const canvas = await edit({ text: 'one two' });
    await bar.locator('.p-swatch').click();
    await page.getByRole('button', { name: 'Use Primary' }).click();
    await keyboard.press('Escape');
    const fill = { property: 'fill', entry: 'primary' };
    t.match(await canvas.layer('t'), { fill: '#aa0055', brand: [fill] });
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
    const two = { text: 'two', fontFamily: 'Fraunces' };
    t.match(await canvas.layer('t'), {
      spans: [{ text: 'o', fontStyle: 'italic' }, { text: 'ne ' }, two],
      brand: [fill, { property: 'spans.2.fontFamily', entry: 'body' }],
    });
  });

  claim('the bar is clear of bindings that take more lines than their values', async (t) => {
    const fields = [{ name: 'name', type: 'text', value: 'A' }];
    const items = { name: 'items', type: 'list', fields, value: [{ name: 'B' }, { name: 'C' }] };
    const words = { id: 'words', type: 'text', text: '{{item.name}} and {{item.name}}' };
    const layer = { ...words, width: 'fill', height: 'hug', fontSize: 20 };
    const box = { x: 20, y: 20, width: 160, height: 'hug' };
    const stack = { id: 's', type: 'stack', ...box, repeat: { list: 'items' }, layers: [layer] };
    await open([stack], { variables: [items] });
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
  });

  for (const theme of ['light', 'dark'] as const) {
    claim(`a chip of a variable is read over a photo, ${theme}`, async (t) => {
      await page.emulateMedia({ colorScheme: theme });
      const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const;
      const create = { width: 200, height: 50, channels: 3, background: '#808080', noise } as const;
      const { id: src } = await client.uploadAsset(await sharp({ create }).png().toBuffer());
      const photo = { id: 'ground', type: 'image', x: 0, y: 0, width: 400, height: 300, src };
      for (const fill of ['#ffffff', '#808080']) {
        await edit({ text: 'Hi {{name}}', fill }, [photo]);
        t.ok((await chipContrast(t)) >= 4.5, `${fill}, selected`);
        await keyboard.press('End');
        t.ok((await chipContrast(t)) >= 4.5, fill);
      }
    });
  }

  claim('a field beside the text shows chips, also where it scrolls', async (t) => {
    const text = 'Dear {{name}}, welcome to {{city}}. '.repeat(6);
    await edit({ text, linePill: { fill: '#ffcc00' } });
    const chips = page.locator('.text-aside .p-chips');
    t.equal(await chips.locator('mark').count(), 12);
    await keyboard.press('Control+End');
    const isInLine = (): Promise<boolean> =>
      page.evaluate(() => {
        const top = (selector: string) => document.querySelector(selector)?.scrollTop ?? 0;
        const ofField = top('.text-aside textarea');
        return top('.text-aside .p-chips') === ofField && ofField > 0;
      });
    t.ok(await eventually(isInLine));
  });

  claim('an exact colour is pasted for selected words, which stay selected', async (t) => {
    const canvas = await edit({ text: 'one two' });
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
  });
});

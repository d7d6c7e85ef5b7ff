/** Crops of images in stacks and lists, in a browser, and the reasons why an image cannot be cropped. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const photo = { id: 'pic', type: 'image', width: 100, height: 75, src } as const;
const sun = { id: 'sun', type: 'ellipse', width: 40, height: 40, fill: '#ff8800' } as const;
const sides = { x: 40, y: 50, width: 'hug', height: 'hug' } as const;
const stack = { id: 'row', type: 'stack', ...sides, direction: 'row', gap: 10 } as const;

t.test('crops in stacks', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;
  const open = async (layer: object, more: object = {}): Promise<CanvasPage> => {
    count += 1;
    const canvas = await openCanvas(page, base, `stack-crop-${count}`, [layer], more);
    await page.locator('[data-layer="pic"]').click();
    await canvas.focus();
    return canvas;
  };
  const value = [{ title: 'Tea' }, { title: 'Cup' }];
  const fields = [{ name: 'title', type: 'text', value: '' }];
  const list = { variables: [{ name: 'items', type: 'list', fields, value }] };
  const kinds = [
    { name: 'a stack', layer: { ...stack, layers: [sun, photo] }, left: 90, more: {} },
    {
      name: 'a list',
      layer: { ...stack, repeat: { list: 'items' }, layers: [photo] },
      left: 40,
      more: list,
    },
  ];
  for (const { name, layer, left, more } of kinds) {
    t.test(`an image in ${name} is cropped`, async (t) => {
      const canvas = await open(layer, more);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.crop');
      const right = left + 100;
      await canvas.drag({ x: right, y: 87 }, { x: right - 50, y: 87 }, []);
      const cropped = await canvas.find('pic');
      t.match(cropped, { width: 50, height: 75, crop: { x: 0, width: 0.5, height: 1 } });
      await canvas.drag({ x: left + 25, y: 87 }, { x: left + 5, y: 87 }, []);
      const moved = await canvas.find('pic');
      t.match(moved, { width: 50, height: 75, crop: { x: 0.2, width: 0.5 } });
      t.notOk('x' in moved || 'y' in moved);
      await page.keyboard.press('Enter');
      t.equal(await page.locator('.crop').count(), 0);
      t.same(complaints.splice(0), []);
    });
  }

  t.test('a notice and the menu say why an image cannot be cropped', async (t) => {
    const cases = [
      [{ ...photo, x: 20, y: 20, flipX: true }, /mirrored/],
      [{ ...stack, width: 300, layers: [{ ...photo, width: 'fill' }] }, /in pixels/],
    ] as const;
    for (const [layer, reason] of cases) {
      await open(layer);
      await page.keyboard.press('Enter');
      await page.locator('.notice').filter({ hasText: reason }).waitFor();
      t.equal(await page.locator('.crop').count(), 0);
      await page.keyboard.press('Shift+F10');
      const item = page.getByRole('menuitem', { name: 'Crop the image' });
      t.equal(await item.getAttribute('aria-disabled'), 'true');
      t.match(await item.getAttribute('title'), reason);
      await page.keyboard.press('Escape');
    }
    t.same(complaints.splice(0), []);
  });
});

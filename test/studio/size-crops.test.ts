/** Crops of an image in one size of a template, in a browser: other sizes keep what they show. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** An image of four colours: red and green above, blue and black below. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="200" height="100" fill="#ff0000"/><rect x="200" width="200" height="100" fill="#00ff00"/><rect y="100" width="200" height="100" fill="#0000ff"/><rect x="200" y="100" width="200" height="100"/></svg>')}`;

t.test('an image is cropped in one size', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser, 900)).newPage();
  const complaints = watchPage(page, base);
  const chooser = page.getByLabel('Size that is shown');
  const more = { sizes: [{ name: 'tall', width: 400, height: 420 }] };
  const box = { x: 20, y: 20, width: 300, height: 150 };
  const photo = { id: 'pic', type: 'image', ...box, src, zoom: 1.5, smartCrop: true };
  const tall = { x: 100, y: 100, width: 100, height: 200 };
  const show = async (name: string, height: number): Promise<void> => {
    await chooser.selectOption(name);
    await eventually(() =>
      page
        .locator('.canvas-sheet img')
        .evaluate((img, px) => (img as HTMLImageElement).naturalHeight === px, height),
    );
  };

  t.test('a crop in a size is of this size, and the canvas keeps its image', async (t) => {
    const canvas = await openCanvas(
      page,
      base,
      'crop-tall',
      [{ ...photo, bySize: { tall } }],
      more,
    );
    await show('tall', 420);
    await canvas.click({ x: 150, y: 200 });
    await page.keyboard.press('Enter');
    await page.waitForSelector('.crop');
    await canvas.drag({ x: 150, y: 200 }, { x: 180, y: 200 }, []);
    await canvas.drag({ x: 150, y: 300 }, { x: 150, y: 240 }, []);
    await page.keyboard.press('Escape');
    const { bySize, ...whole } = (await canvas.layer('pic')) ?? {};
    t.match(whole, photo);
    t.notOk('crop' in whole);
    t.match(bySize?.['tall'], { height: 140, crop: {}, zoom: 1, smartCrop: false });
    const reset = page.getByRole('button', { name: /^Reset crop, which differs/i });
    await reset.waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    t.same(await canvas.layer('pic'), { ...photo, bySize: { tall } });
    t.same(complaints.splice(0), []);
  });

  t.test('a crop on the canvas leaves sizes that have a box of their size', async (t) => {
    const layers = [
      { ...photo, bySize: { tall: { width: 100 } } },
      { ...photo, id: 'same', y: 180, height: 100, bySize: { tall: { y: 300 } } },
    ];
    const canvas = await openCanvas(page, base, 'crop-base', layers, more);
    for (const y of [95, 230]) {
      await canvas.click({ x: 170, y });
      await page.keyboard.press('Enter');
      await page.waitForSelector('.crop');
      await canvas.drag({ x: 20, y }, { x: 170, y }, []);
      await page.keyboard.press('Escape');
    }
    const [pic, same] = await canvas.layers();
    const { zoom, smartCrop } = photo;
    const region = { x: 0, y: 0, width: 1, height: 1 };
    t.match(pic, {
      x: 170,
      width: 150,
      bySize: { tall: { x: 20, crop: region, zoom, smartCrop } },
    });
    t.same(pic?.bySize?.['tall']?.['width'], 100);
    t.notOk('zoom' in (pic ?? {}));
    t.same(same?.bySize, { tall: { y: 300 } }, 'a size with the same box shows the crop');
    t.same(complaints.splice(0), []);
  });
});

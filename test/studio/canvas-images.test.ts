import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** A grey image, as an address. */
const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#888"/></svg>')}`;
const text = { type: 'text', x: 20, width: 200, height: 40, fontSize: 24 };

t.test('images, sizes and lists of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;
  const open = (layers?: readonly object[]): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `images-${count}`, layers);
  };

  t.test('an image that a variable gives keeps its upload, its image and its name', async (t) => {
    const canvas = await open([
      { id: 'image-7', type: 'image', name: 'Club logo', x: 20, y: 20, width: 80, height: 60, src },
    ]);
    await canvas.click({ x: 60, y: 50 });
    const field = page.locator('[data-field="src"]');
    t.equal(await field.locator('input[type="text"]').inputValue(), '', 'no address for people');
    await page.getByRole('button', { name: 'Make source dynamic' }).click();
    t.same(await field.locator('select option').allTextContents(), ['{{Club_logo}}'], 'no texts');
    await field.getByLabel('Name').fill('logo');
    await field.getByLabel('Name').press('Enter');
    t.match(await canvas.layer('image-7'), { src: '{{logo}}' });
    await field.locator('.p-thumb img').waitFor();
    await field.locator('.p-focus').waitFor();
    t.equal(await field.getByText('Upload').count(), 1);
    t.same(complaints.splice(0), []);
  });

  t.test('an address that fails is asked for once, and reports no error of the page', async (t) => {
    const sources: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview')) return;
      const { template } = request.postDataJSON() as {
        template?: { name: string; layers: { src?: string }[] };
      };
      if (template?.name === 'thumbnail') sources.push(template.layers[0]?.src ?? '');
    });
    const gone = 'https://images.example.com/gone.png';
    const canvas = await open([
      { ...text, id: 'words', y: 100, text: 'Hello' },
      { id: 'gone', type: 'image', x: 20, y: 20, width: 80, height: 60, src: gone },
    ]);
    await page.locator('.p-layer-image[title*="image"]').waitFor();
    await canvas.click({ x: 60, y: 120 });
    await page.locator('.p-row[data-field="text"] textarea').pressSequentially(' and more');
    t.match(await canvas.layer('words'), { text: 'Hello and more' });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.locator('.p-layer-image[title*="image"]').waitFor();
    t.same(sources, [gone]);
    t.same(complaints.splice(0), []);
  });

  t.test('a side takes the other along where the ratio is kept', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    await page.getByLabel('Keep ratio').check({ force: true });
    const width = page.locator('[data-field="width"] input');
    await width.fill('120');
    await width.press('Enter');
    t.match(await canvas.layer('a'), { width: 120, height: 90, x: 40, y: 43 });
    await canvas.drag({ x: 160, y: 133 }, { x: 120, y: 103 }, []);
    t.match(await canvas.layer('a'), { width: 80, height: 60 });
    await page.reload();
    await page.waitForSelector('.canvas-sheet img');
    await canvas.click({ x: 80, y: 70 });
    t.equal(await page.getByLabel('Keep ratio').isChecked(), true, 'also after a reload');
    t.same(complaints.splice(0), []);
  });

  t.test(
    'a corner of an image keeps its ratio, which Shift frees, and an edge cuts it',
    async (t) => {
      const canvas = await open([
        { id: 'pic', type: 'image', x: 20, y: 20, width: 80, height: 60, src },
      ]);
      await canvas.click({ x: 60, y: 50 });
      t.equal(await page.getByLabel('Keep ratio').isChecked(), true);
      await canvas.drag({ x: 100, y: 80 }, { x: 180, y: 140 }, []);
      t.match(await canvas.layer('pic'), { x: 20, y: 20, width: 160, height: 120 });
      await canvas.drag({ x: 180, y: 140 }, { x: 201, y: 156 }, []);
      t.match(
        await canvas.layer('pic'),
        { width: 180, height: 135 },
        'to the middle of the canvas',
      );
      await page.keyboard.press('Control+z');
      await canvas.drag({ x: 180, y: 140 }, { x: 180, y: 180 }, ['Shift', 'Control']);
      t.match(await canvas.layer('pic'), { width: 160, height: 160 });
      await canvas.drag({ x: 180, y: 100 }, { x: 120, y: 100 }, ['Control']);
      t.match(await canvas.layer('pic'), { x: 20, y: 20, width: 100, height: 160 });
      const height = page.getByRole('textbox', { name: 'H', exact: true });
      await height.fill('80');
      await height.press('Enter');
      t.match(await canvas.layer('pic'), { width: 50, height: 80 }, 'also in the inspector');
      for (const px of [0, 80]) {
        await height.fill(`${px}`);
        await height.press('Enter');
        t.match(
          await canvas.layer('pic'),
          { width: 50, height: px },
          'a side of 0 leaves the other',
        );
      }
      await page.getByLabel('Keep ratio').uncheck({ force: true });
      await canvas.drag({ x: 70, y: 100 }, { x: 120, y: 100 }, ['Control']);
      t.match(await canvas.layer('pic'), { width: 100, height: 80 }, 'a choice for this layer');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('problems name layers, and a long list keeps its head', async (t) => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...text,
      id: `t${index}`,
      y: index,
      text: 'T',
    }));
    await open(many);
    await page.locator('[data-layer="t0"]').click();
    const add = page.getByRole('button', { name: 'Add', exact: true });
    t.equal(
      await add.evaluate((button) => {
        const { left, top } = button.getBoundingClientRect();
        return document.elementFromPoint(left + 5, top + 5) === button;
      }),
      true,
      'Add stays',
    );
    await page.locator('.p-row[data-field="text"] textarea').fill('{{first|shout}}');
    await page.getByText(/^Text binds {{first}} with the format "shout"/).waitFor();
    t.same(complaints.splice(0), []);
  });

  t.test(
    'while a layer is resized its image follows, before the service has drawn it',
    async (t) => {
      const canvas = await open();
      await canvas.click({ x: 80, y: 70 });
      await page.route('**/v1/preview', (route) => {
        const isFrame = route.request().headers()['accept']?.includes('json') === true;
        return isFrame ? route.abort() : route.continue();
      });
      await canvas.press({ x: 120, y: 103 });
      await canvas.moveTo({ x: 130, y: 113 }, ['Control']);
      await page.waitForSelector('.canvas-sheet[data-shows="parts"]');
      await canvas.moveTo({ x: 190, y: 150 }, ['Control']);
      t.equal(await canvas.colorOnceAt({ x: 182, y: 144 }, '#d64933'), '#d64933');
      await page.unroute('**/v1/preview');
      await canvas.release();
      t.match(await canvas.layer('a'), { width: 150, height: 107 });
      complaints.splice(0);
    },
  );

  t.test('the list of layers shows images and colours, and finds layers', async (t) => {
    const shapes = ['Sun', 'Moon', 'Star', 'Sky', 'Sea', 'Sand', 'Shell'].map((name, index) => ({
      id: `s${index}`,
      type: 'rect',
      name,
      x: 0,
      y: 0,
      width: 9,
      height: 9,
      fill: '#ff8800',
    }));
    await open([...shapes, { id: 'pic', type: 'image', x: 0, y: 0, width: 40, height: 30, src }]);
    await page.locator('[data-layer="pic"] img').waitFor();
    t.equal(
      await page
        .locator('[data-layer="s0"] path')
        .first()
        .evaluate((path) => getComputedStyle(path).fill),
      'rgb(255, 136, 0)',
    );
    await page.getByLabel('Search the layers').fill('s');
    t.equal(await page.getByRole('treeitem').count(), 7, 'by name or id');
    await page.getByLabel('Search the layers').fill('moon');
    t.same(await page.locator('.p-layer-name').allTextContents(), ['Moon']);
    t.same(await accessibilityProblems(page), []);
    t.same(complaints.splice(0), []);
  });

  t.test(
    'an image is cropped on the canvas by pointer and keys, and stays where it is',
    async (t) => {
      const photo = { id: 'pic', type: 'image', x: 100, y: 60, width: 200, height: 150, src };
      const canvas = await open([photo]);
      await canvas.click({ x: 200, y: 130 });
      await page.mouse.dblclick(...(await canvas.at({ x: 200, y: 130 })));
      await page.waitForSelector('.crop');
      await canvas.drag({ x: 300, y: 135 }, { x: 200, y: 135 }, []);
      t.match(await canvas.layer('pic'), {
        x: 100,
        y: 60,
        width: 100,
        height: 150,
        crop: { x: 0, y: 0, width: 0.5, height: 1 },
      });
      await canvas.drag({ x: 150, y: 100 }, { x: 110, y: 100 }, []);
      t.match(await canvas.layer('pic'), { x: 100, width: 100, crop: { x: 0.2, width: 0.5 } });
      await page.keyboard.press('Shift+ArrowRight');
      t.match(await canvas.layer('pic'), { x: 100, crop: { x: 0.15 } });
      await page.locator('.crop g > g > image').waitFor();
      t.same(await accessibilityProblems(page), []);
      await page.keyboard.press('Enter');
      t.equal(await page.locator('.crop').count(), 0);
      await page.keyboard.press('ArrowRight');
      t.match(
        await canvas.layer('pic'),
        { x: 101, crop: { x: 0.15 } },
        'keys move the layer again',
      );
      await page.keyboard.press('Enter');
      await page.waitForSelector('.crop');
      await page.keyboard.press('Escape');
      t.equal(await page.locator('.crop').count(), 0);
      t.same(complaints.splice(0), []);
    },
  );

  t.test('a turned image is cropped along its own sides, and stays where it is', async (t) => {
    const photo = { id: 'pic', type: 'image', x: 100, y: 60, width: 200, height: 150, src };
    const canvas = await open([{ ...photo, rotation: 90 }]);
    await canvas.click({ x: 200, y: 135 });
    await page.keyboard.press('Enter');
    await page.waitForSelector('.crop');
    // Its right side is seen at the bottom, at y = 235.
    await canvas.drag({ x: 200, y: 235 }, { x: 200, y: 135 }, []);
    t.match(await canvas.layer('pic'), {
      x: 150,
      y: 10,
      width: 100,
      height: 150,
      crop: { x: 0, y: 0, width: 0.5, height: 1 },
    });
    t.ok(await canvas.sees({ x: 275, y: 35 }), 'its top left corner is where it was');
    await canvas.drag({ x: 200, y: 60 }, { x: 200, y: 20 }, []);
    t.match(await canvas.layer('pic'), { x: 150, y: 10, crop: { x: 0.2, width: 0.5 } });
    await canvas.drag({ x: 200, y: 60 }, { x: 200, y: 400 }, []);
    t.match(await canvas.layer('pic'), { crop: { x: 0, width: 0.5 } }, 'no further than it goes');
    await page.keyboard.press('Shift+ArrowUp');
    t.match(await canvas.layer('pic'), { crop: { x: 0.05 } });
    await page.keyboard.press('Enter');
    t.same(complaints.splice(0), []);
  });

  t.test(
    'guides are dragged from rulers, layers meet them, and this browser keeps them',
    async (t) => {
      const canvas = await open();
      await canvas.focus();
      await page.keyboard.press('Shift+R');
      const [x, y] = await canvas.at({ x: 150, y: 150 });
      const ruler = await page.locator('.ruler[data-axis="x"]').boundingBox();
      await page.mouse.move((ruler?.x ?? 0) + 5, y);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 3 });
      await page.mouse.up();
      await page.locator('.guide-line[title^="Guide at 150;"]').waitFor();
      await canvas.drag({ x: 80, y: 70 }, { x: 193, y: 143 }, []);
      t.match(await canvas.layer('a'), { x: 150 }, 'its left edge was 3 px away');
      await page.reload();
      await page.locator('.guide-line').waitFor();
      // Guides are there before the layers can be selected.
      await page.locator('.canvas-sheet img').waitFor();
      await page.mouse.move(x, y + 60);
      await page.mouse.down();
      await page.mouse.move((ruler?.x ?? 0) + 5, y, { steps: 3 });
      await page.mouse.up();
      t.equal(await page.locator('.guide-line').count(), 0, 'back on the ruler it is gone');
      await canvas.click({ x: 250, y: 40 });
      await page.keyboard.press('Shift+E');
      await page.locator('.guide-line').nth(3).waitFor();
      t.equal(await page.locator('.guide-line').count(), 4, 'keys make guides too');
      await page.keyboard.press('Shift+G');
      await page.locator('.grid').waitFor();
      t.same(await accessibilityProblems(page), []);
      t.same(complaints.splice(0), []);
    },
  );
});

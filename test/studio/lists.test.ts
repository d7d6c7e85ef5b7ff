/** Lists in a browser: layers of items, the form of a stack that repeats, and the items themselves. */
import t from 'tap';
import { demoKey, eventually, startService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';

const items = {
  name: 'items',
  type: 'list',
  fields: [
    { name: 'title', type: 'text', value: '' },
    { name: 'price', type: 'number', value: '0' },
  ],
  value: [
    { title: 'Tea pot', price: '24.50' },
    { title: 'Two cups', price: '12' },
  ],
};
const line = { type: 'text', width: 'fill', height: 'hug', fontSize: 20 };
const cart = {
  id: 'cart',
  type: 'stack',
  x: 40,
  y: 40,
  width: 240,
  height: 'hug',
  gap: 6,
  fill: '#eceff4',
  repeat: { list: 'items', max: 3 },
  layers: [
    {
      ...line,
      id: 'title',
      text: '{{item.title}} {{who}}',
      visibleWhen: { variable: 'item.price', greaterThan: 5 },
    },
    { ...line, id: 'price', text: '{{item.price | currency:EUR}}' },
  ],
};
const who = { name: 'who', type: 'text', value: 'friend' };

t.test('lists in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await startService(t);
  const browser = await startBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', ${JSON.stringify(demoKey)})`,
  );
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** A template of its own, open in the editor at 100 %. */
  async function open(
    layers: readonly object[] = [cart],
    variables: readonly object[] = [items, who],
  ): Promise<CanvasPage> {
    count += 1;
    const uid = `lists-${count}`;
    const readDocument = await saveCanvas(base, uid, layers, { variables });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.waitForFunction((name) => globalThis.document.title.startsWith(`${name} `), uid);
    await page.waitForSelector('.canvas-sheet img');
    return new CanvasPage(page, readDocument);
  }

  t.test(
    'a layer that leaves a stack that repeats keeps the first item, in one step',
    async (t) => {
      const canvas = await open();
      await page.click('[data-layer="title"]');
      await canvas.drag({ x: 80, y: 52 }, { x: 150, y: 232 }, []);
      t.match(await canvas.layer('title'), { text: 'Tea pot {{who}}', x: 110, y: 220 });
      t.notOk('visibleWhen' in (await canvas.find('title')), 'the condition is answered');
      const notice = page.locator('.notice');
      t.match(
        await notice.textContent(),
        'Tea pot {{who}} no longer changes with the items of the list: it keeps the values of the first item.',
      );
      t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
      await page.keyboard.press('Control+z');
      t.match(await canvas.find('cart'), { layers: cart.layers });

      await page.click('[data-layer="price"]');
      await page.focus('[data-layer="price"]');
      await page.keyboard.press('Alt+ArrowLeft');
      t.match(await canvas.layer('price'), { text: '€24.50' }, 'by a key of the tree');
      await page.keyboard.press('Control+z');

      await page.click('[data-layer="title"]');
      await canvas.focus();
      await page.keyboard.press('Control+x');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+v');
      const pasted = (await canvas.layers()).find(({ id }) => id !== 'cart');
      t.match(pasted, { text: 'Tea pot {{who}}', x: 40, y: 40 }, 'by cut and paste');
      t.same(complaints.splice(0), []);
    },
  );
});

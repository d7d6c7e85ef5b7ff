/** The image and the outline of layers while frames are late, or never arrive. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const [red, blue, white] = ['#d64933', '#20639b', '#ffffff'];

/** Delays frames while it is closed, and images of layers too or not. In an outage all fail. */
class Gate {
  #state: 'open' | 'frames' | 'all' | 'outage' = 'open';
  #waiting: (() => void)[] = [];

  async watch(page: Page): Promise<void> {
    await page.route('**/v1/preview', async (route) => {
      const isFrame = route.request().headers()['accept']?.includes('json') === true;
      const isDelayed = this.#state === 'all' || (this.#state === 'frames' && isFrame);
      if (isDelayed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      await (this.#state === 'outage' ? route.abort() : route.continue());
    });
  }

  /** Delays these requests, and lets those go that are not delayed any more. */
  set(state: 'open' | 'frames' | 'all' | 'outage'): void {
    this.#state = state;
    if (state === 'open' || state === 'outage') {
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}

t.test('frames that are late', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const gate = new Gate();
  await gate.watch(page);

  t.test('with keys, an undo and a field the image moves at once', async (t) => {
    const canvas = await openCanvas(page, base, 'late-keys');
    await canvas.click({ x: 80, y: 70 });
    gate.set('frames');
    await page.keyboard.press('Shift+ArrowRight');
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    // No frame arrives from here on.
    gate.set('all');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    t.ok(await canvas.sees({ x: 60, y: 53 }), 'the outline');
    t.equal(await canvas.colorOnceAt({ x: 128, y: 100 }, red), red, 'the image');
    t.equal(await canvas.colorAt({ x: 52, y: 63 }), white);
    // Presses within 2 s are one step, others are more.
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
    t.ok(await canvas.sees({ x: 40, y: 43 }));
    t.equal(await canvas.colorOnceAt({ x: 54, y: 49 }, red), red);
    t.equal(await canvas.colorAt({ x: 128, y: 100 }), white);
    const left = page.locator('[data-field="x"] input');
    await left.fill('100');
    await left.press('Enter');
    t.ok(await canvas.sees({ x: 100, y: 43 }));
    t.equal(await canvas.colorOnceAt({ x: 165, y: 93 }, red), red);
    const angle = page.locator('[data-field="rotation"] input');
    await angle.fill('90');
    await angle.press('Enter');
    t.equal(await canvas.colorOnceAt({ x: 125, y: 40 }, red), red, 'turned');
    t.equal(await canvas.colorOnceAt({ x: 104, y: 50 }, white), white);
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.equal(await canvas.colorAt({ x: 125, y: 40 }), red);
    t.same(complaints.splice(0), []);
  });

  t.test('an outline waits for the image', async (t) => {
    const canvas = await openCanvas(page, base, 'late-outline');
    gate.set('all');
    await canvas.click({ x: 260, y: 50 });
    await page.keyboard.press('Shift+ArrowLeft');
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.ok(await canvas.sees({ x: 210, y: 17 }), 'nothing shows the layer elsewhere');
    t.equal(await canvas.colorAt({ x: 305, y: 30 }), blue);
    gate.set('open');
    t.ok(await canvas.sees({ x: 200, y: 17 }));
    t.equal(await canvas.colorOnceAt({ x: 305, y: 30 }, white), white);
    await canvas.click({ x: 300, y: 200 });
    t.ok(await canvas.sees({ x: 220, y: 180 }));
    gate.set('frames');
    // A narrower text has other lines, which only a frame has.
    await canvas.drag({ x: 380, y: 200 }, { x: 260, y: 200 }, ['Control']);
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.equal((await canvas.selectedSize())?.width, 160);
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.selectedSize())?.width === 40));
    t.same(complaints.splice(0), []);
  });

  t.test('a copy is dragged at once, and the layer stays', async (t) => {
    const canvas = await openCanvas(page, base, 'late-copy');
    await canvas.click({ x: 80, y: 70 });
    gate.set('frames');
    await page.keyboard.down('Alt');
    await canvas.drag({ x: 80, y: 70 }, { x: 80, y: 190 }, ['Control']);
    await page.keyboard.up('Alt');
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    t.equal(await canvas.colorOnceAt({ x: 55, y: 208 }, red), red);
    t.equal(await canvas.colorAt({ x: 55, y: 60 }), red);
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.equal(await canvas.colorAt({ x: 55, y: 60 }), red);
    t.match(await canvas.order(), ['a', 'a-2']);
    t.same(complaints.splice(0), []);
  });

  t.test('what needs other layers in the same image is drawn by the service alone', async (t) => {
    const box = { y: 40, width: 80, height: 60 };
    const ground = { id: 'ground', type: 'rect', x: 0, y: 0, width: 400, height: 300, fill: blue };
    const over = { id: 'over', type: 'rect', x: 40, ...box, fill: '#888888' };
    const mask = { id: 'mask', type: 'ellipse', x: 40, ...box };
    const group = { id: 'all', type: 'group', x: 0, y: 0, width: 400, height: 300 };
    const stack = { type: 'stack', x: 40, y: 40, width: 'hug', height: 'hug', layers: [] };
    const inner = { ...group, x: undefined, y: undefined, layers: [{ ...over, x: 0, y: 0 }] };
    const cases: Readonly<Record<string, readonly object[]>> = {
      blend: [ground, { ...over, blendMode: 'multiply' }],
      mask: [ground, { ...over, mask: 'mask' }, mask],
      opacity: [ground, { ...group, opacity: 0.5, layers: [over] }],
      stack: [ground, { ...stack, id: 'stack', layers: [inner] }],
      list: [ground, { ...stack, id: 'list', repeat: { list: 'items', max: 3 }, layers: [inner] }],
      cut: [ground, { ...over, x: -40, width: 160 }],
    };
    const fields = [{ name: 'title', type: 'text', value: 'Tea' }];
    const items = { name: 'items', type: 'list', fields, value: [{ title: 'Tea' }] };
    for (const [name, layers] of Object.entries(cases)) {
      const more = { variables: name === 'list' ? [items] : [] };
      const canvas = await openCanvas(page, base, `late-${name}`, layers, more);
      await page.locator('[data-layer="over"]').click();
      await canvas.focus();
      const before = await page.locator('.outline').getAttribute('points');
      gate.set('frames');
      await page.keyboard.press('Shift+ArrowRight');
      const late = page.locator('.canvas-sheet[data-shows="earlier"]');
      await late.waitFor();
      const pressedMs = await page.evaluate(() => performance.now());
      // The frame is late then, and images of the layers would be shown.
      await page.waitForFunction((ms) => performance.now() - ms > 160, pressedMs);
      t.equal(await late.count(), 1, name);
      t.equal(await page.locator('.outline').getAttribute('points'), before, name);
      gate.set('open');
      t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    }
    t.same(complaints.splice(0), []);
  });

  t.test('the outline stays with images that cannot show the next change', async (t) => {
    const canvas = await openCanvas(page, base, 'late-next');
    await canvas.click({ x: 80, y: 70 });
    gate.set('frames');
    await page.keyboard.press('Shift+ArrowRight');
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    t.ok(await canvas.sees({ x: 50, y: 43 }));
    await canvas.click({ x: 260, y: 50 });
    await page.keyboard.press('Shift+ArrowDown');
    t.ok(await canvas.sees({ x: 210, y: 17 }), 'the other layer has not moved in the image');
    gate.set('open');
    t.ok(await canvas.sees({ x: 210, y: 27 }));
    t.same(complaints.splice(0), []);
  });

  t.test('a second drag starts where the image has the layer', async (t) => {
    const canvas = await openCanvas(page, base, 'late-drags');
    await canvas.click({ x: 80, y: 70 });
    gate.set('frames');
    await canvas.drag({ x: 80, y: 70 }, { x: 100, y: 140 }, ['Control']);
    await canvas.drag({ x: 100, y: 140 }, { x: 100, y: 240 }, ['Control']);
    t.ok(await canvas.sees({ x: 60, y: 213 }));
    t.equal(await canvas.colorOnceAt({ x: 75, y: 255 }, red), red);
    t.equal(await canvas.colorAt({ x: 75, y: 130 }), white, 'the image of the first drag is gone');
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.match(await canvas.layer('a'), { x: 60, y: 213 });
    t.same(complaints.splice(0), []);
  });

  t.test('a moved layer stays below all layers that are above it', async (t) => {
    const box = { type: 'rect', y: 40, height: 60 };
    const cells = Array.from({ length: 120 }, (_, index) => {
      return { ...box, id: `c${index}`, x: 200 + (index % 12) * 10, width: 10, fill: blue };
    });
    const moved = { ...box, id: 'a', x: 100, width: 80, fill: red };
    const canvas = await openCanvas(page, base, 'late-many', [moved, ...cells]);
    await canvas.click({ x: 140, y: 70 });
    gate.set('frames');
    await page.keyboard.press('Shift+ArrowRight');
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowRight');
    t.ok(await canvas.sees({ x: 150, y: 40 }));
    t.equal(await canvas.colorOnceAt({ x: 195, y: 70 }, red), red);
    t.equal(await canvas.colorAt({ x: 215, y: 70 }), blue);
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.same(complaints.splice(0), []);
  });

  t.test('after a change of the size, the image keeps its shape', async (t) => {
    const sizes = [{ name: 'tall', width: 400, height: 320 }];
    const canvas = await openCanvas(page, base, 'late-size', undefined, { sizes });
    gate.set('all');
    await page.getByLabel('Size that is shown').selectOption('tall');
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.equal(await canvas.colorOnceAt({ x: 80, y: 100 }, red), red);
    t.equal(await canvas.colorAt({ x: 80, y: 107 }), white);
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.equal(await canvas.colorAt({ x: 80, y: 107 }), white);
    t.same(complaints.splice(0), []);
  });

  t.test('during an outage a dropped layer stays where it is', async (t) => {
    const canvas = await openCanvas(page, base, 'late-outage');
    await canvas.click({ x: 80, y: 70 });
    gate.set('frames');
    await page.keyboard.press('ArrowRight');
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    gate.set('outage');
    await canvas.drag({ x: 81, y: 70 }, { x: 121, y: 130 }, ['Control']);
    t.equal(await canvas.colorOnceAt({ x: 95, y: 125 }, red), red);
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    t.equal(await canvas.colorAt({ x: 95, y: 125 }), red, 'after the failure of the frame');
    t.equal(await canvas.colorAt({ x: 55, y: 58 }), white);
    t.ok(await canvas.sees({ x: 81, y: 103 }));
    gate.set('open');
    t.ok(await eventually(async () => (await canvas.shows()) === 'exact'));
    t.equal(await canvas.colorAt({ x: 95, y: 125 }), red);
    t.match(await canvas.layer('a'), { x: 81, y: 103 });
    // The browser logs each failed request.
    complaints.splice(0);
  });
});

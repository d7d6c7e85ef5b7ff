/** The image, the outlines and the panels while frames are late, or never arrive. */
import t from 'tap';
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import type { Point } from '../../src/studio/canvas/geometry.ts';
import { rect } from './built-layers.ts';
import { openCanvas, startStudio } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';

const [red, blue, white] = ['#d64933', '#20639b', '#ffffff'];

/** Returns what delays frames, images of layers too, or nothing. In an outage all fail. */
async function watchFrames(page: Page) {
  let state: 'open' | 'frames' | 'all' | 'outage' = 'open';
  const waiting: (() => void)[] = [];
  await page.route('**/v1/preview', async (route) => {
    const isFrame = route.request().headers()['accept']?.includes('json') === true;
    const isDelayed = state === 'all' || (state === 'frames' && isFrame);
    if (isDelayed) await new Promise<void>((resolve) => waiting.push(resolve));
    await (state === 'outage' ? route.abort() : route.continue());
  });
  return (next: typeof state): void => {
    state = next;
    if (next === 'frames' || next === 'all') return;
    for (const resolve of waiting.splice(0)) resolve();
  };
}

/** Makes the delay after which panels do not wait for a frame endless. */
const waitsForFrames = `
  const start = setTimeout;
  globalThis.setTimeout = (call, ms, ...rest) => start(call, ms === 80 ? 1e8 : ms, ...rest);
`;

/** Keeps what the inspector shows of the position at the moment of each exact image. */
const watchImages = `
  const sheet = document.querySelector('.canvas-sheet');
  const left = document.querySelector('[data-field="x"] input');
  globalThis.seenLeft = [];
  new MutationObserver(() => {
    if (sheet.dataset.shows === 'exact') globalThis.seenLeft.push(left.value);
  }).observe(sheet, { childList: true });
`;

t.test('frames that are late', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'late', await startBrowser(t), base);
  const { page, keyboard, open, claim, complaints } = studio;
  const delay = await watchFrames(page);
  /** Waits until the canvas shows this. */
  const comesTo = async (t: Test, canvas: CanvasPage, state: 'exact' | 'parts'): Promise<void> =>
    void t.ok(await eventually(async () => (await canvas.shows()) === state), state);
  /** Ends the delay. */
  const becomesExact = async (t: Test, canvas: CanvasPage): Promise<void> => {
    delay('open');
    await comesTo(t, canvas, 'exact');
  };
  /** Opens layers, and moves that at a point to the right by a key. The frame is late. */
  const nudge = async (t: Test, at = { x: 80, y: 70 }, layers?: object[]): Promise<CanvasPage> => {
    const canvas = await open(layers);
    await canvas.click(at);
    delay('frames');
    await keyboard.press('Shift+ArrowRight');
    await comesTo(t, canvas, 'parts');
    return canvas;
  };

  /** Drags a layer whose frame is late, once images of layers show it; `CanvasPage.press` would wait for the frame. */
  const dragLate = async (canvas: CanvasPage, from: Point, to: Point): Promise<void> => {
    await page.waitForSelector('.canvas-sheet:not([data-shows="earlier"])');
    await page.mouse.move(...(await canvas.at(from)));
    await page.mouse.down();
    await canvas.moveTo(to, ['Control']);
    await canvas.release();
  };

  claim('with keys, an undo and a field the image moves at once', async (t) => {
    const canvas = await nudge(t);
    // No frame arrives from here on.
    delay('all');
    await keyboard.press('Shift+ArrowRight');
    await keyboard.press('Shift+ArrowDown');
    t.ok(await canvas.sees({ x: 60, y: 53 }), 'the outline');
    t.equal(await canvas.colorOnceAt({ x: 128, y: 100 }, red), red, 'the image');
    t.equal(await canvas.colorAt({ x: 52, y: 63 }), white);
    // Presses within 2 s are one step, others are more.
    for (let step = 0; step < 3; step += 1) await keyboard.press('Control+z');
    t.ok(await canvas.sees({ x: 40, y: 43 }));
    t.equal(await canvas.colorOnceAt({ x: 54, y: 49 }, red), red);
    t.equal(await canvas.colorAt({ x: 128, y: 100 }), white);
    const write = async (field: string, text: string): Promise<void> => {
      await page.locator(`[data-field="${field}"] input`).fill(text);
      await keyboard.press('Enter');
    };
    await write('x', '100');
    t.ok(await canvas.sees({ x: 100, y: 43 }));
    t.equal(await canvas.colorOnceAt({ x: 165, y: 93 }, red), red);
    await write('rotation', '90');
    t.equal(await canvas.colorOnceAt({ x: 125, y: 40 }, red), red, 'turned');
    t.equal(await canvas.colorOnceAt({ x: 104, y: 50 }, white), white);
    await becomesExact(t, canvas);
    t.equal(await canvas.colorAt({ x: 125, y: 40 }), red);
  });

  claim('the image follows a drag below what lies above, and is exact at rest', async (t) => {
    const canvas = await open();
    await canvas.press({ x: 80, y: 70 });
    delay('frames');
    // Over b's left half, which is painted later.
    await canvas.moveTo({ x: 240, y: 60 }, ['Control']);
    for (const state of ['parts', 'exact'] as const) {
      if (state === 'exact') delay('open');
      await comesTo(t, canvas, state);
      t.equal(await canvas.colorOnceAt({ x: 250, y: 70 }, blue), blue);
      t.equal(await canvas.colorOnceAt({ x: 204, y: 70 }, red), red);
      t.equal(await canvas.colorOnceAt({ x: 60, y: 90 }, white), white);
    }
    await canvas.release();
    delay('frames');
    await canvas.press({ x: 280, y: 93 });
    await canvas.moveTo({ x: 290, y: 253 }, ['Control']);
    t.equal(await canvas.colorOnceAt({ x: 205, y: 245 }, red), red, 'a resize, too');
    await canvas.release();
    delay('open');
  });

  claim('an outline waits for the image', async (t) => {
    const canvas = await open();
    delay('all');
    await canvas.click({ x: 260, y: 50 });
    await keyboard.press('Shift+ArrowLeft');
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.ok(await canvas.sees({ x: 210, y: 17 }), 'nothing shows the layer elsewhere');
    t.equal(await canvas.colorAt({ x: 305, y: 30 }), blue);
    delay('open');
    t.ok(await canvas.sees({ x: 200, y: 17 }));
    t.equal(await canvas.colorOnceAt({ x: 305, y: 30 }, white), white);
    await canvas.click({ x: 300, y: 200 });
    t.ok(await canvas.sees({ x: 220, y: 180 }));
    delay('frames');
    // A narrower text has other lines, which only a frame has.
    await canvas.drag({ x: 380, y: 200 }, { x: 260, y: 200 }, ['Control']);
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.equal((await canvas.selectedSize())?.width, 160);
    delay('open');
    t.ok(await eventually(async () => (await canvas.selectedSize())?.width === 40));
  });

  claim('a layer that the edge of the canvas cuts is drawn by the service alone', async (t) => {
    const canvas = await open([rect('cut', { x: -40, y: 40, width: 160, height: 60 })]);
    await canvas.click({ x: 60, y: 70 });
    const before = await page.locator('.outline').getAttribute('points');
    delay('frames');
    await keyboard.press('Shift+ArrowRight');
    const late = page.locator('.canvas-sheet[data-shows="earlier"]');
    await late.waitFor();
    const pressedMs = await page.evaluate(() => performance.now());
    // The frame is late then, and images of the layers would be shown.
    await page.waitForFunction((ms) => performance.now() - ms > 160, pressedMs);
    t.equal(await late.count(), 1);
    t.equal(await page.locator('.outline').getAttribute('points'), before);
    await becomesExact(t, canvas);
  });

  claim('the outline stays with images that cannot show the next change', async (t) => {
    const canvas = await nudge(t);
    t.ok(await canvas.sees({ x: 50, y: 43 }));
    await canvas.click({ x: 260, y: 50 });
    await keyboard.press('Shift+ArrowDown');
    t.ok(await canvas.sees({ x: 210, y: 17 }), 'the other layer has not moved in the image');
    delay('open');
    t.ok(await canvas.sees({ x: 210, y: 27 }));
  });

  claim('a second drag starts where the image has the layer', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    delay('frames');
    await canvas.drag({ x: 80, y: 70 }, { x: 100, y: 140 }, ['Control']);
    await dragLate(canvas, { x: 100, y: 140 }, { x: 100, y: 240 });
    t.ok(await canvas.sees({ x: 60, y: 213 }));
    t.equal(await canvas.colorOnceAt({ x: 75, y: 255 }, red), red);
    t.equal(await canvas.colorAt({ x: 75, y: 130 }), white, 'the image of the first drag is gone');
    await becomesExact(t, canvas);
    t.match(await canvas.layer('a'), { x: 60, y: 213 });
  });

  claim('a moved layer stays below all layers that are above it', async (t) => {
    const box = { y: 40, height: 60 };
    const cells = Array.from({ length: 120 }, (_, index) =>
      rect(`c${index}`, { ...box, x: 200 + (index % 12) * 10, width: 10, fill: blue }),
    );
    const layers = [rect('a', { ...box, x: 100, width: 80, fill: red }), ...cells];
    const canvas = await nudge(t, { x: 140, y: 70 }, layers);
    for (let step = 0; step < 4; step += 1) await keyboard.press('Shift+ArrowRight');
    t.ok(await canvas.sees({ x: 150, y: 40 }));
    t.equal(await canvas.colorOnceAt({ x: 195, y: 70 }, red), red);
    t.equal(await canvas.colorAt({ x: 215, y: 70 }), blue);
    await becomesExact(t, canvas);
  });

  claim('after a change of the size, the image keeps its shape', async (t) => {
    const sizes = [{ name: 'tall', width: 400, height: 320 }];
    const canvas = await open(undefined, { sizes });
    delay('all');
    await page.getByLabel('Size that is shown').selectOption('tall');
    await page.waitForSelector('.canvas-sheet[data-shows="earlier"]');
    t.equal(await canvas.colorOnceAt({ x: 80, y: 100 }, red), red);
    t.equal(await canvas.colorAt({ x: 80, y: 107 }), white);
    await becomesExact(t, canvas);
    t.equal(await canvas.colorAt({ x: 80, y: 107 }), white);
  });

  claim('during an outage a dropped layer stays where it is', async (t) => {
    const canvas = await nudge(t);
    delay('outage');
    await dragLate(canvas, { x: 90, y: 70 }, { x: 121, y: 130 });
    t.equal(await canvas.colorOnceAt({ x: 95, y: 125 }, red), red);
    const bar = page.locator('.problem-bar');
    await bar.getByRole('button', { name: 'Try again' }).waitFor();
    t.equal(await bar.getByRole('button').count(), 1, 'there is nothing to undo about it');
    t.equal(await canvas.colorAt({ x: 95, y: 125 }), red, 'after the failure of the frame');
    t.equal(await canvas.colorAt({ x: 55, y: 58 }), white);
    t.ok(await canvas.sees({ x: 81, y: 103 }));
    delay('open');
    await bar.waitFor({ state: 'detached' });
    await comesTo(t, canvas, 'exact');
    t.equal(await canvas.colorAt({ x: 95, y: 125 }), red);
    t.match(await canvas.layer('a'), { x: 81, y: 103 });
    // The browser logs each failed request.
    complaints.splice(0);
  });

  /** A key moves a layer of a new page. Returns the field of its position, and whether that comes to a value. */
  const press = async (uid: string, script: string, before: (other: Page) => Promise<unknown>) => {
    const other = await page.context().newPage();
    await other.addInitScript(script);
    const canvas = await openCanvas(other, base, uid);
    await canvas.click({ x: 80, y: 70 });
    const left = other.locator('[data-field="x"] input');
    await left.waitFor();
    await before(other);
    await other.keyboard.press('Shift+ArrowRight');
    const shows = (value: string): Promise<boolean> =>
      eventually(async () => (await left.inputValue()) === value);
    return { other, left, shows };
  };
  const drawNothing = (other: Page) => other.route('**/v1/preview', () => undefined);

  claim('a key on the canvas changes the image first, then the panels', async (t) => {
    const watch = (each: Page) => each.evaluate(watchImages);
    const { other, shows } = await press('behind-image', waitsForFrames, watch);
    t.ok(await shows('50'));
    t.same(await other.evaluate('seenLeft[0]'), '40', 'at the moment of the image');
    await other.close();
  });

  claim('the panels do not wait for a frame that never comes', async (t) => {
    const { other, left, shows } = await press('behind-late', '', drawNothing);
    t.ok(await shows('50'));
    // A removed layer is of another selection, which waits for nothing.
    await other.keyboard.press('Delete');
    t.ok(await eventually(async () => (await left.count()) === 0));
    await other.close();
  });

  claim('a key in a panel changes the panels at once', async (t) => {
    const { other, left, shows } = await press('behind-panel', waitsForFrames, drawNothing);
    for (const key of ['ArrowUp', 'ArrowUp']) await left.press(key);
    t.ok(await shows('52'), 'each key adds to the one before, which was on the canvas');
    await other.close();
  });
});

/** A template that moves in the studio: a timeline shows and edits its frames and tracks, a dialog plays it, and so does the inspector. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { Animation } from '#language/schema/animation.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { dragBy, saveCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

const frame = { type: 'text', x: 10, y: 10, width: 380, height: 60 } as const;
const variables = [{ name: 'word', type: 'text', value: 'word' }];
const layers = [{ ...frame, id: 'title', text: '{{word}}' }];
const animation = {
  type: 'values',
  frames: ['one', 'two', 'three'].map((word) => ({ values: { word }, seconds: 1 })),
};

t.test('a template that moves in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t), 900)).newPage();
  const complaints = watchPage(page, base);
  const read = await saveCanvas(base, 'moves', layers, { animation, variables });
  const slider = page.getByLabel('Frame that is shown');
  const image = page.locator('.canvas-sheet img');

  t.test('the slider shows one frame, and the image as designed again', async (t) => {
    await page.goto(`${base}/studio#/t/moves`);
    await image.waitFor();
    t.same(await accessibilityProblems(page), []);
    const designed = await image.getAttribute('src');
    const differs = (): Promise<boolean> =>
      image.getAttribute('src').then((source) => source !== designed);
    await slider.focus();
    await page.keyboard.press('End');
    t.equal(await slider.getAttribute('aria-valuetext'), 'Frame 3 of 3');
    t.equal(await eventually(differs), true, 'the values of the last frame');
    await page.getByRole('button', { name: 'As designed' }).click();
    const isSame = (): Promise<boolean> => differs().then((isOther) => !isOther);
    t.equal(await eventually(isSame), true);
  });

  t.test('the timeline waits for its style, also when it is shown again', async (t) => {
    const again = await page.context().newPage();
    const style = Promise.withResolvers<void>();
    await again.route('**/later.css', async (route) => {
      await style.promise;
      await route.continue();
    });
    const asked = again.waitForRequest('**/later.css');
    await again.goto(`${base}/studio#/t/moves`);
    await asked;
    await again.goto(`${base}/studio#/`);
    await again.getByRole('heading', { name: 'Templates' }).waitFor();
    await again.goto(`${base}/studio#/t/moves`);
    await again.locator('.canvas-sheet img').waitFor();
    t.equal(await again.getByLabel('Frame that is shown').count(), 0);
    style.resolve();
    await again.getByLabel('Frame that is shown').waitFor();
    await again.close();
  });

  t.test('a dialog plays the file that readers get', async (t) => {
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByAltText('The animation as readers see it').waitFor();
    t.match(await page.locator('dialog').textContent(), /GIF, \d+ KB$/, 'without a warning');
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
  });

  t.test('the inspector makes a motion of a layer', async (t) => {
    await page.getByText('Animation', { exact: true }).click();
    await page.getByLabel('Type', { exact: true }).selectOption('motion');
    const from = page.getByLabel('From', { exact: true });
    await from.fill('0.25');
    await from.press('Enter');
    await becomes(page, 'saved');
    const track = { layer: 'title', property: 'opacity', from: 0.25 };
    t.match(await read(), { animation: { type: 'motion', seconds: 2, tracks: [track] } });
    await page.getByRole('button', { name: 'Add track' }).click();
    await becomes(page, 'saved');
    const added = { layer: 'title', property: 'opacity', from: 0 };
    t.match(await read(), { animation: { tracks: [track, added] } }, 'a track is complete at once');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const warning = page.getByRole('alert').getByText('The first frame shows nothing');
    await warning.waitFor();
    t.same(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    const label = page.getByText('Frame rate', { exact: true });
    t.ok(await label.evaluate((each) => each.scrollWidth <= each.clientWidth), 'not cut');
    await page.getByLabel('Type', { exact: true }).selectOption('');
    await becomes(page, 'saved');
    t.notOk('animation' in (await read()));
    t.same(complaints, []);
  });

  const moving = await saveCanvas(
    base,
    'slides',
    [
      ...layers,
      { id: 'box', type: 'rect', x: 150, y: 120, width: 60, height: 40, fill: '#d64933' },
    ],
    {
      variables,
      animation: {
        type: 'motion',
        seconds: 2,
        tracks: [{ layer: 'box', property: 'x', from: 50, end: 1 }],
      },
    },
  );
  const motion = async (): Promise<Extract<Animation, { type: 'motion' }>> => {
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    return ((await moving()) as unknown as { animation: never }).animation;
  };
  const bar = (name: string): Locator => page.getByRole('slider', { name, exact: true });

  t.test('bars of the timeline are dragged in time, by frames, and by keys', async (t) => {
    await page.goto(`${base}/studio#/t/slides`);
    const whole = bar('Time of across of box');
    await whole.waitFor();
    t.same(await accessibilityProblems(page), []);
    t.equal(await whole.getAttribute('aria-valuetext'), '0 s to 1 s');
    const lane = await page.locator('.timeline-ruler').boundingBox();
    const second = (lane?.width ?? 0) / 2;
    await dragBy(whole, second * 0.5);
    // Twenty frames: the nearest one is the sixth.
    t.match(await motion(), { tracks: [{ start: 0.526, end: 1.526 }] });
    await page.keyboard.press('Control+z');
    t.notOk('start' in ((await motion()).tracks[0] ?? {}), 'one drag is one step');
    await dragBy(bar('End of across of box'), second * 2);
    t.notOk('end' in ((await motion()).tracks[0] ?? {}), 'the end of the motion is the default');
    await bar('Start of across of box').focus();
    await page.keyboard.press('ArrowRight');
    t.match(await motion(), { tracks: [{ start: 0.105 }] }, 'by a key to the next frame');
    await page.getByRole('button', { name: 'Slow end', exact: true }).click();
    t.match(await motion(), { tracks: [{ easing: 'ease-out' }] });
    await dragBy(bar('Length'), second);
    t.match(await motion(), { seconds: 3 });
    await dragBy(bar('Frames a second'), -16);
    t.match(await motion(), { framesPerSecond: 8 }, 'a step every eight pixels');
    await bar('Plays').focus();
    await page.keyboard.press('ArrowRight');
    t.match(await motion(), { plays: 1 });
    t.equal(await bar('Plays').getAttribute('aria-valuetext'), 'plays once');
    await page.keyboard.press('Home');
    t.notOk('plays' in (await motion()), 'without end is the default');
    t.same(await accessibilityProblems(page), []);
    t.same(complaints, []);
  });

  t.test('the playhead is dragged, and the ends of a movement on the canvas', async (t) => {
    await dragBy(slider, 60);
    t.match(await slider.getAttribute('aria-valuetext'), /^Frame [2-9] of 24$/);
    await page.getByRole('button', { name: 'As designed' }).click();
    const sheet = await page.locator('.canvas-sheet').boundingBox();
    await dragBy(bar('End of the movement'), 0, (40 * (sheet?.width ?? 0)) / 400);
    const tracks = [
      { property: 'x', from: 50 },
      { property: 'y', to: 160, easing: 'ease-out' },
    ];
    t.match(await motion(), { tracks }, 'a track down comes along');
    await bar('Start of the movement').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    t.match(await motion(), { tracks: [{ from: 40 }, {}] });
    await page.getByLabel('Add a track').selectOption('opacity');
    t.equal((await motion()).tracks.length, 3);
    await bar('Time of opacity of box').focus();
    await page.keyboard.press('Delete');
    t.equal((await motion()).tracks.length, 2, 'the layer stays');
    t.same(complaints, []);
  });

  t.test('frames of values are as long as their blocks', async (t) => {
    const readSteps = await saveCanvas(base, 'steps', layers, { animation, variables });
    await page.goto(`${base}/studio#/t/steps`);
    const length = bar('Seconds of frame 2');
    await length.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Frame 2: two' }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByLabel('word').fill('deux');
    await becomes(page, 'saved');
    const [, changed] = animation.frames;
    t.match(await readSteps(), {
      animation: { frames: [{}, { ...changed, values: { word: 'deux' }, seconds: 0.9 }, {}] },
    });
    t.same(complaints, []);
  });

  t.test('frames are added and ordered, and any variable may change in them', async (t) => {
    const tint = { name: 'tint', type: 'color', value: '#102030' };
    const frames = [{ values: {}, seconds: 1 }];
    const readFrames = await saveCanvas(base, 'new-frames', layers, {
      animation: { type: 'values', frames },
      variables: [...variables, tint],
    });
    const saved = async (): Promise<unknown> => {
      await page.keyboard.press('Control+s');
      await becomes(page, 'saved');
      return ((await readFrames()) as unknown as { animation: unknown }).animation;
    };
    await page.goto(`${base}/studio#/t/new-frames`);
    const changes = page.getByLabel('What changes from frame to frame');
    await changes.selectOption('add:word');
    await changes.selectOption('add:tint');
    await page.getByRole('button', { name: 'Add a frame' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByLabel('word', { exact: true }).fill('zwei');
    const named = page.getByRole('button', { name: 'Frame 2: zwei, #102030', exact: true });
    await named.waitFor();
    await changes.selectOption('keep:tint');
    t.match(await saved(), {
      frames: [{ values: { word: 'word' } }, { values: { word: 'zwei' }, seconds: 1 }],
    });
    t.same(await accessibilityProblems(page), []);
    const [first, second] = ['Frame 1: word', 'Frame 2: zwei'].map((name) =>
      page.getByRole('button', { name }),
    );
    const width = (await page.locator('.timeline-ruler').boundingBox())?.width ?? 0;
    if (first !== undefined) await dragBy(first, width / 3);
    t.match(await saved(), { frames: [{ values: { word: 'zwei' } }, {}] }, 'past the other one');
    await page.getByRole('button', { name: 'Frame 2: word' }).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    t.match(await saved(), { frames: [{ values: { word: 'word' } }, {}] }, 'and back by a key');
    await second?.click();
    await page.getByRole('button', { name: 'Delete the frame' }).click();
    t.match(await saved(), { frames: [{ values: { word: 'word' } }] });
    t.same(complaints, []);
  });

  t.test('a countdown is as long as its handle says, and a phone plays it', async (t) => {
    const clock = { until: '2040-01-01T00:00:00Z', zone: 'UTC' };
    const readCountdown = await saveCanvas(base, 'counts', layers, {
      clock,
      variables,
      animation: { type: 'countdown', frames: 12 },
    });
    await page.goto(`${base}/studio#/t/counts`);
    await bar('Seconds that it counts').focus();
    await page.keyboard.press('ArrowLeft');
    await bar('Plays').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    t.match(await readCountdown(), { animation: { type: 'countdown', frames: 11, plays: 2 } });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByAltText('The animation as readers see it').waitFor();
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'));
    t.same(await accessibilityProblems(page), []);
    t.same(complaints, []);
  });
});

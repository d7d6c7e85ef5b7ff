/** Templates that move, and those with a clock: the timeline, the slider of time, and the inspector. */
import t from 'tap';
import type { Locator } from 'playwright-core';
import type { Animation } from '#language/schema/animation.ts';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { rect, text } from './built-layers.ts';
import { dragBy, startStudio } from './canvas-page.ts';

const frame = { x: 10, y: 10, width: 380, height: 60 };
const variables = [{ name: 'word', type: 'text', value: 'word' }];
const layers = [text('title', '{{word}}', frame)];
const animation = {
  type: 'values',
  frames: ['one', 'two', 'three'].map((word) => ({ values: { word }, seconds: 1 })),
};

t.test('time in a template', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'animation', await startBrowser(t), base, 900);
  const { page, keyboard, claim } = studio;
  const slider = page.getByLabel('Frame that is shown');
  const image = page.locator('.canvas-sheet img');
  const bar = (name: string): Locator => page.getByRole('slider', { name, exact: true });
  const widthOf = async (part: string): Promise<number> =>
    (await page.locator(part).boundingBox())?.width ?? 0;
  /** Opens a template, and returns what reads its saved draft. */
  const open = async (...shown: [object[], object]): Promise<() => Promise<Template>> => {
    const canvas = await studio.open(...shown);
    return () => canvas.document() as Promise<Template>;
  };
  /** Waits until the image differs from an earlier one, or is it again. */
  const isOther = (earlier: string | null, expected = true): Promise<boolean> =>
    eventually(async () => ((await image.getAttribute('src')) !== earlier) === expected);

  claim('the slider shows one frame or the design, and a dialog plays all', async (t) => {
    await open(layers, { animation, variables });
    const designed = await image.getAttribute('src');
    await slider.press('End');
    t.equal(await slider.getAttribute('aria-valuetext'), 'Frame 3 of 3');
    t.ok(await isOther(designed), 'the values of the last frame');
    await page.getByRole('button', { name: 'As designed' }).click();
    t.ok(await isOther(designed, false));
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByAltText('The animation as readers see it').waitFor();
    t.match(await page.locator('dialog').textContent(), /GIF, \d+ KB$/, 'without a warning');
    await keyboard.press('Escape');
  });

  claim('the timeline waits for its style, also when it is shown again', async (t) => {
    const again = await page.context().newPage();
    const style = Promise.withResolvers<void>();
    await again.route('**/later.css', async (route) => {
      await style.promise;
      await route.continue();
    });
    const asked = again.waitForRequest('**/later.css');
    await again.goto(`${base}/studio#/t/animation-1`);
    await asked;
    await again.goto(`${base}/studio#/`);
    await again.getByRole('heading', { name: 'Templates' }).waitFor();
    await again.goto(`${base}/studio#/t/animation-1`);
    await again.locator('.canvas-sheet img').waitFor();
    t.equal(await again.getByLabel('Frame that is shown').count(), 0);
    style.resolve();
    await again.getByLabel('Frame that is shown').waitFor();
    await again.close();
  });

  claim('the inspector makes a motion of a layer', async (t) => {
    const read = await open(layers, { variables });
    await page.getByText('Animation', { exact: true }).click();
    await page.getByLabel('Type', { exact: true }).selectOption('motion');
    const from = page.getByLabel('From', { exact: true });
    await from.fill('0.25');
    await from.press('Enter');
    const track = { layer: 'title', property: 'opacity', from: 0.25 };
    t.match(await read(), { animation: { type: 'motion', seconds: 2, tracks: [track] } });
    await page.getByRole('button', { name: 'Add track' }).click();
    const added = { layer: 'title', property: 'opacity', from: 0 };
    t.match(await read(), { animation: { tracks: [{}, added] } }, 'a track is complete at once');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('alert').getByText('The first frame shows nothing').waitFor();
    t.same(await accessibilityProblems(page), []);
    await keyboard.press('Escape');
    await page.getByLabel('Type', { exact: true }).selectOption('');
    t.notOk('animation' in (await read()));
  });

  claim('bars of the timeline, the playhead and the ends of a movement are dragged', async (t) => {
    const tracks = [{ layer: 'box', property: 'x', from: 50, end: 1 }];
    const moving = { animation: { type: 'motion', seconds: 2, tracks }, variables };
    const box = rect('box', { x: 150, y: 120 });
    const read = await open([...layers, box], moving);
    const motion = async () => (await read()).animation as Extract<Animation, { type: 'motion' }>;
    const whole = bar('Time of across of box');
    t.equal(await whole.getAttribute('aria-valuetext'), '0 s to 1 s');
    const second = (await widthOf('.timeline-ruler')) / 2;
    await dragBy(whole, second * 0.5);
    // Twenty frames: the nearest one is the sixth.
    t.match(await motion(), { tracks: [{ start: 0.526, end: 1.526 }] });
    await keyboard.press('Control+z');
    t.notOk('start' in ((await motion()).tracks[0] ?? {}), 'one drag is one step');
    await dragBy(bar('End of across of box'), second * 2);
    await bar('Start of across of box').press('ArrowRight');
    await page.getByRole('button', { name: 'Slow end', exact: true }).click();
    await dragBy(bar('Length'), second);
    await dragBy(bar('Frames a second'), -16);
    await bar('Plays').press('ArrowRight');
    t.match(await motion(), {
      seconds: 3,
      framesPerSecond: 8,
      plays: 1,
      tracks: [{ start: 0.105, end: undefined, easing: 'ease-out' }],
    });
    t.equal(await bar('Plays').getAttribute('aria-valuetext'), 'plays once');
    await keyboard.press('Home');
    t.notOk('plays' in (await motion()), 'without end is the default');
    t.same(await accessibilityProblems(page), []);
    await dragBy(slider, 60);
    t.match(await slider.getAttribute('aria-valuetext'), /^Frame [2-9] of 24$/);
    await page.getByRole('button', { name: 'As designed' }).click();
    await dragBy(bar('End of the movement'), 0, (await widthOf('.canvas-sheet')) / 10);
    const down = { property: 'y', to: 160, easing: 'ease-out' };
    t.match(await motion(), { tracks: [{ property: 'x', from: 50 }, down] }, 'with a track down');
    await bar('Start of the movement').press('Shift+ArrowLeft');
    t.match(await motion(), { tracks: [{ from: 40 }, {}] });
    await page.getByLabel('Add a track').selectOption('opacity');
    t.equal((await motion()).tracks.length, 3);
    await bar('Time of opacity of box').press('Delete');
    t.equal((await motion()).tracks.length, 2, 'the layer stays');
  });

  claim('frames are added and ordered, and any variable may change in them', async (t) => {
    const tint = { name: 'tint', type: 'color', value: '#102030' };
    const frames = [{ values: {}, seconds: 1 }];
    const values = { type: 'values', frames };
    const read = await open(layers, { animation: values, variables: [...variables, tint] });
    const saved = async (): Promise<unknown> => (await read()).animation;
    const changes = page.getByLabel('What changes from frame to frame');
    await changes.selectOption('add:word');
    await changes.selectOption('add:tint');
    await page.getByRole('button', { name: 'Add a frame' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByLabel('word', { exact: true }).fill('zwei');
    await page.getByRole('button', { name: 'Frame 2: zwei, #102030', exact: true }).waitFor();
    await changes.selectOption('keep:tint');
    t.match(await saved(), {
      frames: [{ values: { word: 'word' } }, { values: { word: 'zwei' }, seconds: 1 }],
    });
    t.same(await accessibilityProblems(page), []);
    const shown = (name: string): Locator => page.getByRole('button', { name });
    await dragBy(shown('Frame 1: word'), (await widthOf('.timeline-ruler')) / 3);
    t.match(await saved(), { frames: [{ values: { word: 'zwei' } }, {}] }, 'past the other one');
    await shown('Frame 2: word').press('Alt+ArrowLeft');
    t.match(await saved(), { frames: [{ values: { word: 'word' } }, {}] }, 'and back by a key');
    await bar('Seconds of frame 2').press('ArrowLeft');
    t.match(await saved(), { frames: [{}, { values: { word: 'zwei' }, seconds: 0.9 }] });
    await shown('Frame 2: zwei').click();
    await page.getByRole('button', { name: 'Delete the frame' }).click();
    t.match(await saved(), { frames: [{ values: { word: 'word' } }] });
  });

  const clock = { until: '{{deadline}}', zone: 'Europe/Berlin' };
  const time = page.getByLabel('Time that is shown');
  const shownTime = async (): Promise<string> => (await time.getAttribute('aria-valuetext')) ?? '';

  claim('the slider of time goes beyond the deadline, and the inspector edits it', async (t) => {
    const isOver = { variable: 'countdown.isOver', equals: 'true' };
    const deadline = { name: 'deadline', type: 'date', value: '2099-01-01' };
    const over = text('over', 'Over', { ...frame, visibleWhen: isOver });
    const read = await open([over], { clock, variables: [deadline] });
    t.equal(await shownTime(), 'Now');
    t.same(await accessibilityProblems(page), []);
    const before = await image.getAttribute('src');
    const isAtEnd = async (): Promise<boolean> => {
      await time.press('End');
      return /Thursday, January 1, 2099.*1:00:00/.test(await shownTime());
    };
    t.ok(await eventually(isAtEnd), 'an hour after the deadline, in its zone');
    t.ok(await isOther(before), 'the layer of the end');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    t.equal(await shownTime(), 'Now');
    await page.getByRole('tab', { name: 'Variables' }).click();
    t.notMatch(await page.locator('[data-variable="deadline"]').innerText(), 'unused');
    await page.getByText('Clock', { exact: true }).click();
    const set = async (label: string, value: string): Promise<void> => {
      await page.getByLabel(label, { exact: true }).fill(value);
      await keyboard.press('Enter');
    };
    await set('Zone', 'America/New_York');
    const changed = { until: '{{deadline}}', zone: 'America/New_York' };
    t.same((await read()).clock, changed);
  });

  claim('an evergreen countdown runs from the first open on', async (t) => {
    const left = '{{countdown.totalHours}}:{{countdown.minutes}}:{{countdown.seconds}}';
    await open([text('left', left, frame)], { clock: { evergreen: '48h' } });
    t.equal(await shownTime(), 'First open');
    const atOpen = await image.getAttribute('src');
    await time.press('PageUp');
    t.match(await shownTime(), /^\d+ d \d+ h \d+ min \d+ s after the first open$/);
    t.ok(await isOther(atOpen), 'less is left');
    const moved = await image.getAttribute('src');
    await slider.press('End');
    t.ok(await isOther(moved), 'a frame counts on');
    await page.getByRole('button', { name: 'First open', exact: true }).click();
    t.equal(await shownTime(), 'First open');
  });

  claim('a countdown is added with a day and a time, and another one shares them', async (t) => {
    const read = await open([], {});
    t.equal(await time.count(), 0, 'a template without a clock has no slider');
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Countdown', exact: true }).click();
    };
    await add();
    const endsOn = async (day: RegExp): Promise<boolean> => {
      await time.press('End');
      return day.test(await shownTime());
    };
    t.ok(await eventually(() => endsOn(/^Friday/)), 'an hour after the deadline of the service');
    const { clock: made, variables: names } = await read();
    t.same(names.at(-1), { name: 'deadline', type: 'date', value: '' });
    t.equal(made?.until, '{{deadline | default:friday 18:00}}');
    await add();
    const { clock: kept, ...both } = await read();
    t.same([kept, both.variables], [made, names]);
    t.equal(JSON.stringify(both.layers).split('{{countdown.hours | pad}}').length, 3);
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByLabel('Preview with as deadline').pressSequentially('12242098');
    await page.getByLabel('Time of deadline').pressSequentially('0600PM');
    const sample = /December 24, 2098.* 7:00:00/;
    t.ok(await eventually(() => endsOn(sample)), 'the slider ends an hour after the sample');
    await page.locator('[data-variable="deadline"] .p-variable-name').click();
    await page.getByLabel('Default', { exact: true }).pressSequentially('12312098');
    await page.getByLabel('Time of the default of deadline').pressSequentially('0930PM');
    t.match((await read()).variables.at(-1), { value: '2098-12-31T21:30' });
  });

  claim('a countdown is as long as its handle says, and a phone plays it', async (t) => {
    const until = { until: '2040-01-01T00:00:00Z', zone: 'UTC' };
    const counts = { clock: until, variables, animation: { type: 'countdown', frames: 12 } };
    const read = await open(layers, counts);
    await bar('Seconds that it counts').press('ArrowLeft');
    await bar('Plays').press('ArrowRight');
    t.match(await read(), { animation: { type: 'countdown', frames: 11, plays: 2 } });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByAltText('The animation as readers see it').waitFor();
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= 390'));
    t.same(await accessibilityProblems(page), []);
  });
});

/** A template that moves in the studio: the slider shows its frames, a dialog plays it, and the inspector edits it. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
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
    await page.getByRole('button', { name: 'Add tracks' }).click();
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
});

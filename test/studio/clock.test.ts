/** A template with a clock in the studio: the slider shows it at other times, and the inspector edits its clock. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

const frame = { type: 'text', x: 10, y: 10, width: 380, height: 60 } as const;
const isOver = { variable: 'countdown.isOver', equals: 'true' };
const clock = { until: '{{deadline}}', zone: 'Europe/Berlin' };
const variables = [{ name: 'deadline', type: 'date', value: '2099-01-01' }];
const layers = [
  { ...frame, id: 'left', text: '{{countdown.hours}} h', visibleWhen: { not: isOver } },
  { ...frame, id: 'over', text: 'Over', visibleWhen: isOver },
];

t.test('a template with a clock in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t), 900)).newPage();
  const complaints = watchPage(page, base);
  const read = await saveCanvas(base, 'sale', layers, { clock, variables });
  const readTimeless = await saveCanvas(base, 'timeless');
  const left = '{{countdown.totalHours}}:{{countdown.minutes}}:{{countdown.seconds}}';
  await saveCanvas(base, 'evergreen', [{ ...frame, id: 'left', text: left }], {
    clock: { evergreen: '48h' },
  });
  const slider = page.getByLabel('Time that is shown');
  const image = page.locator('.canvas-sheet img');
  const text = async (): Promise<string | null> => slider.getAttribute('aria-valuetext');

  t.test('the slider goes from now beyond the deadline, and back', async (t) => {
    await page.goto(`${base}/studio#/t/sale`);
    await image.waitFor();
    t.equal(await text(), 'Now');
    t.same(await accessibilityProblems(page), []);
    const before = await image.getAttribute('src');
    await slider.focus();
    await page.keyboard.press('End');
    t.match(await text(), /Thursday, January 1, 2099.*1:00:00/);
    const differs = (): Promise<boolean> =>
      image.getAttribute('src').then((source) => source !== before);
    t.equal(await eventually(differs), true, 'the layer of the end');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    t.equal(await text(), 'Now');
  });

  t.test('a date is typed as the deadline without a refused request', async (t) => {
    await page.getByRole('tab', { name: 'Variables' }).click();
    const deadline = page.locator('[data-variable="deadline"]');
    t.notMatch(await deadline.innerText(), 'unused');
    await page.getByLabel('Preview with as deadline').focus();
    await page.keyboard.type('12242098');
    await page.getByText('1 sample value').waitFor();
    const isTaken = async (): Promise<boolean> => {
      await slider.press('End');
      return (await text())?.includes('December 24, 2098') === true;
    };
    t.equal(await eventually(isTaken), true);
    await page.getByRole('button', { name: 'Clear' }).click();
    t.same(complaints.splice(0), []);
  });

  t.test('the inspector edits the clock, and saves no time', async (t) => {
    await page.getByText('Clock', { exact: true }).click();
    const zone = page.getByLabel('Zone', { exact: true });
    await zone.fill('America/New_York');
    await zone.press('Enter');
    await becomes(page, 'saved');
    t.match(await read(), { clock: { until: '{{deadline}}', zone: 'America/New_York' } });
  });

  t.test('the inspector names the template that follows the countdown', async (t) => {
    const following = page.getByLabel('At zero', { exact: true });
    t.equal(await following.getAttribute('placeholder'), 'stay');
    await following.fill('ended');
    await following.press('Enter');
    await becomes(page, 'saved');
    t.match(await read(), { clock: { atZero: { template: 'ended' } } });
    await following.fill('');
    await following.press('Enter');
    await becomes(page, 'saved');
    t.same(((await read()) as { clock?: unknown }).clock, {
      until: '{{deadline}}',
      zone: 'America/New_York',
    });
  });

  t.test('an evergreen countdown runs from the first open on', async (t) => {
    await page.goto(`${base}/studio#/t/evergreen`);
    await image.waitFor();
    t.equal(await text(), 'First open');
    const atOpen = await image.getAttribute('src');
    await slider.focus();
    await page.keyboard.press('PageUp');
    t.match(await text(), /^\d+ d \d+ h \d+ min \d+ s after the first open$/);
    const differs = (): Promise<boolean> =>
      image.getAttribute('src').then((source) => source !== atOpen);
    t.equal(await eventually(differs), true, 'less is left');
    const moved = await image.getAttribute('src');
    await page.getByLabel('Frame that is shown').focus();
    await page.keyboard.press('End');
    const counts = (): Promise<boolean> =>
      image.getAttribute('src').then((source) => source !== moved);
    t.equal(await eventually(counts), true, 'a frame counts on');
    await page.getByRole('button', { name: 'First open', exact: true }).click();
    t.equal(await text(), 'First open');
  });

  t.test('a template without a clock has no slider', async (t) => {
    await page.goto(`${base}/studio#/t/timeless`);
    await page.getByText('Canvas').first().waitFor();
    await image.waitFor();
    t.equal(await slider.count(), 0);
  });

  t.test('a countdown is added with a deadline, and another shares it', async (t) => {
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Countdown', exact: true }).click();
    };
    await add();
    await slider.focus();
    await page.keyboard.press('End');
    t.match(await text(), /^Friday/);
    await becomes(page, 'saved');
    const { clock: made, variables: names } = (await readTimeless()) as Template;
    t.same(names.at(-1), { name: 'deadline', type: 'date', value: '' });
    t.equal(made?.until, '{{deadline | default:friday 18:00}}');
    await add();
    await becomes(page, 'saved');
    const { clock: kept, ...both } = (await readTimeless()) as Template;
    t.same([kept, both.variables], [made, names]);
    const shown = both.layers.flatMap((layer) => (layer.type === 'text' ? [layer.text] : []));
    t.equal(shown.filter((words) => words?.includes('{{countdown.hours | pad}}')).length, 2);
    t.same(complaints, []);
  });

  t.test('the deadline of a countdown takes a time wherever it is given', async (t) => {
    const type = async (field: Locator, keys: string): Promise<void> => {
      await field.focus();
      await page.keyboard.type(keys);
    };
    await page.getByRole('tab', { name: 'Variables' }).click();
    await type(page.getByLabel('Preview with as deadline'), '12242098');
    await type(page.getByLabel('Time of deadline'), '0600PM');
    const isTaken = async (): Promise<boolean> => {
      await slider.press('End');
      return /December 24, 2098.* 7:00:00/.test((await text()) ?? '');
    };
    t.ok(await eventually(isTaken), 'the slider ends an hour after the sample');

    await page.locator('[data-variable="deadline"] .p-variable-name').click();
    const day = page.getByLabel('Default', { exact: true });
    const time = page.getByLabel('Time of the default of deadline');
    const saved = async (): Promise<unknown> => {
      await page.keyboard.press('Control+s');
      await becomes(page, 'saved');
      return ((await readTimeless()) as Template).variables.at(-1);
    };
    await type(day, '12312098');
    await type(time, '0930PM');
    t.match(await saved(), { value: '2098-12-31T21:30' });
    await day.focus();
    for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
      await page.keyboard.press(key);
    t.match(await saved(), { value: '' });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await type(day, '11302098');
    t.match(await saved(), { value: '2098-11-30T21:30' }, 'a cleared default takes a time again');

    await new PlatenClient({ baseUrl: base, apiKey: demoKey }).publishTemplate('timeless');
    await page.reload();
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
    const share = page.getByRole('dialog', { name: 'Share' });
    await type(share.getByLabel('deadline', { exact: true }).first(), '01022099');
    await type(share.getByLabel('Time of deadline'), '0915AM');
    await share.getByText('deadline=2099-01-02T09%3A15').first().waitFor();
    t.same(await accessibilityProblems(page), []);
    t.same(complaints, []);
  });
});

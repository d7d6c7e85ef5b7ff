/** Unfinished input in the studio: the draft saves all else, nothing invalid is sent, and the typed text stays. */
import t from 'tap';
import type { Test } from 'tap';
import type { Locator, Page } from 'playwright-core';
import type { Template } from '#language/schema/template.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';
import { becomes, publishDraft, studioContext } from './studio-page.ts';

const box = { x: 20, y: 20, width: 100, height: 40 };
const clip = { shape: 'path', path: 'M0 0H40V40Z' };
const visibleWhen = { variable: 'price', greaterThan: 1 };
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
const layers = [
  { ...box, id: 't', type: 'text', text: 'Hello', fontSize: 20, visibleWhen },
  { ...box, id: 'r', type: 'rect', y: 80, fill: '#20639b', clip },
  { ...box, id: 'v', type: 'svg', y: 140, svg },
  { ...box, id: 'p', type: 'path', y: 200, viewBox: [0, 0, 10, 10], path: 'M0 0L9 9' },
];
const variables = [
  { name: 'price', type: 'number', value: '12.5', min: 0, max: 100 },
  { name: 'code', type: 'text', value: 'A', maxLength: 5 },
  { name: 'day', type: 'date', value: '2026-12-31' },
  {
    name: 'items',
    type: 'list',
    fields: [{ name: 'title', type: 'text', value: '' }],
    value: [{ title: 'Tea' }],
  },
];
const clock = { zone: 'Europe/Berlin', until: '2099-01-01' };

/** What people leave in a field on the way to a value. */
const parts = ['{{price|curr}} {{item.title}}', '12a', '<svg><g'];

t.test('unfinished input', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const context = await studioContext(await startBrowser(t), 1000);
  let count = 0;

  /** Opens a template of its own. `refused` has the requests that the service refuses. */
  async function open(t: Test): Promise<{
    page: Page;
    uid: string;
    refused: string[];
    draft: () => Promise<Template>;
  }> {
    count += 1;
    const uid = `unfinished-${count}`;
    await saveCanvas(base, uid, layers, { variables, clock });
    const page = await context.newPage();
    t.teardown(() => page.close());
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400)
        refused.push(`${answer.status()} ${answer.url()} ${answer.request().postData() ?? ''}`);
    });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.waitForFunction((name) => document.title.startsWith(`${name} `), uid);
    await page.waitForSelector('.canvas-sheet img');
    const draft = async (): Promise<Template> => {
      await page.keyboard.press('Control+s');
      await becomes(page, 'saved');
      return (await client.getTemplateDocument(uid)) as unknown as Template;
    };
    return { page, uid, refused, draft };
  }

  /** Leaves each part in each field, and returns the number of fields. */
  async function leaveParts(fields: Locator): Promise<number> {
    let at = 0;
    for (; at < (await fields.count()); at += 1) {
      const field = fields.nth(at);
      if (await field.isDisabled()) continue;
      for (const part of parts) {
        await field.fill(part);
        await field.blur();
      }
    }
    return at;
  }
  const rename = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Name of the template').fill(name);
    await page.getByLabel('Name of the template').press('Enter');
  };

  for (const id of ['t', 'r', 'v', 'p', undefined]) {
    await t.test(`each field of the inspector: ${id ?? 'template'}`, async (t) => {
      const { page, refused, draft } = await open(t);
      if (id !== undefined) await page.locator(`[data-layer="${id}"]`).click();
      await page.locator('.p-section').evaluateAll((sections: HTMLDetailsElement[]) => {
        for (const section of sections) section.open = true;
      });
      const fields = page.locator('.p-inspector :is(input[type="text"], textarea):visible');
      t.ok((await leaveParts(fields)) >= 8);
      await rename(page, 'Renamed');
      t.match(await draft(), { name: 'Renamed' });
      t.same(refused, []);
    });
  }

  await t.test('each field of the variables', async (t) => {
    const { page, refused, draft } = await open(t);
    await page.getByRole('tab', { name: 'Variables' }).click();
    for (const { name, type } of variables) {
      const variable = page.locator(`[data-variable="${name}"]`);
      await variable.getByRole('button').first().click();
      const fields = variable.locator(
        ':is(.p-row, .p-list-items) :is(input[type="text"], textarea):visible:not([maxlength="128"])',
      );
      const left = await leaveParts(fields);
      // The browser's fields of a date and a time take no other text.
      t.equal(left === 0, type === 'date', name);
    }
    await rename(page, 'Renamed');
    t.match(await draft(), {
      name: 'Renamed',
      variables: [{ min: 0, max: 100, value: '12.5' }, { maxLength: 5 }, { value: '2026-12-31' }],
    });
    t.same(refused, []);
  });

  await t.test('sample values are sent once they are complete', async (t) => {
    const { page, refused } = await open(t);
    await page.getByRole('tab', { name: 'Variables' }).click();
    for (const [name, typed] of [
      ['price', '120'],
      ['code', 'A long text'],
    ] as const) {
      const sample = page.getByLabel(`Preview with as ${name}`);
      await sample.pressSequentially(typed);
      t.equal(await sample.inputValue(), typed);
      await sample.fill('');
    }
    t.same(refused, []);
  });

  await t.test('a text keeps what is typed, and the draft has the rest', async (t) => {
    const { page, uid, refused, draft } = await open(t);
    await page.locator('[data-layer="t"]').click();
    const text = page.locator('.p-row[data-field="text"] textarea');
    const image = page.locator('.canvas-sheet img');
    for (const [typed, saved] of [
      ['Pay {{price | curr}} now', 'Pay {{price}} now'],
      ['So {{price|b:}} now', 'So {{price}} now'],
      ['{{item.title}}, hello', ', hello'],
      ['Pay {{price|curr}} and {{item.title}} now', 'Pay {{price}} and  now'],
    ] as const) {
      const before = await image.getAttribute('src');
      await text.fill('');
      await text.pressSequentially(typed);
      t.match((await draft()).layers[0], { text: saved });
      t.equal(await text.inputValue(), typed);
      const follows = async () => (await image.getAttribute('src')) !== before;
      t.equal(await eventually(follows), true, 'the canvas follows');
    }
    await text.fill('Pay {{price|curr}}');
    const bar = page.getByRole('status').filter({ hasText: 'All else is saved' });
    await bar.waitFor();
    t.match(await bar.innerText(), /^Text of “Pay .*” is unfinished\.\s+All else is saved\./s);
    t.match(
      await page.locator('.p-row .p-problem, .p-row + .p-problem').innerText(),
      'with the format "curr"',
    );
    t.equal(
      await page.locator('.p-row[data-field="text"] + .p-problem, .p-row .p-problem').count(),
      1,
    );
    t.match(await draft(), { layers: [{ text: 'Pay {{price}}' }] });
    t.equal(await page.locator('.save-note').innerText(), 'Saved in part');
    t.same(await accessibilityProblems(page), []);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.waitForSelector('.canvas-sheet img');
    await page.locator('[data-layer="t"]').click();
    t.equal(await text.inputValue(), 'Pay {{price|curr}}', 'after a reload');
    await becomes(page, 'saved');

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Unfinished, and so not published').waitFor();
    t.match(await dialog.locator('.refusal').innerText(), 'with the format "curr"');
    t.same(await accessibilityProblems(page), []);
    await publishDraft(page);
    await dialog.locator('.news').waitFor();
    const published = await client.getTemplateDocument(uid, { version: 1 });
    t.match(published, { layers: [{ text: 'Pay {{price}}' }] });
    await page.keyboard.press('Escape');

    await text.fill('Pay {{price | currency:EUR}}');
    await bar.waitFor({ state: 'detached' });
    t.match(await draft(), { layers: [{ text: 'Pay {{price | currency:EUR}}' }] });
    t.equal(await page.locator('.save-note').innerText(), 'Saved');
    t.same(refused, []);
  });

  await t.test('typing on the canvas sends nothing that is unfinished', async (t) => {
    const { page, refused, draft } = await open(t);
    await page.locator('[data-layer="v"]').click();
    await page.locator('summary', { hasText: 'Markup' }).click();
    await page.locator('.p-row[data-field="svg"] textarea').fill('<svg><g');
    const row = page.locator('[data-layer="t"]');
    const text = page.locator('.p-row[data-field="text"] textarea');
    const canvas = new CanvasPage(page, draft);
    const typeOnCanvas = async (typed: string): Promise<void> => {
      await page.mouse.dblclick(...(await canvas.at({ x: box.x + 40, y: box.y + 15 })));
      await page.waitForSelector('.text-editor');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
      await page.keyboard.press('Escape');
    };
    await row.click();
    await text.fill('For {{price}}');
    await typeOnCanvas(' at {{price|b:}} now');
    t.match((await draft()).layers, [{ text: 'For {{price}} at {{price}} now' }, {}, { svg }, {}]);
    t.equal(await text.inputValue(), 'For {{price}} at {{price|b:}} now');
    // A text that is a binding alone edits the sample value, of which links take 5 characters.
    await text.fill('{{code}}');
    await typeOnCanvas('manda');
    await becomes(page, 'saved');
    t.same(refused, []);
  });

  await t.test('markup and path data are drawn once they are whole', async (t) => {
    const { page, refused, draft } = await open(t);
    await page.locator('[data-layer="v"]').click();
    await page.locator('summary', { hasText: 'Markup' }).click();
    const markup = page.locator('.p-row[data-field="svg"] textarea');
    const whole = svg.replace('h9v9z', 'h5v5z');
    await markup.fill('');
    await markup.pressSequentially(whole.slice(0, -10));
    t.match((await draft()).layers[2], { svg: /^<svg .*$/ });
    await page.locator('.p-problem').waitFor();
    await page.locator('[data-layer="p"]').click();
    const data = page.locator('.p-row[data-field="path"] textarea');
    await data.fill('M0 0L');
    t.match((await draft()).layers, [{}, {}, { svg }, { path: 'M0 0L9 9' }]);
    await data.fill('M0 0L5 5');
    await page.locator('[data-layer="v"]').click();
    t.equal(await markup.inputValue(), whole.slice(0, -10), 'the field keeps it');
    await markup.fill(whole);
    t.match((await draft()).layers, [{}, {}, { svg: whole }, { path: 'M0 0L5 5' }]);
    await page.getByRole('button', { name: 'Undo: Change markup' }).click();
    t.equal(await markup.inputValue(), whole.slice(0, -10), 'one step');
    t.same(refused, []);
  });

  await t.test('without the check, a draft is saved as before', async (t) => {
    await context.route('**/check.js', (route) => route.abort());
    const { page, draft } = await open(t);
    await rename(page, 'Unchecked');
    t.match(await draft(), { name: 'Unchecked' });
    await context.unroute('**/check.js');
  });
});

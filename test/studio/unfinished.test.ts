/** Unfinished input in the studio: the draft saves all else, nothing invalid is sent, and the typed text stays. */
import t from 'tap';
import type { Test } from 'tap';
import type { Locator } from 'playwright-core';
import type { Template } from '#language/schema/template.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import type { CanvasPage } from './canvas-page.ts';
import { listOf } from './documents.ts';
import { openStudio } from './open-studio.ts';
import { becomes, publishDraft } from './studio-page.ts';

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
  listOf('items', { title: ['text', ''] }, [{ title: 'Tea' }]),
];
const more = { variables, clock: { zone: 'Europe/Berlin', until: '2099-01-01' } };

/** What people leave in a field on the way to a value. */
const parts = ['{{price|curr}} {{item.title}}', '12a', '<svg><g'];

t.test('unfinished input', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService(), 1000);
  const { page, client } = studio;
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400)
      refused.push(`${answer.status()} ${answer.url()} ${answer.request().postData() ?? ''}`);
  });
  page.on('dialog', (dialog) => void dialog.accept());
  t.afterEach(() => void t.same(refused.splice(0), []));
  let uid = '';
  let canvas: CanvasPage;
  /** Opens a template named after the test. */
  const open = async ({ name }: Test): Promise<void> => {
    uid = `unfinished-${name.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    canvas = await studio.edit(uid, layers, more);
  };
  const draft = async (): Promise<Template> => (await canvas.document()) as Template;
  const select = (id: string): Promise<void> => page.locator(`[data-layer="${id}"]`).click();
  const area = (name: string) => page.locator(`.p-row[data-field="${name}"] textarea`);
  const rename = async (name: string): Promise<void> => {
    await page.getByLabel('Name of the template').fill(name);
    await page.getByLabel('Name of the template').press('Enter');
  };
  const openSections = (): Promise<void> =>
    page.locator('.p-section').evaluateAll((sections: HTMLDetailsElement[]) => {
      for (const section of sections) section.open = true;
    });

  /** Leaves each part in each field, and returns the number of fields. */
  async function leaveParts(fields: Locator): Promise<number> {
    let at = 0;
    for (; at < (await fields.count()); at += 1) {
      if (await fields.nth(at).isDisabled()) continue;
      for (const part of parts) {
        await fields.nth(at).fill(part);
        await fields.nth(at).blur();
      }
    }
    return at;
  }

  for (const id of ['t', 'r', undefined]) {
    t.test(`each field of the inspector: ${id ?? 'template'}`, async (t) => {
      await open(t);
      if (id !== undefined) await select(id);
      await openSections();
      const fields = page.locator('.p-inspector :is(input[type="text"], textarea):visible');
      t.ok((await leaveParts(fields)) >= 8);
      await rename('Renamed');
      t.match(await draft(), { name: 'Renamed' });
    });
  }

  t.test('each field of the variables', async (t) => {
    await open(t);
    await page.getByRole('tab', { name: 'Variables' }).click();
    for (const { name, type } of variables) {
      const variable = page.locator(`[data-variable="${name}"]`);
      await variable.getByRole('button').first().click();
      const fields = variable.locator(
        ':is(.p-row, .p-list-items) :is(input[type="text"], textarea):visible:not([maxlength="128"])',
      );
      // The browser's fields of a date and a time take no other text.
      t.equal((await leaveParts(fields)) === 0, type === 'date', name);
    }
    await rename('Renamed');
    t.match(await draft(), {
      name: 'Renamed',
      variables: [{ min: 0, max: 100, value: '12.5' }, { maxLength: 5 }, { value: '2026-12-31' }],
    });
  });

  t.test('a text keeps what is typed, and the draft has the rest', async (t) => {
    await open(t);
    await select('t');
    const text = area('text');
    const image = page.locator('.canvas-sheet img');
    for (const [typed, saved] of [
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
    t.match(await bar.innerText(), /^Text of “Pay .*” is unfinished\.\s+All else is saved\./s);
    const problem = page.locator('.p-row .p-problem, .p-row[data-field="text"] + .p-problem');
    t.match(await problem.innerText(), 'with the format "curr"');
    t.match(await draft(), { layers: [{ text: 'Pay {{price}}' }] });
    t.equal(await page.locator('.save-note').innerText(), 'Saved in part');
    t.same(await accessibilityProblems(page), []);

    await page.reload();
    await page.waitForSelector('.canvas-sheet img');
    await select('t');
    t.equal(await text.inputValue(), 'Pay {{price|curr}}', 'after a reload');
    await becomes(page, 'saved');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Unfinished, and so not published').waitFor();
    t.match(await dialog.locator('.refusal').innerText(), 'with the format "curr"');
    await publishDraft(page);
    await dialog.locator('.news').waitFor();
    const published = await client.getTemplateDocument(uid, { version: 1 });
    t.match(published, { layers: [{ text: 'Pay {{price}}' }] });
    await page.keyboard.press('Escape');
    await text.fill('Pay {{price | currency:EUR}}');
    await bar.waitFor({ state: 'detached' });
    t.match(await draft(), { layers: [{ text: 'Pay {{price | currency:EUR}}' }] });
    t.equal(await page.locator('.save-note').innerText(), 'Saved');
  });

  t.test('typing on the canvas sends nothing that is unfinished', async (t) => {
    await open(t);
    await select('v');
    await openSections();
    await area('svg').fill('<svg><g');
    const typeOnCanvas = async (typed: string): Promise<void> => {
      await page.mouse.dblclick(...(await canvas.at({ x: box.x + 40, y: box.y + 15 })));
      await page.waitForSelector('.text-editor');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
      await page.keyboard.press('Escape');
    };
    await select('t');
    await area('text').fill('For {{price}}');
    await typeOnCanvas(' at {{price|b:}} now');
    t.match((await draft()).layers, [{ text: 'For {{price}} at {{price}} now' }, {}, { svg }, {}]);
    t.equal(await area('text').inputValue(), 'For {{price}} at {{price|b:}} now');
    // A text that is a binding alone edits the sample value, of which links take 5 characters.
    await area('text').fill('{{code}}');
    await typeOnCanvas('manda');
    await becomes(page, 'saved');
  });

  t.test('markup and path data are drawn once they are whole', async (t) => {
    await open(t);
    await select('v');
    await openSections();
    const markup = area('svg');
    const whole = svg.replace('h9v9z', 'h5v5z');
    const part = whole.slice(0, -10);
    await markup.fill(part);
    t.match((await draft()).layers[2], { svg: /^<svg .*$/ });
    await page.locator('.p-problem').waitFor();
    await select('p');
    await area('path').fill('M0 0L');
    t.match((await draft()).layers, [{}, {}, { svg }, { path: 'M0 0L9 9' }]);
    await area('path').fill('M0 0L5 5');
    await select('v');
    t.equal(await markup.inputValue(), part, 'the field keeps it');
    await markup.fill(whole);
    t.match((await draft()).layers, [{}, {}, { svg: whole }, { path: 'M0 0L5 5' }]);
    await page.getByRole('button', { name: 'Undo: Change markup' }).click();
    t.equal(await markup.inputValue(), part, 'one step');
  });

  t.test('texts that could take too long to draw get limits by the bar', async (t) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const texts = ['{{a}} {{b}}', '{{c}} {{d}}', '{{e}} {{f}}'].map((text, index) => {
      return { ...box, id: `text-${index}`, type: 'text', text };
    });
    const unlimited = names.map((name) => ({ name, type: 'text', value: name }));
    canvas = await studio.edit('long-texts', texts, { variables: unlimited });
    await select('text-0');
    await canvas.focus();
    const bar = page.locator('.problem-bar');
    let saved = texts.length;
    for (; saved < 40 && (await bar.count()) === 0; saved += 1) {
      await page.keyboard.press('Control+d');
      await becomes(page, 'saved');
    }
    t.match(await bar.textContent(), /the texts could take too long to draw/);
    t.equal((await canvas.layers()).length, saved - 1, 'the last copy is left out');
    await bar.getByRole('button', { name: 'Limit texts to 200 characters' }).click();
    await bar.waitFor({ state: 'detached' });
    const document = await draft();
    t.equal(document.layers.length, saved);
    t.match(document.variables, Array(names.length).fill({ maxLength: 200 }));
  });

  t.test('without the check, a draft is saved as before', async (t) => {
    await page.route('**/check.js', (route) => route.abort());
    await studio.show('#/');
    await page.reload();
    await open(t);
    await rename('Unchecked');
    t.match(await draft(), { name: 'Unchecked' });
  });
});

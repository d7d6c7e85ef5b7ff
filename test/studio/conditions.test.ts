/** The form of conditions: what it reads and writes, and its use in a browser. */
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import t from 'tap';
import { annotatedSchema } from '#language/schema/document.ts';
import type { Template } from '#language/schema/template.ts';
import {
  conditionList,
  conditionOf,
  firstOperand,
  operatorsOf,
  questionsOf,
  writtenList,
} from '../../src/studio/panels/conditions/conditions.ts';
import { layerFields } from '../../src/studio/panels/fields/schema-fields.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { validTemplate } from '../helpers/render.ts';
import { studioContext } from './studio-page.ts';

const variables: Template['variables'] = [
  { name: 'tier', type: 'text', value: 'Gold' },
  { name: 'points', type: 'number', value: '7' },
  { name: 'limit', type: 'number', value: '5' },
  { name: 'ends', type: 'date', value: '2026-12-31' },
  { name: 'isNew', type: 'boolean', value: 'true' },
  { name: 'tone', type: 'color', value: '#ff0000' },
  { name: 'photo', type: 'image', value: '' },
  {
    name: 'items',
    type: 'list',
    fields: [
      { name: 'title', type: 'text', value: '' },
      { name: 'price', type: 'number', value: '0' },
    ],
    value: [{ title: 'Tea' }],
  },
];

const box = { x: 20, y: 20, width: 100, height: 40 };
const documentWith = (layers: readonly object[]): object => ({
  format: 1,
  name: 'Conditions',
  width: 400,
  height: 300,
  variables,
  layers,
});

t.test('whatever the form begins with is a condition that the service takes', (t) => {
  for (const variable of variables) {
    const asked = operatorsOf(variable.type).map(([operator]) =>
      conditionOf(variable, [{ operator, operand: firstOperand(operator, variable.type) }], true),
    );
    t.ok(asked.length >= 2, variable.type);
    for (const visibleWhen of [...asked, asked.slice(0, 8)]) {
      t.ok(validTemplate(documentWith([{ id: 'a', type: 'rect', ...box, visibleWhen }])));
    }
  }
  t.end();
});

t.test('a condition that the form reads and writes is the same', (t) => {
  const text = fc.constantFrom('', 'Gold', '{{tier}}', 'a, b');
  const condition = fc.record(
    {
      variable: fc.constant('tier'),
      set: fc.boolean(),
      equals: text,
      notEquals: text,
      oneOf: fc.array(text, { minLength: 1, maxLength: 3 }),
      greaterThan: fc.oneof(fc.integer(), fc.constantFrom('{{points}}')),
      lessThan: fc.double({ noNaN: true, noDefaultInfinity: true }),
    },
    { requiredKeys: ['variable', 'equals'] },
  );
  fc.assert(
    fc.property(condition, fc.boolean(), (written, ignores) => {
      const whole = ignores ? { ...written, ignoreCase: true } : written;
      const tier = { name: 'tier', type: 'text' } as const;
      t.strictSame(conditionOf(tier, questionsOf(whole), ignores), { ...whole });
      for (const value of [undefined, whole, [whole, { not: whole }]]) {
        t.strictSame(writtenList(conditionList(value)), value);
      }
    }),
    { numRuns: 100 },
  );
  t.end();
});

t.test('the bounds of the form are those of the schema', (t) => {
  const field = layerFields(annotatedSchema(), 'rect').find(({ name }) => name === 'visibleWhen');
  t.match(field?.kind, { type: 'conditions', most: 8, innerMost: 8, levels: 2 });
  t.match(field?.kind, { hints: { equals: /the value is this/, ignoreCase: /capitals/ } });
  t.end();
});

t.test('conditions in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser, 900);
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  let count = 0;

  /** The studio with a layer selected and its section open, and what is saved of the first layer. */
  const open = async (
    layers: readonly object[],
    layer: string,
    section: string,
  ): Promise<{
    page: Page;
    complaints: string[];
    saved: () => Promise<Template['layers'][number] | undefined>;
  }> => {
    count += 1;
    const uid = `conditions-${count}`;
    const body = JSON.stringify(documentWith(layers));
    await fetch(`${base}/v1/templates?uid=${uid}`, { method: 'POST', headers, body });
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.click(`[data-layer="${layer}"]`);
    const summary = page.locator('.p-section summary', { hasText: section });
    if (!(await summary.evaluate((each) => each.closest('details')?.open))) await summary.click();
    const saved = async (): Promise<Template['layers'][number] | undefined> => {
      await page.keyboard.press('Control+s');
      await page.waitForSelector('.save-note[data-state="saved"]');
      const answer = await fetch(`${base}/v1/templates/${uid}/document`, { headers });
      return ((await answer.json()) as Template).layers[0];
    };
    return { page, complaints, saved };
  };

  t.test('questions and groups are made by choosing', async (t) => {
    const { page, complaints, saved } = await open(
      [{ id: 'a', type: 'rect', ...box }],
      'a',
      'Visibility',
    );
    const field = (label: string) => page.getByLabel(`Condition ${label}`, { exact: true });
    await page.getByRole('button', { name: 'Show only when…' }).click();
    t.same((await saved())?.visibleWhen, { variable: 'tier', set: true });
    await field('1: question').selectOption('is');
    await field('1: compared with').fill('gold');
    await page.getByLabel('Capitals do not matter').check();
    const gold = { variable: 'tier', equals: 'gold', ignoreCase: true };
    t.same((await saved())?.visibleWhen, gold);

    await page.getByRole('button', { name: 'Add group' }).click();
    await field('2.1: variable').selectOption('points');
    await field('2.1: question').selectOption('is above');
    await field('2.1: compared with what').selectOption('{{limit}}');
    await page
      .getByRole('group', { name: 'Condition 2', exact: true })
      .getByText('Add condition')
      .click();
    await field('2.2: variable').selectOption('ends');
    await field('2.2: question').selectOption('is after');
    await page.getByRole('button', { name: '…and also' }).last().click();
    const ends = { variable: 'ends', greaterThan: 'today' };
    const points = { variable: 'points', greaterThan: '{{limit}}' };
    t.same((await saved())?.visibleWhen, [gold, { any: [points, { ...ends, set: true }] }]);
    await page.getByLabel('Remove this question of condition 2.2').last().click();
    t.same((await saved())?.visibleWhen, [gold, { any: [points, ends] }]);
    const join = field('2: how it is joined');
    t.equal(await join.locator('option', { hasText: 'This does not hold' }).isDisabled(), true);
    await page.getByLabel('Remove condition 2.2', { exact: true }).click();
    await join.selectOption('This does not hold');
    t.same((await saved())?.visibleWhen, [gold, { not: points }]);
    await join.selectOption('All of these hold');
    t.same((await saved())?.visibleWhen, [gold, { all: [points] }]);

    // Two groups within each other are all that the language has.
    const second = page.getByRole('group', { name: 'Condition 2', exact: true });
    await second.getByText('Add group').click();
    t.equal(await second.getByText('Add group').count(), 1, 'none in the inner group');
    await field('2.2.1: variable').selectOption('isNew');
    await field('2.2.1: question').selectOption('is');
    t.same((await saved())?.visibleWhen, [
      gold,
      { all: [points, { any: [{ variable: 'isNew', equals: 'true' }] }] },
    ]);
    t.same(await accessibilityProblems(page), []);
    await page.getByLabel('Remove condition 2.2.1').click();
    t.same((await saved())?.visibleWhen, [gold, { all: [points] }], 'an empty group is gone');
    await page.getByLabel('Remove condition 2', { exact: true }).click();
    await page.getByLabel('Remove condition 1', { exact: true }).click();
    t.notOk('visibleWhen' in ((await saved()) ?? {}));
    await page.keyboard.press('Control+z');
    t.same((await saved())?.visibleWhen, gold, 'each choice is a step');
    t.same(complaints, []);
    await page.close();
  });

  t.test('the form is used by the keyboard', async (t) => {
    const { page, complaints, saved } = await open(
      [{ id: 'a', type: 'rect', ...box }],
      'a',
      'Visibility',
    );
    await page.getByRole('button', { name: 'Show only when…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Condition 1: variable').focus();
    await page.keyboard.press('p');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    t.same((await saved())?.visibleWhen, { variable: 'points', set: false });
    t.same(complaints, []);
    await page.close();
  });

  t.test('layers of an item ask about its fields, and so do spans', async (t) => {
    const text = {
      id: 'title',
      type: 'text',
      width: 'fill',
      height: 'hug',
      spans: [{ text: '{{item.title}}' }, { text: ' new' }],
    };
    const stack = { ...box, id: 'cart', type: 'stack', repeat: { list: 'items' }, layers: [text] };
    const { page, complaints, saved } = await open([stack], 'title', 'Text');
    await page.getByText('Styled parts', { exact: true }).click();
    const options = page.getByLabel('Add a property').last();
    await options.selectOption('Show when');
    await page.getByRole('button', { name: 'Show only when…' }).first().click();
    await page.getByLabel('Condition 1: variable').selectOption('item.price');
    await page.getByLabel('Condition 1: question').selectOption('is above');
    await page.getByLabel('Condition 1: compared with', { exact: true }).fill('9.5');
    t.match(await saved(), {
      layers: [{ spans: [{}, { visibleWhen: { variable: 'item.price', greaterThan: 9.5 } }] }],
    });
    t.same(await accessibilityProblems(page), []);
    t.same(complaints, []);
    await page.close();
  });
});

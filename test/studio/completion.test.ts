/** Completion of bindings: what is offered at a caret, what is written, and its use in a browser. */
import t from 'tap';
import { bindingsIn } from '#language/bind/bindings.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { compileBinding } from '#language/values/formatted-binding.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import { complete, completionAt } from '../../src/studio/panels/variables/completion.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const items: Variable = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: '' }],
  value: [{ title: 'Tea' }],
};
const variables: Variable[] = [
  { name: 'item.title', type: 'text', value: '' },
  { name: 'name', type: 'text', value: 'Ada' },
  { name: 'number', type: 'number', value: '5' },
  items,
];

/** Texts that are offered where `^` stands. */
function offered(marked: string): string[] {
  const text = marked.replace('^', '');
  const found = completionAt(text, marked.indexOf('^'), variables);
  return found?.offers.map((offer) => offer.text) ?? [];
}

/** The text after the first offer is taken where `^` stands, with the selection between brackets. */
function taken(marked: string, choice = 0): string {
  const text = marked.replace('^', '');
  const found = completionAt(text, marked.indexOf('^'), variables);
  const offer = found?.offers[choice];
  if (found === undefined || offer === undefined) return text;
  const { text: written, selection } = complete(text, found, offer);
  const [from, to] = selection;
  return `${written.slice(0, from)}[${written.slice(from, to)}]${written.slice(to)}`;
}

t.test('variables and fields of items are offered after two braces, and no list', (t) => {
  t.same(offered('{{^'), ['item.title', 'name', 'number']);
  t.same(offered('Hello {{na^ and {{number}}'), ['name', 'na'], 'a new name comes last');
  t.same(offered('{{ N^'), ['name', 'number', 'N']);
  t.same(offered('{{ti^'), ['item.title', 'ti'], 'without item.');
  t.same(offered('{{x^'), ['x']);
  for (const none of ['^', 'na^', '{na^', '{{name}} na^', '{{name^', '{{items^', '{{a\n^', '{^{']) {
    t.same(offered(none), [], none);
  }
  t.end();
});

t.test('all formats are offered after a bar, each with an argument that is right', (t) => {
  t.equal(offered('{{number | ^').length, Object.keys(valueFormats).length);
  t.same(offered('{{number|cu^'), ['currency:EUR']);
  t.same(offered('{{name | name | up^'), ['upper']);
  for (const offer of offered('{{number | ^')) {
    t.equal(compileBinding(`number | ${offer}`).problem, undefined, offer);
  }
  t.end();
});

t.test('what is taken is a whole binding, and an argument is ready to be typed over', (t) => {
  t.equal(taken('Hello {{na^'), 'Hello {{name}}[]');
  t.equal(taken('Hello {{na^}}, you'), 'Hello {{name[]}}, you');
  t.equal(taken('{{na^ | upper}}'), '{{name[] | upper}}');
  t.equal(taken('{{number | cu^ left'), '{{number | currency:[EUR]}} left');
  t.equal(taken('{{name | up^'), '{{name | upper}}[]');
  for (const [index] of offered('{{number | ^').entries()) {
    const written = taken('a {{number | ^ b', index).replaceAll(/[[\]]/g, '');
    t.equal(bindingsIn(written).length, 1, written);
  }
  t.end();
});

t.test('completion in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  const line = {
    id: 'title',
    type: 'text',
    width: 'fill',
    height: 'hug',
    text: 'Hello',
    fontSize: 20,
  };
  const repeat = { list: 'items' };
  const stack = { id: 'cart', type: 'stack', x: 20, y: 20, width: 300, height: 'hug', repeat };
  const document = {
    format: 1,
    name: 'Completion',
    width: 400,
    height: 300,
    variables: variables.filter(({ name }) => !name.includes('.')),
    layers: [{ ...stack, layers: [line] }],
  };
  const address = `${base}/v1/templates?uid=completion`;
  await fetch(address, { method: 'POST', headers, body: JSON.stringify(document) });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/completion`);
  await page.click('[data-layer="title"]');
  const saved = async (): Promise<unknown> => {
    await page.keyboard.press('Control+s');
    await page.waitForSelector('.save-note[data-state="saved"]');
    const answer = await fetch(`${base}/v1/templates/completion/document`, { headers });
    const { layers } = (await answer.json()) as Template;
    return layers[0]?.type === 'stack' ? layers[0].layers[0] : undefined;
  };
  const text = page.locator('.p-row[data-field="text"] textarea');
  const offers = page.locator('.p-offer');
  await text.press('End');
  await text.pressSequentially(' {{');
  t.same(await page.locator('.p-offer > :first-child').allTextContents(), [
    'item.title',
    'item.number',
    'item.more',
    'name',
    'number',
  ]);
  await text.pressSequentially('name | ');
  await offers.nth(10).waitFor();
  t.same(await accessibilityProblems(page), [], 'a list that scrolls');
  for (const _ of 'name | ') await text.press('Backspace');
  await text.pressSequentially('ite');
  await text.press('Enter');
  t.match(await saved(), { text: 'Hello {{item.title}}' });
  t.equal(await offers.count(), 0);

  await text.pressSequentially(', {{number | cu');
  await text.press('Tab');
  // At once: the service refuses the argument U.
  await page.keyboard.insertText('USD');
  t.match(await saved(), { text: 'Hello {{item.title}}, {{number | currency:USD}}' });
  await text.press('End');
  await text.pressSequentially(' {{na');
  await text.press('Escape');
  t.equal(await offers.count(), 0);
  await text.pressSequentially('m');
  await page.locator('.p-offers').click({ position: { x: 2, y: 16 } });
  t.equal(await offers.count(), 2, 'a click beside the offers leaves them');
  await offers.first().click();
  t.match(await saved(), { text: 'Hello {{item.title}}, {{number | currency:USD}} {{name}}' });

  await text.fill('');
  await text.pressSequentially('{{na');
  await text.press('Enter');
  t.equal(await text.inputValue(), '{{name}}', 'a binding alone stays a text');
  await page.waitForSelector('.p-row[data-field="text"] textarea:focus');
  t.same(complaints, []);
});

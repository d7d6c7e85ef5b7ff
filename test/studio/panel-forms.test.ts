/** Forms of the panels in a browser: conditions, completion of bindings, fonts, and icons. */
import t from 'tap';
import type { Page } from 'playwright-core';
import type { Layer } from '#language/schema/layers.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import type { CanvasPage } from './canvas-page.ts';
import { listOf } from './documents.ts';
import { openStudio } from './open-studio.ts';

const box = { x: 20, y: 20, width: 100, height: 40 };
const variables = [
  { name: 'tier', type: 'text', value: 'Gold' },
  { name: 'points', type: 'number', value: '7' },
  { name: 'limit', type: 'number', value: '5' },
  { name: 'ends', type: 'date', value: '2026-12-31' },
  { name: 'isNew', type: 'boolean', value: 'true' },
  listOf('items', { title: ['text', ''], price: ['number', '0'] }, [{ title: 'Tea' }]),
];
const spans = [{ text: '{{item.title}}' }, { text: ' new' }];
const title = { id: 'title', type: 'text', width: 'fill', height: 'hug', fontSize: 20 };
const cart = { ...box, id: 'cart', type: 'stack', height: 'hug', repeat: { list: 'items' } };

/** Largest distance from the letters of the image, in design pixels: both round advances in their own way. */
const distanceMax = 1;

/** The left edges of the words in the field and the right edge of the last one, in screen pixels from the first. */
function readEdges(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const node = document.querySelector('.span-field span')?.firstChild;
    if (node === null || node === undefined) return [];
    const found = [...(node.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return range.getBoundingClientRect();
    });
    const first = found[0]?.left ?? 0;
    return [...found.map(({ left }) => left), found.at(-1)?.right ?? 0].map((x) => x - first);
  });
}

t.test('forms of the panels in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService(), 900);
  const { page, client } = studio;
  const { keyboard } = page;
  let canvas: CanvasPage;
  const open = async (uid: string, layers: readonly object[], layer: string): Promise<void> => {
    canvas = await studio.edit(uid, layers, { variables });
    await page.click(`[data-layer="${layer}"]`);
  };
  const openSection = async (name: string): Promise<void> => {
    const summary = page.locator('.p-section summary', { hasText: name });
    if (!(await summary.evaluate((each) => each.closest('details')?.open))) await summary.click();
  };
  const saved = async (): Promise<Layer | undefined> => (await canvas.layers())[0];
  t.afterEach(() => void t.same(studio.complaints(), []));

  t.test('conditions and groups are made by choosing', async (t) => {
    await open('conditions', [{ id: 'a', type: 'rect', ...box }], 'a');
    await openSection('Visibility');
    const field = (label: string) => page.getByLabel(`Condition ${label}`, { exact: true });
    const second = page.getByRole('group', { name: 'Condition 2', exact: true });
    const is = async (expected: unknown, why = 'as chosen'): Promise<void> =>
      void t.same((await saved())?.visibleWhen, expected, why);
    await page.getByRole('button', { name: 'Show only when…' }).press('Enter');
    await is({ variable: 'tier', set: true });
    await field('1: variable').press('p');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await is({ variable: 'points', set: false }, 'by the keyboard');
    await field('1: variable').selectOption('tier');
    await field('1: question').selectOption('is');
    await field('1: compared with').fill('gold');
    await page.getByLabel('Capitals do not matter').check();
    const gold = { variable: 'tier', equals: 'gold', ignoreCase: true };
    await is(gold);

    await page.getByRole('button', { name: 'Add group' }).click();
    await field('2.1: variable').selectOption('points');
    await field('2.1: question').selectOption('is above');
    await field('2.1: compared with what').selectOption('{{limit}}');
    await second.getByText('Add condition').click();
    await field('2.2: variable').selectOption('ends');
    await field('2.2: question').selectOption('is after');
    await page.getByRole('button', { name: '…and also' }).last().click();
    const ends = { variable: 'ends', greaterThan: 'today' };
    const points = { variable: 'points', greaterThan: '{{limit}}' };
    await is([gold, { any: [points, { ...ends, set: true }] }]);
    await page.getByLabel('Remove this question of condition 2.2').last().click();
    await is([gold, { any: [points, ends] }]);
    const join = field('2: how it is joined');
    t.equal(await join.locator('option', { hasText: 'This does not hold' }).isDisabled(), true);
    await page.getByLabel('Remove condition 2.2', { exact: true }).click();
    await join.selectOption('This does not hold');
    await is([gold, { not: points }]);
    await join.selectOption('All of these hold');
    // Two groups within each other are all that the language has.
    await second.getByText('Add group').click();
    t.equal(await second.getByText('Add group').count(), 1, 'none in the inner group');
    await field('2.2.1: variable').selectOption('isNew');
    await field('2.2.1: question').selectOption('is');
    await is([gold, { all: [points, { any: [{ variable: 'isNew', equals: 'true' }] }] }]);
    t.same(await accessibilityProblems(page), []);
    await page.getByLabel('Remove condition 2.2.1').click();
    await is([gold, { all: [points] }], 'an empty group is gone');
    await page.getByLabel('Remove condition 2', { exact: true }).click();
    await page.getByLabel('Remove condition 1', { exact: true }).click();
    t.notOk('visibleWhen' in ((await saved()) ?? {}));
    await keyboard.press('Control+z');
    await is(gold, 'each choice is a step');
  });

  t.test('a span of an item asks about its fields', async (t) => {
    await open('conditions-item', [{ ...cart, layers: [{ ...title, spans }] }], 'title');
    await openSection('Text');
    await page.getByText('Styled parts', { exact: true }).click();
    await page.getByLabel('Add a property').last().selectOption('Show when');
    await page.getByRole('button', { name: 'Show only when…' }).first().click();
    await page.getByLabel('Condition 1: variable').selectOption('item.price');
    await page.getByLabel('Condition 1: question').selectOption('is above');
    await page.getByLabel('Condition 1: compared with', { exact: true }).fill('9.5');
    t.match(await saved(), {
      layers: [{ spans: [{}, { visibleWhen: { variable: 'item.price', greaterThan: 9.5 } }] }],
    });
  });

  t.test('a binding is completed with keys or a pointer', async (t) => {
    await open('completion', [{ ...cart, layers: [{ ...title, text: 'Hello' }] }], 'title');
    await openSection('Text');
    const text = page.locator('.p-row[data-field="text"] textarea');
    const offers = page.locator('.p-offer');
    const is = async (words: string): Promise<void> =>
      void t.match(await saved(), { layers: [{ text: words }] });
    await text.press('End');
    await text.pressSequentially(' {{');
    const [first, ...others] = await page.locator('.p-offer > :first-child').allTextContents();
    t.equal(first, 'item.title');
    t.ok(others.includes('item.more') && others.includes('tier') && !others.includes('items'));
    await text.pressSequentially('tier | ');
    await offers.nth(10).waitFor();
    t.same(await accessibilityProblems(page), [], 'a list that scrolls');
    for (const _ of 'tier | ') await text.press('Backspace');
    await text.pressSequentially('item.ti');
    await text.press('Enter');
    await is('Hello {{item.title}}');
    t.equal(await offers.count(), 0);
    await text.pressSequentially(', {{points | cu');
    await text.press('Tab');
    // At once: the service refuses the argument U.
    await keyboard.insertText('USD');
    await is('Hello {{item.title}}, {{points | currency:USD}}');
    await text.press('End');
    await text.pressSequentially(' {{ti');
    await text.press('Escape');
    t.equal(await offers.count(), 0);
    await text.pressSequentially('e');
    await offers.first().waitFor();
    const count = await offers.count();
    await page.locator('.p-offers').click({ position: { x: 2, y: 16 } });
    t.equal(await offers.count(), count, 'a click beside the offers leaves them');
    await offers.first().click();
    await is('Hello {{item.title}}, {{points | currency:USD}} {{tier}}');
    await text.fill('');
    await text.pressSequentially('{{tie');
    await text.press('Enter');
    t.equal(await text.inputValue(), '{{tier}}', 'a binding alone stays a text');
    await page.waitForSelector('.p-row[data-field="text"] textarea:focus');
  });

  t.test('a family of the library is seen in its face, chosen and drawn', async (t) => {
    await open('face', [{ ...box, id: 'a', type: 'text', text: 'Face' }], 'a');
    await page.locator('.p-font-button').first().click();
    await page.getByLabel('Search fonts').fill('bebas');
    const row = page.locator('.p-font', { hasText: 'Bebas Neue' });
    const style = () => row.locator('.p-font-face').getAttribute('style');
    t.ok(await eventually(async () => (await style())?.includes('bebas') === true));
    t.same(await accessibilityProblems(page), []);
    await row.click();
    const isSaved = async () => JSON.stringify(await saved()).includes('"Bebas Neue"');
    t.ok(await eventually(isSaved), 'it is saved');
    t.same((await client.previewReport({ uid: 'face' })).warnings, [], 'and the service has it');
  });

  t.test('letters of other fonts are edited over the letters of the image', async (t) => {
    const words = ['Sale', '100', 'Ελλάδα', 'ราคาพิเศษ', 'नमस्ते', 'مرحبا', 'end'];
    const look = { fontFamily: 'Playfair Display', fontSize: 20, overflow: 'visible' } as const;
    const frame = { id: 't', type: 'text', x: 10, y: 20, width: 380, height: 60 } as const;
    const layer = { ...frame, ...look, text: words.join(' ') };
    const size = { format: 1 as const, name: 'Widths', width: 400, height: 300 };
    /** The width of a text in the image. */
    const widthOf = async (text: string): Promise<number> => {
      const template = { ...size, variables: [], layers: [{ ...layer, width: 4000, text }] };
      const { layers } = await client.previewReport({ template });
      return layers[0]?.text?.lines[0]?.width ?? 0;
    };
    const ends = await Promise.all(words.map((_, at) => widthOf(words.slice(0, at + 1).join(' '))));
    const space = (await widthOf('a a')) - 2 * (await widthOf('a'));
    const drawn = [0, ...ends.slice(0, -1).map((end) => end + space), ends.at(-1) ?? 0];
    await open('fallback-fonts', [layer], 't');
    await page.mouse.dblclick(...(await canvas.at({ x: 30, y: 32 })));
    await page.locator('.span-field').waitFor();
    const isOver = async (): Promise<boolean> => {
      const edges = await readEdges(page);
      return drawn.every((x, at) => Math.abs(x - (edges[at] ?? Number.NaN)) < distanceMax);
    };
    // The fonts of the field may still load.
    t.ok(await eventually(isOver, 10_000), JSON.stringify({ drawn, edges: await readEdges(page) }));
  });

  const showIcons = async (): Promise<void> => {
    await page.locator('.p-add').click();
    await page.getByRole('button', { name: 'Icon …' }).click();
  };
  const insertIcon = async (name: string): Promise<void> => {
    await showIcons();
    await page.getByLabel('Search icons').fill(name);
    await page.locator('.icon-grid').getByLabel(name, { exact: true }).click();
    await page.locator('.icon-grid').waitFor({ state: 'detached' });
  };

  t.test('icons are inserted with the keyboard, and have their colours in sight', async (t) => {
    canvas = await studio.edit('icons', []);
    await showIcons();
    const first = page.locator('.icon-grid button').first();
    await first.waitFor();
    t.same(await accessibilityProblems(page), []);
    await keyboard.type('heart');
    await first.and(page.getByLabel('heart', { exact: true })).waitFor();
    for (const key of ['Tab', 'ArrowRight', 'ArrowLeft', 'Shift+Tab', 'Enter'])
      await keyboard.press(key);
    await first.waitFor({ state: 'detached' });
    t.match(await canvas.layers(), [{ name: 'Heart', type: 'svg', colors: { currentColor: /#/ } }]);
    const inspector = page.getByRole('region', { name: 'Properties' });
    const colors = inspector.getByText('Colours', { exact: true });
    const markup = inspector.locator('[data-field="svg"] textarea');
    t.equal(await markup.count(), 0, 'the markup is in a closed section');
    await inspector.locator('summary', { hasText: 'Markup' }).click();
    t.match(await markup.inputValue(), /^<svg /);
    const [above, below] = [await colors.boundingBox(), await markup.boundingBox()];
    t.ok((above?.y ?? 0) < (below?.y ?? 0), 'colours first');
  });

  t.test('icons lie beside each other and keep their ratio', async (t) => {
    canvas = await studio.edit('icons-beside', []);
    for (const name of ['bell', 'heart']) await insertIcon(name);
    t.match(await canvas.layers(), [
      { name: 'Bell', x: 155, y: 105, width: 90, height: 90 },
      { name: 'Heart', x: 155, y: 203, width: 90, height: 90 },
    ]);
    t.equal(await page.getByLabel('Keep ratio').isChecked(), true);
  });

  t.test('icons lie free, unless the stack itself is selected', async (t) => {
    const hug = { width: 'hug', height: 'hug' };
    const line = { id: 'line', type: 'text', ...hug, text: 'Hi' };
    const row = { id: 'row', type: 'stack', direction: 'row', x: 20, y: 20, ...hug };
    canvas = await studio.edit('icons-stack', [{ ...row, layers: [line] }]);
    await page.click('[data-layer="line"]');
    await insertIcon('bell');
    t.match(await canvas.layers(), [{ id: 'row', layers: [{ id: 'line' }] }, { name: 'Bell' }]);
    await page.click('[data-layer="row"]');
    await insertIcon('heart');
    t.match(await canvas.find('row'), { layers: [{ id: 'line' }, { name: 'Heart' }] });
  });

  t.test('icons have their drawing in the list of layers', async (t) => {
    const square = 'd="M0 0h8v8H0z"/>';
    const bare = `<svg viewBox="0 0 8 8"><path fill="#FF0000" ${square}<text>{{name}}</text></svg>`;
    const dashed = `<svg viewBox="0 0 8 8"><path stroke="#000" stroke-dasharray="0.01" ${square}</svg>`;
    await studio.edit('icons-list', [
      { ...box, id: 'bare', type: 'svg', svg: bare, colors: { '#ff0000': '#0000ff' } },
      { ...box, id: 'dashed', type: 'svg', svg: dashed },
    ]);
    await insertIcon('bell');
    const costly = page.getByRole('treeitem', { name: 'dashed' }).locator('.p-layer-image');
    await costly.locator('.p-icon').waitFor();
    t.equal(await costly.locator('img').count(), 0, 'the browser need not draw what may take long');
    const drawn = async (name: string): Promise<{ width: number; markup: string }> => {
      const image = page.getByRole('treeitem', { name }).locator('.p-layer-image img');
      return image.evaluate(async (element: HTMLImageElement) => {
        await element.decode();
        const markup = decodeURIComponent(element.src.replace('data:image/svg+xml,', ''));
        return { width: element.naturalWidth, markup };
      });
    };
    const bell = await drawn('Bell');
    t.ok(bell.width > 0, 'the browser draws it');
    t.match(bell.markup, /stroke="#e2603a"/);
    t.match(await drawn('bare'), { markup: /fill="#0000ff".*<text>friend</ });
    await insertIcon('heart');
    t.not((await drawn('Heart')).markup, bell.markup);
  });
});

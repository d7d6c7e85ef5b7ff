/** Stacks in the inspector and on the canvas, in a browser. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const layers = [
  { id: 'free', type: 'rect', x: 20, y: 230, width: 60, height: 40, fill: '#20639b' },
  { id: 'label', type: 'text', x: 300, y: 250, width: 80, height: 40, text: 'Hi', fontSize: 20 },
  {
    id: 'card',
    type: 'stack',
    x: 40,
    y: 40,
    width: 200,
    height: 'hug',
    gap: 10,
    padding: 20,
    fill: '#eceff4',
    layers: [
      { id: 'one', type: 'rect', width: 60, height: 30, fill: '#d64933' },
      { id: 'two', type: 'text', width: 'hug', height: 'hug', text: 'Amanda', fontSize: 20 },
      { id: 'three', type: 'rect', width: 'fill', height: 40, fill: '#3caea3' },
    ],
  },
];

type Saved = Readonly<Record<string, unknown>>;

const inRow = (name: string, rest = ''): string => `.p-row[data-field="${name}"] ${rest}`;

t.test('stacks in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** A template of its own, open in the editor at 100 %, with what the service has of its layers once it is saved. */
  async function open(
    lang = 'en',
    shown: readonly object[] = layers,
  ): Promise<{ canvas: CanvasPage; saved: (id: string) => Promise<Saved> }> {
    count += 1;
    const uid = `stacks-${count}`;
    const canvas = await openCanvas(page, base, uid, shown, { lang });
    const saved = (id: string): Promise<Saved> => canvas.find(id);
    return { canvas, saved };
  }

  const modesOf = async (name: string): Promise<string[]> =>
    page.locator(inRow(name, 'select option')).allTextContents();

  t.test('the inspector offers what a layer may have in its parent', async (t) => {
    const { saved } = await open();
    await page.click('[data-layer="free"]');
    t.same(await modesOf('width'), [], 'a shape of the canvas has a number alone');
    await page.click('[data-layer="label"]');
    t.same(await modesOf('width'), ['Fixed', 'Hug']);
    await page.click('[data-layer="one"]');
    t.same(await modesOf('height'), ['Fixed', 'Fill']);
    for (const name of ['x', 'minWidth']) t.equal(await page.locator(inRow(name)).count(), 0, name);
    await page.click('[data-layer="two"]');
    t.same(await modesOf('width'), ['Fixed', 'Hug', 'Fill']);
    const width = page.locator(inRow('width', 'input'));
    t.equal(await width.inputValue(), '');
    const measured = Number(await width.getAttribute('placeholder'));
    t.ok(measured > 60 && measured < 100, `measured ${measured}`);
    await page.locator(inRow('minWidth', 'input')).fill('20');
    t.match(await saved('two'), { width: 'hug', minWidth: 20 });
    t.same(await accessibilityProblems(page), []);
    await page.locator(inRow('width', 'select')).selectOption('Fixed');
    const fixed = await saved('two');
    t.ok(Math.abs(Number(fixed['width']) - measured) < 0.06, 'the number that was measured');
    t.equal(fixed['minWidth'], undefined, 'a number has no limits');
    await page.locator(inRow('width', 'select')).selectOption('Fill');
    t.match(await saved('two'), { width: 'fill', height: 'hug' });
    await width.fill('120');
    t.match(await saved('two'), { width: 120 });

    await page.click('[data-layer="card"]');
    t.equal(await page.locator(inRow('wrap')).count(), 0, 'a column does not wrap');
    await page.locator(inRow('direction', 'input[value="row"]')).check({ force: true });
    await page.locator(inRow('wrap', 'input')).check({ force: true });
    t.match(await saved('card'), { direction: 'row', wrap: true });
    await page.locator(inRow('direction', 'input[value="column"]')).check({ force: true });
    t.equal((await saved('card'))['wrap'], undefined);
    await page.click('[aria-label="Set each part of padding"]');
    await page.getByLabel('Right', { exact: true }).fill('5');
    t.same((await saved('card'))['padding'], [20, 5, 20, 20]);
    t.same(await accessibilityProblems(page), []);
    t.same(complaints.splice(0), []);
  });

  /** Ids of the layers in the card. */
  const inCard = async (saved: (id: string) => Promise<Saved>): Promise<string[]> =>
    ((await saved('card'))['layers'] as Layer[]).map(({ id }) => id);

  t.test('a drag orders layers of a stack, at the line that shows where', async (t) => {
    const { canvas, saved } = await open();
    await page.click('[data-layer="one"]');
    await canvas.press({ x: 90, y: 75 });
    await canvas.moveTo({ x: 90, y: 160 });
    t.equal(await page.locator('.insertion').count(), 1);
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'), 'its bitmap is carried');
    t.equal(await canvas.colorOnceAt({ x: 70, y: 150 }, '#d64933'), '#d64933');
    t.equal(await canvas.colorOnceAt({ x: 200, y: 150 }, '#3caea3'), '#3caea3', 'the others stay');
    await canvas.release();
    t.same(await inCard(saved), ['two', 'three', 'one']);
    t.ok(await canvas.sees({ x: 60, y: 144 }));
    t.equal(await page.locator('.insertion').count(), 0);
    await page.keyboard.press('Control+z');
    t.same(await inCard(saved), ['one', 'two', 'three']);
    t.ok(await canvas.sees({ x: 60, y: 60 }));

    await canvas.press({ x: 90, y: 75 });
    await canvas.moveTo({ x: 90, y: 160 });
    await page.keyboard.press('Escape');
    await canvas.release();
    t.same(await inCard(saved), ['one', 'two', 'three'], 'Escape leaves all as it was');
    t.same(complaints.splice(0), []);
  });

  t.test('a drag out of a stack frees a layer, and one over a stack inserts it', async (t) => {
    const { canvas, saved } = await open();
    await page.click('[data-layer="three"]');
    await canvas.drag({ x: 90, y: 149 }, { x: 210, y: 245 }, []);
    const free = await saved('three');
    t.match(
      free,
      { x: 180, y: 230, width: 160, height: 40 },
      'where it was dropped, as it was seen',
    );
    t.same(await inCard(saved), ['one', 'two']);
    t.same(await canvas.order(), ['free', 'label', 'card', 'three']);

    await page.click('[data-layer="free"]');
    await canvas.press({ x: 50, y: 250 });
    await canvas.moveTo({ x: 90, y: 98 });
    t.ok(await eventually(async () => (await canvas.shows()) === 'parts'));
    t.equal(
      await canvas.colorOnceAt({ x: 75, y: 98 }, '#20639b'),
      '#20639b',
      'over the stack it is on top',
    );
    await canvas.release();
    t.same(await inCard(saved), ['one', 'free', 'two']);
    t.notOk('x' in (await saved('free')));
    await page.keyboard.press('Control+z');
    t.match(await saved('free'), { x: 20, y: 230 }, 'one step');
    t.same(await inCard(saved), ['one', 'two']);
    await canvas.drag({ x: 50, y: 250 }, { x: 90, y: 98 }, ['Control']);
    t.same(await inCard(saved), ['one', 'two'], 'not with control held');
    t.match(await saved('free'), { x: 60, y: 78 });
    t.same(complaints.splice(0), []);
  });

  t.test('arrow keys order the layers of a stack', async (t) => {
    const { canvas, saved } = await open();
    await page.mouse.dblclick(...(await canvas.at({ x: 90, y: 75 })));
    await page.keyboard.press('ArrowDown');
    t.same(await inCard(saved), ['two', 'one', 'three']);
    await page.keyboard.press('ArrowRight');
    t.same(await inCard(saved), ['two', 'one', 'three'], 'a column has no right');
    await page.keyboard.press('ArrowUp');
    t.same(await inCard(saved), ['one', 'two', 'three']);
    t.same(complaints.splice(0), []);
  });

  t.test('in a row from right to left, arrows and drags go as they are seen', async (t) => {
    const { canvas, saved } = await open('ar');
    await page.click('[data-layer="card"]');
    await page.locator(inRow('direction', 'input[value="row"]')).check({ force: true });
    await saved('card');
    // From the right: one, two, three.
    await page.click('[data-layer="one"]');
    t.ok(await canvas.sees({ x: 160, y: 60 }));
    await page.mouse.dblclick(...(await canvas.at({ x: 190, y: 75 })));
    await page.keyboard.press('ArrowLeft');
    t.same(await inCard(saved), ['two', 'one', 'three']);
    t.ok(await canvas.sees({ x: 72, y: 60 }));
    await page.keyboard.press('ArrowRight');
    t.same(await inCard(saved), ['one', 'two', 'three']);
    t.ok(await canvas.sees({ x: 160, y: 60 }));
    await canvas.drag({ x: 190, y: 75 }, { x: 110, y: 75 }, []);
    t.same(await inCard(saved), ['two', 'one', 'three']);
    t.same(complaints.splice(0), []);
  });

  t.test('handles give a size, and a double click on them takes it away again', async (t) => {
    const { canvas, saved } = await open();
    await page.click('[data-layer="three"]');
    await canvas.drag({ x: 220, y: 154 }, { x: 180, y: 154 }, ['Control']);
    t.match(await saved('three'), { width: 120, height: 40 });
    t.notOk('x' in (await saved('three')));
    await page.keyboard.down('Alt');
    await page.mouse.dblclick(...(await canvas.at({ x: 180, y: 154 })));
    await page.keyboard.up('Alt');
    t.match(await saved('three'), { width: 'fill', height: 40 });

    await page.click('[data-layer="label"]');
    await page.mouse.dblclick(...(await canvas.at({ x: 380, y: 270 })));
    t.match(await saved('label'), { x: 300, width: 'hug', height: 40 });
    t.ok(await eventually(async () => ((await canvas.selectedSize())?.width ?? 80) < 40));
    await page.locator(inRow('align', 'input[value="center"]')).check({ force: true });
    const { width = 0 } = (await canvas.selectedSize()) ?? {};
    const centered = await saved('label');
    t.ok(Math.abs(Number(centered['x']) - 300 - width / 2) <= 1, 'it stays, and x is its middle');
    await canvas.drag({ x: 300 + width, y: 270 }, { x: 340 + width, y: 270 }, ['Control']);
    const sized = await saved('label');
    t.ok(Math.abs(Number(sized['width']) - width - 40) <= 1);
    t.ok(Math.abs(Number(sized['x']) - 300) <= 1, 'x is its left edge again');
    t.same(complaints.splice(0), []);
  });

  t.test('the gap and the padding are dragged on the canvas', async (t) => {
    const { canvas, saved } = await open();
    await canvas.click({ x: 230, y: 60 });
    t.same(await canvas.selectedSize(), { width: 200, height: 154 }, 'its fill is hit, too');
    await canvas.press({ x: 140, y: 95 });
    await canvas.moveTo({ x: 140, y: 102 });
    t.equal(await page.locator('.canvas-hint').textContent(), 'Gap 17');
    await canvas.release();
    t.match(await saved('card'), { gap: 17, padding: 20 });
    await page.keyboard.press('Control+z');
    t.match(await saved('card'), { gap: 10 });

    await canvas.drag({ x: 50, y: 86 }, { x: 62, y: 86 }, []);
    t.match(await saved('card'), { padding: [20, 20, 20, 32], x: 40 });
    await canvas.drag({ x: 56, y: 86 }, { x: 52, y: 86 }, ['Alt']);
    t.match(await saved('card'), { padding: [20, 28, 20, 28] });
    await canvas.drag({ x: 54, y: 86 }, { x: 26, y: 86 }, ['Alt', 'Shift']);
    t.notOk('padding' in (await saved('card')));
    t.same(complaints.splice(0), []);
  });

  t.test('layers are stacked, freed, copied and added by keys and buttons', async (t) => {
    const { canvas, saved } = await open();
    await page.click('[data-layer="free"]');
    await page.click('[data-layer="label"]', { modifiers: ['Control'] });
    await page.keyboard.press('Shift+A');
    t.match(await saved('stack'), { type: 'stack', direction: 'row', gap: 220, x: 20, y: 230 });
    t.ok(await eventually(async () => (await canvas.selectedSize())?.height === 40));
    await page.click('[aria-label="Ungroup"]');
    t.match(await saved('free'), { x: 20, y: 230, width: 60 });
    t.match(await saved('label'), { x: 300, y: 230, width: 80 }, 'where the stack had it');
    await page.click('[aria-label="Stack the selected layers"]');
    t.same(await canvas.order(), ['stack', 'card']);
    await page.keyboard.press('Control+z');

    await page.click('[data-layer="two"]');
    await canvas.focus();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    t.same(await inCard(saved), ['one', 'two', 'two-2', 'three'], 'after the layer itself');
    t.match(await saved('two-2'), { width: 'hug', height: 'hug' });
    await page.click('[data-layer="free"]');
    await canvas.focus();
    await page.keyboard.press('Control+v');
    const box = { x: 70, y: 110, width: Number, height: 24 };
    t.match(await saved('two-3'), box, 'beside stacks it has the box that it had');

    await page.click('[data-layer="card"]');
    await canvas.focus();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    t.match(await saved('card-2'), { x: 50, y: 50, height: 'hug' }, 'not into itself');
    await page.click('[data-layer="card"]');
    await page.click('.p-add');
    await page.click('.p-add-grid button:has-text("Text")');
    t.same(await inCard(saved), ['one', 'two', 'two-2', 'three', 'text']);
    t.match(await saved('text'), { width: 'fill', height: 'hug' });
    t.same(await accessibilityProblems(page), []);
    t.same(complaints.splice(0), []);
  });

  t.test('a layer of a group that is in a stack is moved within the group', async (t) => {
    const inside = { id: 'in', type: 'rect', x: 0, y: 0, width: 20, height: 20, fill: '#d64933' };
    const group = { id: 'group', type: 'group', width: 100, height: 60, layers: [inside] };
    const stack = { id: 'card', type: 'stack', x: 40, y: 40, width: 200, height: 'hug' };
    const { canvas, saved } = await open('en', [{ ...stack, padding: 20, layers: [group] }]);
    await page.click('[data-layer="in"]');
    await canvas.drag({ x: 70, y: 70 }, { x: 77, y: 75 }, []);
    t.match(await saved('in'), { x: 7, y: 5 });
    await page.click('[data-layer="group"]');
    await canvas.drag({ x: 75, y: 75 }, { x: 310, y: 175 }, []);
    t.match(await saved('group'), { width: 100, height: 60, layers: [{ x: 7, y: 5 }] });
    t.same(await canvas.order(), ['card', 'group'], 'the group itself leaves the stack');
    t.same(complaints.splice(0), []);
  });
});

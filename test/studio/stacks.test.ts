/** Stacks in the inspector and on the canvas, in a browser. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { demoKey, startService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { CanvasPage, saveCanvas } from './canvas-page.ts';

const layers = [
  { id: 'free', type: 'rect', x: 20, y: 230, width: 60, height: 40, fill: '#20639b' },
  { id: 'label', type: 'text', x: 300, y: 250, width: 80, height: 30, text: 'Hi', fontSize: 20 },
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
      { id: 'three', type: 'rect', width: 'fill', height: 30, fill: '#3caea3' },
    ],
  },
];

type Saved = Readonly<Record<string, unknown>>;

const inRow = (name: string, rest = ''): string => `.p-row[data-field="${name}"] ${rest}`;

t.test('stacks in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await startService(t);
  const browser = await startBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', ${JSON.stringify(demoKey)})`,
  );
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  let count = 0;

  /** A template of its own, open in the editor at 100 %, with what the service has of its layers once it is saved. */
  async function open(
    lang = 'en',
  ): Promise<{ canvas: CanvasPage; saved: (id: string) => Promise<Saved> }> {
    count += 1;
    const uid = `stacks-${count}`;
    const readDocument = await saveCanvas(base, uid, layers, { lang });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.waitForFunction((name) => globalThis.document.title.startsWith(`${name} `), uid);
    await page.waitForSelector('.canvas-sheet img');
    const canvas = new CanvasPage(page, readDocument);
    const saved = async (id: string): Promise<Saved> => {
      const find = (list: readonly Layer[]): Layer | undefined =>
        list.find((layer) => layer.id === id) ??
        list.map((layer) => ('layers' in layer ? find(layer.layers) : undefined)).find(Boolean);
      const found = find(await canvas.layers());
      if (found === undefined) throw new Error(`no layer ${id}`);
      return { ...found };
    };
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
    t.equal(await page.locator(inRow('x')).count(), 0, 'the stack positions it');
    t.equal(await page.locator(inRow('minWidth')).count(), 0);
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
});

import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('tools of the canvas', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  let count = 0;
  const open = (layers?: readonly object[], more?: object): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `tools-${count}`, layers, more);
  };
  /** The tool whose button is pressed. */
  const tool = (): Promise<string | null> =>
    page.locator('.tool-bar [aria-pressed="true"]').getAttribute('aria-label');

  t.test(
    'a key chooses a tool, a drag draws its layer to size, and a click to its usual size',
    async (t) => {
      const canvas = await open([]);
      const { keyboard } = page;
      await keyboard.press('r');
      t.equal(await tool(), 'Rectangle');
      await canvas.drag({ x: 20, y: 30 }, { x: 120, y: 90 }, []);
      t.match(await canvas.layer('rect'), { type: 'rect', x: 20, y: 30, width: 100, height: 60 });
      t.same(await canvas.selectedSize(), { width: 100, height: 60 });
      t.equal(await tool(), 'Select', 'and goes back to selecting');
      await keyboard.press('o');
      await canvas.drag({ x: 200, y: 60 }, { x: 240, y: 80 }, ['Alt', 'Shift']);
      t.match(
        await canvas.layer('ellipse'),
        { x: 160, y: 20, width: 80, height: 80 },
        'from its middle',
      );
      await keyboard.press('l');
      await canvas.drag({ x: 40, y: 250 }, { x: 90, y: 210 }, ['Control']);
      t.match(await canvas.layer('line'), { x: 40, y: 210, width: 50, height: 40, rising: true });
      await keyboard.press('k');
      await canvas.click({ x: 280, y: 200 });
      t.match(await canvas.layer('image'), { x: 190, width: 180 }, 'with its middle at the click');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('a drawn text is typed at once, and keys are letters there', async (t) => {
    const canvas = await open([]);
    await page.keyboard.press('t');
    await canvas.drag({ x: 20, y: 30 }, { x: 220, y: 90 }, ['Control']);
    await page.locator('.span-field').pressSequentially('Torch relay');
    t.equal(await tool(), 'Select');
    await page.keyboard.press('Escape');
    t.match(await canvas.layer('text'), { text: 'Torch relay', x: 20, y: 30, width: 200 });
    await page.locator('.side.right input').first().focus();
    await page.keyboard.press('r');
    t.equal(await tool(), 'Select', 'nor do they choose a tool in a field of the inspector');
    t.same(complaints.splice(0), []);
  });

  t.test('keys alone add a layer, Escape selects again, and H moves the view', async (t) => {
    const canvas = await open([]);
    await canvas.focus();
    await page.keyboard.press('o');
    await page.keyboard.press('Escape');
    t.equal(await tool(), 'Select');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    t.match(await canvas.layer('rect'), { x: 125, y: 105, width: 150, height: 90 });
    await page.keyboard.press('h');
    const before = await canvas.at({ x: 0, y: 0 });
    await canvas.drag({ x: 200, y: 150 }, { x: 240, y: 170 }, []);
    t.same(await canvas.at({ x: 0, y: 0 }), [before[0] + 40, before[1] + 20]);
    t.match(await canvas.layer('rect'), { x: 125 }, 'and no layer');
    t.same(await accessibilityProblems(page), []);
    t.same(complaints.splice(0), []);
  });
});

import t from 'tap';
import type { Box } from '../../src/studio/canvas/geometry.ts';
import { centerOf, cornersOf, pointOn } from '../../src/studio/canvas/geometry.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the canvas in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const context = await studioContext(browser);
  let count = 0;

  const page = await context.newPage();
  const complaints = watchPage(page, base);

  /** A template of its own, open in the editor at 100 %. */
  function open(): Promise<CanvasPage> {
    count += 1;
    return openCanvas(page, base, `canvas-${count}`);
  }

  t.test('a drag moves by whole pixels, and draws the layer to others', async (t) => {
    const canvas = await open();
    await canvas.drag({ x: 80, y: 70 }, { x: 117, y: 183 }, ['Control']);
    t.match(await canvas.layer('a'), { x: 77, y: 156, width: 80, height: 60 });
    // Its left edge comes within 5 px of b's.
    await canvas.press({ x: 117, y: 183 });
    await canvas.moveTo({ x: 247, y: 183 });
    t.equal(
      (await canvas.page.locator('.guide[data-axis="x"]').count()) > 0,
      true,
      'a guide shows',
    );
    await canvas.release();
    t.match(await canvas.layer('a'), { x: 210 });
    t.equal(await canvas.page.locator('.guide').count(), 0);
    t.same(complaints.splice(0), []);
  });

  t.test(
    'handles resize to the pixel, by shift with the ratio and by alt from the centre',
    async (t) => {
      const canvas = await open();
      const a = { x: 40, y: 43, width: 80, height: 60, rotation: 0 };
      await canvas.click({ x: 80, y: 70 });
      await canvas.drag(pointOn(a, 1, 1), { x: 143, y: 131 }, ['Control']);
      t.match(await canvas.layer('a'), { x: 40, y: 43, width: 103, height: 88 });
      await canvas.drag({ x: 40, y: 87 }, { x: 60, y: 87 }, ['Control']);
      t.match(await canvas.layer('a'), { x: 60, y: 43, width: 83, height: 88 });
      await canvas.drag({ x: 143, y: 87 }, { x: 133, y: 87 }, ['Alt', 'Control']);
      t.match(await canvas.layer('a'), { x: 70, y: 43, width: 63, height: 88 });
      await canvas.page.keyboard.press('Control+z');
      t.match(await canvas.layer('a'), { x: 60, width: 83 });
      await canvas.drag({ x: 143, y: 131 }, { x: 226, y: 219 }, ['Shift']);
      t.match(await canvas.layer('a'), { x: 60, y: 43, width: 166, height: 176 });
      t.same(complaints.splice(0), []);
    },
  );

  t.test('a resize of a turned layer keeps the opposite corner', async (t) => {
    const canvas = await open();
    const before: Box = { x: 60, y: 170, width: 120, height: 60, rotation: 30 };
    await canvas.click(centerOf(before));
    const corner = pointOn(before, 1, 1);
    await canvas.drag(corner, { x: corner.x + 21, y: corner.y + 16 }, []);
    const after = (await canvas.layer('c')) as unknown as Box;
    t.ok(after.width > before.width + 10);
    const [stays, stayed] = [cornersOf(before)[0], cornersOf(after)[0]];
    t.ok(Math.abs((stays?.x ?? 0) - (stayed?.x ?? 0)) < 0.002, 'to the thousandths of a document');
    t.ok(Math.abs((stays?.y ?? 0) - (stayed?.y ?? 0)) < 0.002);
    t.same(complaints.splice(0), []);
  });

  t.test('the round handle turns, by shift in steps of 15°', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 80, y: 70 });
    const handle = { x: 80, y: 43 - 26 };
    await canvas.drag(handle, { x: 80 + 55, y: 73 - 1 }, ['Shift']);
    t.match(await canvas.layer('a'), { rotation: 90, x: 40, y: 43, width: 80, height: 60 });
    await canvas.page.keyboard.press('Control+z');
    await canvas.drag(handle, { x: 80 + 40, y: 73 - 37 }, ['Shift']);
    t.match(await canvas.layer('a'), { rotation: 45 });
    t.same(complaints.splice(0), []);
  });

  t.test(
    'arrow keys nudge by 1 and 10, and undo takes back the presses in one direction',
    async (t) => {
      const canvas = await open();
      await canvas.click({ x: 80, y: 70 });
      for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'ArrowUp']) {
        await canvas.page.keyboard.press(key);
      }
      for (const position of [
        { x: 42, y: 52 },
        { x: 42, y: 53 },
        { x: 42, y: 43 },
        { x: 40, y: 43 },
      ]) {
        t.match(await canvas.layer('a'), position);
        await canvas.page.keyboard.press('Control+z');
      }
      t.same(complaints.splice(0), []);
    },
  );

  t.test(
    'a frame drawn round layers selects them; they move, are copied and deleted together',
    async (t) => {
      const canvas = await open();
      await canvas.drag({ x: 10, y: 8 }, { x: 220, y: 110 }, []);
      t.equal(await canvas.page.locator('.outline').count(), 2);
      await canvas.drag({ x: 250, y: 40 }, { x: 253, y: 49 }, ['Control']);
      t.match(await canvas.layer('a'), { x: 43, y: 52 });
      t.match(await canvas.layer('b'), { x: 213, y: 26 });
      await canvas.page.keyboard.press('Control+d');
      t.match(await canvas.layer('a-2'), { x: 53, y: 62 });
      await canvas.page.keyboard.press('Delete');
      t.equal(await canvas.layer('a-2'), undefined);
      await canvas.click({ x: 80, y: 80 });
      await canvas.page.keyboard.down('Shift');
      await canvas.click({ x: 250, y: 50 });
      await canvas.page.keyboard.up('Shift');
      await canvas.page.getByRole('button', { name: 'Align top' }).click();
      t.match(await canvas.layer('a'), { y: 26 });
      t.same(complaints.splice(0), []);
    },
  );

  t.test('a double click steps into a group, and Escape leaves it', async (t) => {
    const canvas = await open();
    await canvas.click({ x: 340, y: 100 });
    t.same(await canvas.selectedSize(), { width: 50, height: 50 });
    await canvas.page.mouse.dblclick(...(await canvas.at({ x: 340, y: 100 })));
    t.same(await canvas.selectedSize(), { width: 20, height: 20 });
    await canvas.drag({ x: 340, y: 100 }, { x: 335, y: 103 }, ['Control']);
    const group = await canvas.layer('g');
    t.match(group, { x: 330, y: 90, layers: [{ id: 'in', x: -5, y: 3 }] });
    await canvas.page.keyboard.press('Escape');
    t.same(await canvas.selectedSize(), { width: 50, height: 50 });
    t.same(complaints.splice(0), []);
  });

  t.test('Escape takes back what a drag has done', async (t) => {
    const canvas = await open();
    await canvas.press({ x: 80, y: 70 });
    await canvas.moveTo({ x: 180, y: 90 }, ['Control']);
    await canvas.page.keyboard.press('Escape');
    await canvas.page.mouse.up();
    t.match(await canvas.layer('a'), { x: 40, y: 43 });
    t.equal(await page.getByRole('button', { name: 'Redo' }).isDisabled(), true, 'for good');
    await canvas.drag({ x: 10, y: 8 }, { x: 320, y: 110 }, []);
    t.equal(await page.locator('.outline').count(), 2);
    await canvas.press({ x: 80, y: 70 });
    await page.keyboard.press('Escape');
    await canvas.release();
    t.equal(await page.locator('.outline').count(), 2, 'an unmoved press is no click then');
    t.same(complaints.splice(0), []);
  });

  t.test(
    'after an outage the canvas catches up by itself, and it takes nothing back',
    async (t) => {
      const canvas = await open();
      await page.route('**/v1/preview', (route) => route.abort());
      await canvas.click({ x: 80, y: 70 });
      await page.keyboard.press('ArrowRight');
      const bar = page.locator('.problem-bar');
      await bar.getByRole('button', { name: 'Try again' }).click();
      t.equal(await bar.getByRole('button').count(), 1, 'there is nothing to undo about it');
      await page.unroute('**/v1/preview');
      await bar.waitFor({ state: 'detached' });
      t.match(await canvas.layer('a'), { x: 41 });
      complaints.splice(0);
    },
  );

  t.test(
    'a text is edited in place, its variables stay, and of one alone the value that shows changes',
    async (t) => {
      const canvas = await open();
      await canvas.page.mouse.dblclick(...(await canvas.at({ x: 240, y: 195 })));
      const field = canvas.page.locator('.span-field');
      t.equal(await field.textContent(), 'Hi {{name}}');
      await field.pressSequentially('Dear {{name}},');
      await field.press('Escape');
      t.match(await canvas.layer('t'), { text: 'Dear {{name}},' });
      await canvas.page.keyboard.press('Control+z');
      t.match(await canvas.layer('t'), { text: 'Hi {{name}}' }, 'all that was typed is one step');
      await canvas.page.mouse.dblclick(...(await canvas.at({ x: 240, y: 255 })));
      t.equal(await field.textContent(), 'Oslo');
      await field.fill('Bergen');
      t.match(await canvas.page.locator('.text-note').textContent(), /city/);
      await field.press('Escape');
      t.match(await canvas.layer('s'), { text: '{{city}}' });
      t.match(await canvas.document(), { variables: [{}, { name: 'city', value: 'Bergen' }] });
      const valueAfter = async (key: string): Promise<string> => {
        await canvas.page.keyboard.press(key);
        await canvas.page.keyboard.press('Enter');
        const value = await field.textContent();
        await field.press('Escape');
        return value ?? '';
      };
      t.equal(await valueAfter('Control+z'), 'Oslo', 'which is a step, too');
      t.equal(await valueAfter('Control+Shift+z'), 'Bergen');
      const { keyboard } = canvas.page;
      await page.getByRole('tab', { name: 'Variables' }).click();
      await page.locator('[data-variable="city"] textarea').fill('Ulm');
      await canvas.page.mouse.dblclick(...(await canvas.at({ x: 240, y: 255 })));
      t.match(await canvas.page.locator('.text-note').textContent(), /only this preview/);
      await field.fill('Bonn');
      await field.press('Escape');
      t.match(await canvas.document(), { variables: [{}, { value: 'Bergen' }] });
      t.equal(await page.locator('[data-variable="city"] textarea').inputValue(), 'Bonn');
      await keyboard.press('Control+z');
      t.equal(await page.locator('[data-variable="city"] textarea').inputValue(), 'Ulm');
      await canvas.page.keyboard.press('Control+Enter');
      await page.getByRole('dialog').waitFor();
      t.equal(await field.count(), 0, 'what the studio does with the keys is not for the text');
      t.same(complaints.splice(0), []);
    },
  );

  t.test(
    'keys group, reorder, lock and copy; a frame round several layers resizes them',
    async (t) => {
      const canvas = await open();
      const { keyboard } = canvas.page;
      await canvas.drag({ x: 10, y: 8 }, { x: 325, y: 110 }, []);
      await canvas.drag({ x: 310, y: 103 }, { x: 175, y: 60 }, ['Shift']);
      t.match(await canvas.layer('a'), { x: 40, y: 30, width: 40, height: 30 });
      t.match(await canvas.layer('b'), { x: 125, y: 17, width: 50, height: 30 });
      await keyboard.press('Control+g');
      t.match(await canvas.layer('group'), { x: 40, y: 17, width: 135, height: 43 });
      t.same(await canvas.order(), ['group', 'c', 'g', 't', 's']);
      const rows = page.locator('[role="treeitem"][aria-selected="true"]');
      const selected = (): Promise<(string | null)[]> =>
        rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-layer')));
      await keyboard.press('Control+z');
      t.same(await canvas.order(), ['a', 'b', 'c', 'g', 't', 's']);
      t.same(await selected(), ['b', 'a'], 'what the group was made of');
      await keyboard.press('Control+Shift+z');
      t.same(await canvas.order(), ['group', 'c', 'g', 't', 's']);
      t.same(await selected(), ['group']);
      await keyboard.press(']');
      t.same(await canvas.order(), ['c', 'group', 'g', 't', 's']);
      await keyboard.press('Control+]');
      t.same(await canvas.order(), ['c', 'g', 't', 's', 'group']);
      await keyboard.press('Control+[');
      t.same(await canvas.order(), ['group', 'c', 'g', 't', 's']);
      await keyboard.press('Control+Shift+G');
      t.same(await canvas.order(), ['a', 'b', 'c', 'g', 't', 's']);
      await canvas.click({ x: 50, y: 40 });
      await keyboard.press('Control+c');
      await keyboard.press('Control+v');
      t.match(await canvas.layer('a-2'), { x: 50, y: 40, width: 40 });
      await keyboard.press('Control+l');
      await canvas.drag({ x: 85, y: 65 }, { x: 185, y: 95 }, ['Control']);
      t.match(await canvas.layer('a-2'), { x: 50, y: 40, locked: true }, 'it is left alone');
      await keyboard.press('Control+z');
      t.equal((await canvas.find('a-2'))['locked'], undefined, 'a lock is a step');
      t.same(complaints.splice(0), []);
    },
  );

  t.test('the wheel zooms at the pointer, and keys go back', async (t) => {
    const canvas = await open();
    const sheet = page.locator('.canvas-sheet');
    const [x, y] = await canvas.at({ x: 100, y: 60 });
    await page.keyboard.down('Control');
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    t.ok(await eventually(async () => ((await sheet.boundingBox())?.width ?? 0) > 1000));
    const box = await sheet.boundingBox();
    const zoom = (box?.width ?? 0) / 400;
    t.ok(Math.abs((box?.x ?? 0) + 100 * zoom - x) < 0.1, 'the point stays under the pointer');
    t.ok(Math.abs((box?.y ?? 0) + 60 * zoom - y) < 0.1);
    await page.keyboard.press('0');
    t.ok(await eventually(async () => (await sheet.boundingBox())?.width === 400));
    t.same(complaints.splice(0), []);
  });
});

/** Size and position of new layers that the user does not draw. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { addDrawnLayer } from '../../src/studio/panels/layers/new-layers.ts';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test('the letters of a new text fit the canvas', (t) => {
  const text = (width: number, height: number): Layer | undefined => {
    const draft: Template = { format: 1, name: 'new', width, height, variables: [], layers: [] };
    addDrawnLayer(draft, 'text');
    return draft.layers[0];
  };
  t.match(text(1200, 630), { fontSize: 60, width: 648, height: 115 });
  t.match(text(1200, 400), { fontSize: 60 }, 'a twentieth of the width of a banner');
  t.match(text(728, 90), { fontSize: 18, height: 35 }, 'at most a fifth of the height');
  t.match(text(1080, 1920), { fontSize: 90 });
  t.match(text(1333, 400), { fontSize: 67 }, 'in whole pixels');
  t.end();
});

t.test('a text that is added by a click', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const canvas = await openCanvas(page, base, 'new-text', [], { width: 1200, height: 400 });
  await page.keyboard.press('t');
  const sheet = await page.locator('.canvas-sheet').boundingBox();
  if (sheet === null) throw new Error('no canvas');
  await page.mouse.click(sheet.x + 60, sheet.y + sheet.height / 2);
  await page.locator('.span-field').pressSequentially('Welcome');
  await page.keyboard.press('Escape');
  t.match(await canvas.layer('text'), { text: 'Welcome', fontSize: 60, width: 648 });
  t.same(complaints, []);
});

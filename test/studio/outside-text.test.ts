/** Warnings of the studio itself: texts that the edge of the canvas cuts, and layers without a size. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import type { PreviewReport } from '../../src/client/platen-client.ts';
import { textsOutside } from '../../src/studio/samples/outside-text.ts';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

type LayerReport = PreviewReport['layers'][number];
type Line = NonNullable<LayerReport['text']>['lines'][number];

const canvas = { width: 200, height: 100 };

/** A text of 20 px with one line, in a box round it. */
function reported(id: string, line: Partial<Line>, more: Partial<LayerReport> = {}): LayerReport {
  const { x = 20, y = 50, width = 100, text = 'Hello' } = line;
  return {
    id,
    type: 'text',
    box: { x, y: y - 20, width, height: 26, rotation: 0 },
    text: {
      text,
      lines: [{ x, y, width, text }],
      fontSize: 20,
      overflow: 'none',
      missingGlyphs: [],
    },
    warnings: [],
    ...more,
  };
}

t.test('a line beyond an edge of the canvas is found', (t) => {
  const outside = (layer: LayerReport, ...others: LayerReport[]): boolean =>
    textsOutside({ layers: [layer, ...others] }, { ...canvas, layers: [] }).length > 0;
  t.equal(outside(reported('a', {})), false);
  t.equal(outside(reported('a', { x: 120 })), true, 'at the right');
  t.equal(outside(reported('a', { x: 101 })), false, 'a side bearing has no ink');
  t.equal(outside(reported('a', { x: -10 })), true, 'at the left');
  t.equal(outside(reported('a', { y: 5 })), true, 'at the top');
  t.equal(outside(reported('a', { y: 106 })), true, 'at the bottom');
  t.equal(outside(reported('a', { x: 300 })), false, 'a parked layer');
  t.equal(outside(reported('a', { x: 300 }, { group: 'card' })), true, 'a layer of a stack');
  t.equal(outside(reported('a', { x: 120, text: ' ' })), false, 'a line without letters');
  const box = { x: 20, y: 30, width: 160, height: 26 };
  const turned = { box: { ...box, rotation: 90 } };
  t.equal(outside(reported('a', { width: 160 }, turned)), true, 'a turned text');
  t.equal(outside(reported('a', { width: 90, x: 55 }, turned)), false);
  const group = { id: 'g', type: 'group', box: { ...box, rotation: 90 }, warnings: [] };
  t.equal(outside(reported('a', { x: 120 }, { group: 'g' }), group), false, 'in a turned group');
  t.end();
});

t.test('copies count as their layer, and texts without positions do not count', (t) => {
  const layer = { id: 'a', type: 'text', width: 100, height: 26, text: 'Hello' } as const;
  const layers = [reported('a:1', { x: 120 }), reported('a:2', { x: 120 })];
  t.same(textsOutside({ layers }, { ...canvas, layers: [layer] }), ['a', 'a']);
  const onPath = { ...layer, path: 'M0 0H99' };
  t.same(textsOutside({ layers }, { ...canvas, layers: [onPath] }), []);
  const animation = { type: 'motion' as const, seconds: 2, tracks: [] };
  t.same(textsOutside({ layers }, { ...canvas, layers: [layer], animation }), []);
  t.end();
});

t.test('the sample strip names a text that is cut', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const size = { y: 100, width: 200, height: 40 };
  await openCanvas(page, base, 'outside-text', [
    { id: 'photo', type: 'rect', ...size, x: 300, fill: '#d64933' },
    { id: 'kept', type: 'text', ...size, x: 20, text: 'Hello', fontSize: 24 },
    { id: 'parked', type: 'text', ...size, x: 420, text: 'Hello', fontSize: 24 },
    { id: 'cut', type: 'text', ...size, x: 300, y: 200, text: 'Hello {{name}}', fontSize: 24 },
  ]);
  const warnings = page.getByRole('list', { name: 'Warnings of these values' });
  const warning = warnings.getByRole('button');
  await warning.waitFor();
  t.equal(
    await warning.textContent(),
    'Hello {{name}}: part of the text lies outside of the canvas',
  );
  await warning.click();
  await page.locator('[data-layer="cut"][aria-selected="true"]').waitFor();
  await page
    .locator('.preset-warning', { hasText: 'Part of the text lies outside' })
    .first()
    .waitFor();
  t.same(complaints, []);
});

t.test('a layer of width or height 0 has a warning', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const box = { x: 20, y: 20, width: 80, height: 0 };
  const stroke = { color: '#d64933', width: 4 };
  const editor = await openCanvas(page, base, 'zero-size', [
    { ...box, id: 'rule', type: 'line', stroke },
    { ...box, id: 'edge', type: 'rect', stroke },
    { ...box, id: 'bar', type: 'rect', fill: '#d64933', height: 40 },
    { ...box, id: 'flat', type: 'rect', fill: '#d64933' },
  ]);
  const inRow = (id: string): Locator => page.locator(`[data-layer="${id}"] .p-warning`);
  await inRow('flat').waitFor();
  for (const id of ['rule', 'edge', 'bar']) t.equal(await inRow(id).count(), 0, id);
  await editor.click({ x: 60, y: 40 });
  await page.locator('[data-field="width"] input').fill('0');
  await inRow('bar').waitFor();
  t.equal(
    await inRow('bar').getAttribute('aria-label'),
    'Warning: its width is 0, so that it is invisible',
  );
  const warnings = page.getByRole('list', { name: 'Warnings of these values' });
  await warnings.getByText('bar: its width is 0').waitFor();
  await page.locator('[data-field="width"] input').fill('60');
  await inRow('bar').waitFor({ state: 'detached' });
  t.same(complaints, []);
});

/** Texts whose longest values would take too long to draw, in a browser. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

t.test('texts without limits get them by the bar', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(answer.url());
  });
  const box = { x: 20, y: 20, width: 100, height: 40 };
  const layers = ['{{a}} {{b}}', '{{c}} {{d}}', '{{e}} {{f}}'].map((text, index) => {
    return { ...box, id: `text-${index}`, type: 'text', text };
  });
  const variables = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => {
    return { name, type: 'text', value: name };
  });
  const canvas = await openCanvas(page, base, 'long-texts', layers, { variables });
  await page.locator('[data-layer="text-0"]').click();
  await canvas.focus();
  const bar = page.locator('.problem-bar');
  let saved = layers.length;
  for (; saved < 40 && (await bar.count()) === 0; saved += 1) {
    await page.keyboard.press('Control+d');
    await becomes(page, 'saved');
  }
  t.match(await bar.textContent(), /the texts could take too long to draw/);
  t.equal((await canvas.layers()).length, saved - 1, 'the last copy is left out');
  await bar.getByRole('button', { name: 'Limit texts to 200 characters' }).click();
  await bar.waitFor({ state: 'detached' });
  const document = (await canvas.document()) as Template;
  t.equal(document.layers.length, saved);
  t.same(
    document.variables.map((each) => 'maxLength' in each && each.maxLength),
    variables.map(() => 200),
  );
  t.same(refused, []);
});

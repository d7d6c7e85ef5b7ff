/** The inspector of a text with styled words, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

t.test(
  'a text with styled words is one field of the inspector',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const bold = { text: '{{name}}', fontWeight: 700 };
    const box = { x: 20, y: 20, width: 300, height: 40 };
    const layers = [
      { ...box, id: 't', type: 'text', spans: [{ text: 'Hi ' }, bold, { text: '!' }] },
    ];
    const canvas = await openCanvas(page, base, 'joined-text', layers);
    await page.locator('[data-layer="t"]').click();
    const field = page.locator('.p-row[data-field="text"] textarea');
    t.equal(await field.inputValue(), 'Hi {{name}}!');
    await field.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Your city: {{city}}');
    const typed = { spans: [{ text: 'Hi ' }, bold, { text: '! Your city: {{city}}' }] };
    t.match(await canvas.layer('t'), typed, 'the looks stay');
    t.equal(await page.evaluate(() => globalThis.document.activeElement?.tagName), 'TEXTAREA');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Bye');
    t.match(await canvas.layer('t'), { spans: [{ text: 'Bye' }] });
    t.equal(await page.getByText('Make it one text again').isVisible(), false, 'parts are closed');
    await page.getByText('Styled parts', { exact: true }).click();
    await page.getByText('Make it one text again').click();
    t.match(await canvas.layer('t'), { text: 'Bye' });
  },
);

import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { becomes, studioContext } from './studio-page.ts';

const document: Template = {
  format: 1,
  name: 'Card',
  width: 300,
  height: 120,
  variables: [],
  layers: [
    { id: 'shape', type: 'rect', x: 0, y: 0, width: 300, height: 60, fill: '#111111' },
    { id: 'title', type: 'text', x: 0, y: 60, width: 300, height: 60, text: 'Hello' },
  ],
};

t.test('the brand kit and comments in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const browser = await startBrowser(t);
  const page = await (await studioContext(browser)).newPage();
  const complaints = watchPage(page, base);
  await client.createTemplate(document, { uid: 'brand-card' });

  t.test('a kit is made on its page, and the editor offers it', async (t) => {
    await page.goto(`${base}/studio#/brand`);
    await page.getByRole('button', { name: 'Add a colour' }).click();
    await page.getByLabel('Hex').fill('#0a7f5a');
    await page.getByRole('button', { name: 'Add a text style' }).click();
    t.equal(await page.locator('.brand-entry input:focus').inputValue(), 'Heading', 'to be named');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByText('The brand kit has changes that are not saved.').waitFor();
    await page.getByRole('button', { name: 'Back to it' }).click();
    t.equal(await page.locator('[pattern]').inputValue(), '#0a7f5a', 'they wait on the page');
    await page.getByRole('button', { name: 'Save the kit' }).click();
    await page.getByText('All of them have its values.').waitFor();
    t.same(await accessibilityProblems(page), [], 'the page of the kit');

    await page.goto(`${base}/studio#/t/brand-card`);
    await page.click('[data-layer="shape"]');
    await page.click('.p-row[data-field="fill"] .p-swatch');
    await page.getByRole('button', { name: 'Use Colour' }).click();
    await page.keyboard.press('Escape');
    await page.click('[data-layer="title"]');
    await page.getByLabel('Text style').selectOption({ label: 'Heading' });
    await becomes(page, 'saved');
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    t.match(await client.getTemplateDocument('brand-card'), {
      layers: [
        { fill: '#0a7f5a', brand: [{ property: 'fill', entry: 'colour-1' }] },
        { fontWeight: 600, brand: [{ property: 'textStyle', entry: 'heading-1' }] },
      ],
    });
    await page.locator('.p-row[data-field="fontWeight"] select').selectOption({ label: 'Light' });
    t.equal(await page.getByLabel('Text style').inputValue(), '', 'an edit ends the link');
    await page.keyboard.press('Control+z');
    t.equal(await page.getByLabel('Text style').inputValue(), 'heading-1');
  });

  t.test('a comment stands on its layer, is resolved, and is deleted', async (t) => {
    await page.click('[data-layer="title"]', { button: 'right' });
    await page.getByRole('menuitem', { name: 'Comment' }).click();
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Larger?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.comment', { hasText: 'Larger?' }).waitFor();
    t.equal(await page.locator('dialog[open]').count(), 0, 'the keys publish nothing');
    t.same(await accessibilityProblems(page), [], 'the comments');
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.dblclick('[data-layer="title"] .p-layer-name');
    await page.keyboard.type('Greeting');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '1 comment on Greeting' }).waitFor();
    await page.click('.comment-mark');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Resolved (1)').click();
    t.equal(await page.locator('.comment-mark').count(), 0);
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.comment').waitFor({ state: 'detached' });
    await becomes(page, 'saved');
  });

  t.test('a change of the kit reaches links with one button', async (t) => {
    await client.publishTemplate('brand-card', {});
    await page.goto(`${base}/studio#/brand`);
    await page.getByLabel('Hex').fill('#b00020');
    await page.getByRole('button', { name: 'Save the kit' }).click();
    await page.getByRole('button', { name: 'Apply to 1 template' }).click();
    await page.getByText('All of them have its values.').waitFor();
    const shown = await client.getTemplateDocument('brand-card', { version: 2 });
    t.match(shown, { layers: [{ fill: '#b00020' }, {}] });
    t.match(await client.getTemplateDocument('brand-card', { version: 1 }), {
      layers: [{ fill: '#0a7f5a' }, {}],
    });
    t.same(complaints, []);
    // Other files share the organization.
    const none = { colors: [], textStyles: [], logos: [], fonts: [] };
    await client.request('PUT /v1/brand', { body: none });
    await page.close();
  });
});

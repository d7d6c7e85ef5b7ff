import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { plainImage } from '../e2e/image-bytes.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { becomes, studioContext } from './studio-page.ts';

const plain = `data:image/png;base64,${(await plainImage('#999999', 40, 40)).toString('base64')}`;

const document: Template = {
  format: 1,
  name: 'Card',
  width: 300,
  height: 120,
  variables: [],
  layers: [
    { id: 'shape', type: 'rect', x: 0, y: 0, width: 300, height: 60, fill: '#111111' },
    { id: 'title', type: 'text', x: 0, y: 60, width: 300, height: 60, text: 'Hello' },
    { id: 'mark', type: 'image', x: 250, y: 10, width: 40, height: 40, src: plain },
    { id: 'note', type: 'text', x: 10, y: 10, width: 200, height: 40, text: 'New' },
  ],
};

/** A file field's file. */
async function logoFile(
  color: string,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  return { name: 'logo.png', mimeType: 'image/png', buffer: await plainImage(color, 40, 40) };
}

/** The ids of the entries of the kit, one of each kind. */
async function entryIds(client: PlatenClient): Promise<string[]> {
  const { brand } = await client.request('GET /v1/brand');
  return [brand.colors, brand.textStyles, brand.logos, brand.fonts].flat().map(({ id }) => id);
}

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
    const picker = page.locator('.brand-entry [type="color"]');
    await page.getByLabel('Hex').fill('#0a78');
    t.equal(await picker.inputValue(), '#00aa77');
    await picker.fill('#0a7f5a');
    t.equal(await page.getByLabel('Hex').inputValue(), '#0a7f5a88', 'the opacity stays');
    await page.getByLabel('Hex').fill('#0a7f5a');
    await page.getByRole('button', { name: 'Add a text style' }).click();
    t.equal(await page.locator('.brand-entry input:focus').inputValue(), 'Heading', 'to be named');
    await page.getByRole('button', { name: 'Add a logo' }).click();
    await page.getByLabel('Logo: upload a file').setInputFiles(await logoFile('#224488'));
    await page.getByText('Replace').waitFor();
    await page.getByRole('button', { name: 'Add a font' }).click();
    await page
      .locator('.brand-entry', { has: page.getByRole('button', { name: 'Remove Body' }) })
      .getByLabel('Family')
      .selectOption('Fraunces');
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
    await page.click('[data-layer="mark"]');
    await page.locator('[data-field="src"]').getByRole('button', { name: 'Library' }).click();
    await page.getByRole('button', { name: 'Logo Logo' }).click();
    await page.click('[data-layer="note"]');
    await page.locator('[data-field="fontFamily"] .p-font-button').click();
    const first = page.locator('.p-font').first();
    t.equal(await first.getAttribute('aria-label'), 'Body, Fraunces, of the brand kit');
    await page.getByLabel('Search fonts').press('Enter');
    await page.getByRole('button', { name: 'Font family: Fraunces' }).waitFor();
    await becomes(page, 'saved');
    await page.keyboard.press('Control+s');
    await becomes(page, 'saved');
    const [colour = '', heading = '', logo = '', body = ''] = await entryIds(client);
    t.match(await client.getTemplateDocument('brand-card'), {
      layers: [
        { fill: '#0a7f5a', brand: [{ property: 'fill', entry: colour }] },
        { fontWeight: 600, brand: [{ property: 'textStyle', entry: heading }] },
        { src: /^asset:/, brand: [{ property: 'src', entry: logo }] },
        { fontFamily: 'Fraunces', brand: [{ property: 'fontFamily', entry: body }] },
      ],
    });
    await page.click('[data-layer="title"]');
    await page.locator('.p-row[data-field="fontWeight"] select').selectOption({ label: 'Light' });
    t.equal(await page.getByLabel('Text style').inputValue(), '', 'an edit ends the link');
    await page.keyboard.press('Control+z');
    t.equal(await page.getByLabel('Text style').inputValue(), heading);
  });

  t.test('the link of a styled part moves and ends with the part', async (t) => {
    const { brand } = await client.request('GET /v1/brand');
    const { id: entry = '', value: kitColor = '' } = brand.colors[0] ?? {};
    const spans = [
      { text: 'One ', fill: '#111111' },
      { text: 'two ', fill: '#222222' },
      { text: 'three', fill: kitColor },
    ];
    const parts = { id: 'parts', type: 'text', x: 0, y: 60, width: 300, height: 60, spans };
    const canvas = await openCanvas(page, base, 'brand-parts', [
      { ...parts, brand: [{ property: 'spans.2.fill', entry }] },
    ]);
    await page.click('[data-layer="parts"]');
    await page.locator('summary', { hasText: 'Styled parts' }).click();
    const press = async (name: string): Promise<unknown> => {
      await page.getByRole('button', { name, exact: true }).click();
      return (await canvas.find('parts'))['brand'];
    };
    const link = (index: number): object[] => [{ property: `spans.${index}.fill`, entry }];
    t.same(await press('Remove styled part 1'), link(1));
    t.same(await press('Move styled part 2 up'), link(0));
    t.equal(await press('Remove styled part 1'), undefined);
    await page.keyboard.press('Control+z');
    t.same((await canvas.find('parts'))['brand'], link(0), 'an undo restores it');
    // A later test counts the templates with links.
    await client.archiveTemplate('brand-parts');
    t.same(complaints.splice(0), []);
  });

  t.test('a comment stands on its layer, is resolved, and is deleted', async (t) => {
    await page.goto(`${base}/studio#/t/brand-card`);
    await page.click('[data-layer="title"]', { button: 'right' });
    await page.getByRole('menuitem', { name: 'Comment' }).click();
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Larger?');
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByRole('tab', { name: 'Comments' }).click();
    const field = page.getByLabel('New comment');
    t.equal(await field.inputValue(), 'Larger?', 'what is not sent stays');
    await field.press('Control+Enter');
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
    await page.getByRole('button', { name: 'Delete …' }).press('Enter');
    await page.locator('button:focus', { hasText: /^Delete$/ }).waitFor();
    t.equal(await page.locator('.comment').count(), 1, 'it asks');
    await page.getByRole('button', { name: 'Keep' }).press('Enter');
    for (const answer of ['Delete', 'Keep']) {
      await page.locator('button:focus', { hasText: 'Delete …' }).press('Enter');
      await page.getByRole('button', { name: answer, exact: true }).press('Escape');
      await page.locator('button:focus', { hasText: 'Delete …' }).waitFor();
      await page.getByRole('heading', { name: 'On Greeting' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'All comments' }).waitFor();
    await page.getByRole('button', { name: 'Delete …' }).press('Enter');
    await page.locator('button:focus', { hasText: /^Delete$/ }).press('Enter');
    await page.locator('.comment').waitFor({ state: 'detached' });
    t.equal(await page.locator('.comments:focus').count(), 1);
    await becomes(page, 'saved');
  });

  t.test('a change of the kit reaches the links of all templates with one button', async (t) => {
    const { uid } = await client.duplicateTemplate('brand-card');
    await client.publishTemplate('brand-card', {});
    await client.publishTemplate(uid, {});
    await page.goto(`${base}/studio#/brand`);
    await page.getByLabel('Logo: upload a file').setInputFiles(await logoFile('#884422'));
    const save = page.locator('button:enabled', { hasText: 'Save the kit' });
    // The upload has changed the kit then.
    await save.waitFor();
    await page.getByLabel('Hex').fill('#b00020');
    await save.click();
    await page.getByRole('button', { name: 'Apply to 2 templates' }).click();
    await page.getByText('All of them have its values.').waitFor();
    const { brand } = await client.request('GET /v1/brand');
    const [first, shown, copy] = await Promise.all([
      client.getTemplateDocument('brand-card', { version: 1 }),
      client.getTemplateDocument('brand-card', { version: 2 }),
      client.getTemplateDocument(uid, { version: 2 }),
    ]);
    const layers = [{ fill: '#b00020' }, {}, { src: brand.logos[0]?.src }, {}];
    t.match(shown, { layers });
    t.match(copy, { layers });
    t.match(first, { layers: [{ fill: '#0a7f5a' }, {}, {}, {}] });
    const logoOf = ({ layers: [, , logo] }: typeof first): unknown =>
      (logo as { src?: string }).src;
    t.not(logoOf(first), logoOf(shown), 'links with a version show the old logo');
    t.same(complaints, []);
    // Other files share the organization.
    const none = { colors: [], textStyles: [], logos: [], fonts: [] };
    await client.request('PUT /v1/brand', { body: none });
    await page.close();
  });

  t.test('a new entry has not the id of a removed one', async (t) => {
    const removed = { id: 'colour-1', name: 'Colour', value: '#0a7f5a' };
    const none = { colors: [], textStyles: [], logos: [], fonts: [] };
    await client.request('PUT /v1/brand', { body: { ...none, colors: [removed] } });
    const another = await (await studioContext(browser)).newPage();
    await another.goto(`${base}/studio#/brand`);
    await another.getByRole('button', { name: 'Remove Colour' }).click();
    await another.getByRole('button', { name: 'Add a colour' }).click();
    const save = another.getByRole('button', { name: 'Save the kit' });
    const { y = 0, height = 0 } = (await save.boundingBox()) ?? {};
    t.ok(y + height <= 720, 'it is in sight without scrolling');
    await save.click();
    await another.getByText('Saved the brand kit.').waitFor();
    const [added, ...others] = await entryIds(client);
    t.match(added, /^colour-/);
    t.not(added, removed.id, 'templates that follow the removed one do not follow it');
    t.same(others, []);
    await client.request('PUT /v1/brand', { body: none });
    await another.close();
  });
});

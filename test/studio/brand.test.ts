import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import type { BrandFollower } from '#language/brand.ts';
import type { PlatenClient } from '../../src/client/platen-client.ts';
import { brandOf, followEntry, moveLinks, settleLinks } from '../../src/studio/state/brand.ts';
import type { Service } from '../../src/studio/state/service.ts';
import { plainImage } from '../e2e/image-bytes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { documentOf } from './documents.ts';
import { openStudio } from './open-studio.ts';
import { becomes } from './studio-page.ts';

const plain = `data:image/png;base64,${(await plainImage('#999999', 40, 40)).toString('base64')}`;

const document = documentOf(
  [
    { id: 'shape', type: 'rect', x: 0, y: 0, width: 300, height: 60, fill: '#111111' },
    { id: 'title', type: 'text', x: 0, y: 60, width: 300, height: 60, text: 'Hello' },
    { id: 'mark', type: 'image', x: 250, y: 10, width: 40, height: 40, src: plain },
    { id: 'note', type: 'text', x: 10, y: 10, width: 200, height: 40, text: 'New' },
  ],
  { width: 300, height: 120 },
);

/** A file field's file. */
const logoFile = async (color: string) => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await plainImage(color, 40, 40),
});

/** The ids of the entries of the kit, one of each kind. */
async function entryIds(client: PlatenClient): Promise<string[]> {
  const { brand } = await client.request('GET /v1/brand');
  return [brand.colors, brand.textStyles, brand.logos, brand.fonts].flat().map(({ id }) => id);
}

/** What an edit makes of the spans of a text. */
type Change = (spans: object[]) => object[];

t.test('the link of a styled part moves and ends with the part', async (t) => {
  const kit = { colors: [{ id: 'c', name: 'C', value: '#0a7f5a' }], textStyles: [], logos: [] };
  const client = { request: async () => ({ brand: { ...kit, fonts: [] } }) };
  const service = { client } as unknown as Service;
  brandOf(service).value = { ...kit, fonts: [] };
  const spans = ['#111111', '#222222', '#0a7f5a'].map((fill) => ({ text: fill, fill }));
  const title = { id: 't', type: 'text', x: 0, y: 0, width: 9, height: 9, spans };
  let draft = { ...document, layers: [title] } as Template;
  /** The links after the spans are replaced as a list of the inspector replaces them. */
  const linksAfter = (change: Change): unknown => {
    const before = draft;
    draft = structuredClone(before);
    const layer = draft.layers[0] as unknown as BrandFollower & { spans: object[] };
    const next = change(layer.spans);
    moveLinks(layer, 'spans', layer.spans, next);
    layer.spans = next;
    settleLinks(draft, before, service);
    return layer.brand;
  };
  followEntry(draft.layers[0] as BrandFollower, 'spans.2.fill', 'c');
  const link = (index: number) => [{ property: `spans.${index}.fill`, entry: 'c' }];
  const changes: Array<[change: Change, links: unknown]> = [
    [(all) => all.slice(1), link(1)],
    [(all) => all.toReversed(), link(0)],
    [([first, ...rest]) => [{ ...first, text: 'x' }, ...rest], link(0)],
    [(all) => all.slice(1), undefined],
  ];
  for (const [change, links] of changes) t.same(linksAfter(change), links);
  followEntry(draft.layers[0] as BrandFollower, 'spans.0.fill', 'c');
  const recolored = linksAfter(([only]) => [{ ...only, fill: '#ffffff' }]);
  t.equal(recolored, undefined, 'an edit ends it');
});

t.test('the brand kit and comments in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page, client } = studio;
  await client.createTemplate(document, { uid: 'brand-card' });

  t.test('a kit is made on its page, and the editor offers it', async (t) => {
    await studio.show('#/brand');
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
    const body = { has: page.getByRole('button', { name: 'Remove Body' }) };
    await page.locator('.brand-entry', body).getByLabel('Family').selectOption('Fraunces');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByText('The brand kit has changes that are not saved.').waitFor();
    await page.getByRole('button', { name: 'Back to it' }).click();
    t.equal(await page.locator('[pattern]').inputValue(), '#0a7f5a', 'they wait on the page');
    await page.getByRole('button', { name: 'Save the kit' }).click();
    await page.getByText('All of them have its values.').waitFor();
    t.same(await accessibilityProblems(page), [], 'the page of the kit');

    await studio.show('#/t/brand-card');
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
    const [colour = '', heading = '', logo = '', font = ''] = await entryIds(client);
    t.match(await client.getTemplateDocument('brand-card'), {
      layers: [
        { fill: '#0a7f5a', brand: [{ property: 'fill', entry: colour }] },
        { fontWeight: 600, brand: [{ property: 'textStyle', entry: heading }] },
        { src: /^asset:/, brand: [{ property: 'src', entry: logo }] },
        { fontFamily: 'Fraunces', brand: [{ property: 'fontFamily', entry: font }] },
      ],
    });
    await page.click('[data-layer="title"]');
    await page.locator('.p-row[data-field="fontWeight"] select').selectOption({ label: 'Light' });
    t.equal(await page.getByLabel('Text style').inputValue(), '', 'an edit ends the link');
    await page.keyboard.press('Control+z');
    t.equal(await page.getByLabel('Text style').inputValue(), heading);
  });

  t.test('a comment stands on its layer, is resolved, and is deleted', async (t) => {
    await studio.show('#/t/brand-card');
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
    // The comment moves to another list then.
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await page.getByRole('button', { name: 'Delete …' }).press('Enter');
    await page.locator('button:focus', { hasText: /^Delete$/ }).waitFor();
    t.equal(await page.locator('.comment').count(), 1, 'it asks');
    for (const [answer, key] of Object.entries({ Keep: 'Enter', Delete: 'Escape' })) {
      await page.getByRole('button', { name: answer, exact: true }).press(key);
      await page.locator('button:focus', { hasText: 'Delete …' }).waitFor();
      await page.getByRole('heading', { name: 'On Greeting' }).waitFor();
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Escape');
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
    await studio.show('#/brand');
    await page.getByLabel('Logo: upload a file').setInputFiles(await logoFile('#884422'));
    const save = page.locator('button:enabled', { hasText: 'Save the kit' });
    // The upload has changed the kit then.
    await save.waitFor();
    await page.getByLabel('Hex').fill('#b00020');
    await save.click();
    await page.getByRole('button', { name: 'Apply to 2 templates' }).click();
    await page.getByText('All of them have its values.').waitFor();
    const { brand } = await client.request('GET /v1/brand');
    const layers = [{ fill: '#b00020' }, {}, { src: brand.logos[0]?.src }, {}];
    for (const each of ['brand-card', uid]) {
      t.match(await client.getTemplateDocument(each, { version: 2 }), { layers });
    }

    const [removed] = await entryIds(client);
    await page.getByRole('button', { name: 'Remove Colour' }).click();
    await page.getByRole('button', { name: 'Add a colour' }).click();
    const { y = 0, height = 0 } = (await save.boundingBox()) ?? {};
    t.ok(y + height <= 720, 'the button is in sight without scrolling');
    await save.click();
    const isOther = async (): Promise<boolean> => (await entryIds(client))[0] !== removed;
    t.ok(await eventually(isOther), 'templates that follow a removed entry follow no new one');
    t.match((await entryIds(client))[0], /^colour-/);
    t.same(studio.complaints(), []);
    const none = { colors: [], textStyles: [], logos: [], fonts: [] };
    await client.request('PUT /v1/brand', { body: none });
  });
});

/**
 * Screens of the studio are accessible in both schemes and at two sizes of the window. The tests of the embedded editor,
 * of campaigns and of their states do the same for those.
 */
import t from 'tap';
import type { Locator, Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { publishDraft, signIn } from './studio-page.ts';

const windows = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
];

const box = { x: 20, y: 20, width: 100, height: 60 };
const layers = [
  { ...box, id: 'text', type: 'text', text: 'Hi {{name}}', fontSize: 24 },
  {
    ...box,
    id: 'rect',
    type: 'rect',
    fill: '#d64933',
    visibleWhen: { variable: 'name', set: true },
  },
  { ...box, id: 'code', type: 'qr', value: 'https://example.com' },
  {
    ...box,
    id: 'list',
    type: 'stack',
    repeat: { list: 'items', max: 3 },
    layers: [{ id: 'item', type: 'text', width: 90, height: 20, text: '{{item.title}}' }],
  },
];
const more = {
  variables: [
    { name: 'name', type: 'text', value: 'friend' },
    {
      name: 'items',
      type: 'list',
      fields: [{ name: 'title', type: 'text', value: 'Tea' }],
      value: [{ title: 'Tea' }, { title: 'Cup' }],
    },
  ],
  animation: {
    type: 'motion',
    seconds: 1,
    tracks: [{ layer: 'rect', property: 'opacity', from: 0, to: 1 }],
  },
};

interface Screen {
  name: string;
  /** Shows the screen from the one before it. */
  show: (page: Page) => Promise<unknown>;
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog');
const closeDialog = (page: Page): Promise<void> => page.keyboard.press('Escape');
const select = (id: string) => (page: Page) => page.click(`[data-layer="${id}"]`);
const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();

/** Screens of the open editor, in this order. */
const editorScreens: readonly Screen[] = [
  { name: 'settings of the template', show: (page) => page.getByText('If it fails').waitFor() },
  ...layers.map(({ id }) => ({ name: `layer ${id}`, show: select(id) })),
  { name: 'variables', show: openTab('Variables') },
  { name: 'comments', show: openTab('Comments') },
  {
    name: 'command palette',
    show: async (page) => {
      await page.keyboard.press('Control+k');
      await dialogOf(page).getByRole('combobox').waitFor();
    },
  },
  {
    name: 'help sheet',
    show: async (page) => {
      await closeDialog(page);
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await dialogOf(page).getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'publish dialog',
    show: async (page) => {
      await closeDialog(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialogOf(page).getByRole('button', { name: 'Publish', exact: true }).waitFor();
    },
  },
  {
    name: 'share page',
    show: async (page) => {
      await publishDraft(page);
      await dialogOf(page).getByText('is public').first().waitFor();
    },
  },
  {
    name: 'archive question',
    show: async (page) => {
      await closeDialog(page);
      await page.getByRole('link', { name: 'All templates' }).click();
      await page.locator('[data-uid="accessible"] img').waitFor();
      await page.getByRole('button', { name: 'Archive accessible' }).focus();
      await page.keyboard.press('Enter');
      await dialogOf(page).getByText('No link has shown an image yet.').waitFor();
    },
  },
];

/** Opens the dialog of a draft that another client has changed too. */
async function meetConflict(page: Page, client: PlatenClient): Promise<void> {
  await closeDialog(page);
  await page.getByRole('button', { name: 'Open accessible' }).click();
  await page.locator('.canvas-sheet img').waitFor();
  const document = await client.getTemplateDocument('accessible');
  await client.updateTemplate('accessible', { ...document, name: 'Theirs' });
  await page.getByLabel('Name of the template').press('Control+a');
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await dialogOf(page).getByAltText('Theirs: the image as it is drawn').waitFor();
}

t.test('screens of the studio are accessible', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const page = await (await browser.newContext()).newPage();
  const complaints = watchPage(page, base);
  const isAccessible = async (name: string): Promise<void> => {
    for (const size of windows) {
      await page.setViewportSize(size);
      t.same(await accessibilityProblems(page), [], `${name} at ${size.width} px`);
    }
  };
  await page.goto(`${base}/studio`);
  await page.getByLabel('API key').waitFor();
  await isAccessible('sign-in');
  await signIn(page, base);
  await isAccessible('gallery');
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByLabel('Search designs').waitFor();
  await isAccessible('new template');
  await closeDialog(page);
  for (const path of ['brand', 'campaigns']) {
    await page.goto(`${base}/studio#/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await isAccessible(path);
  }
  await openCanvas(page, base, 'accessible', layers, more);
  for (const { name, show } of editorScreens) {
    await show(page);
    await isAccessible(name);
  }
  t.same(complaints, []);
  // The browser logs the save that is refused.
  await meetConflict(page, new PlatenClient({ baseUrl: base, apiKey: demoKey }));
  await isAccessible('conflict dialog');
});

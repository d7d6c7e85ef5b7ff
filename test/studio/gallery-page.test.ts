/** The gallery in a browser: cards and what can be done with them, many templates at once, and new ones. */
import t from 'tap';
import type { Locator } from 'playwright-core';
import { plainImage } from '../e2e/image-bytes.ts';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { documentOf } from './documents.ts';
import { openStudio } from './open-studio.ts';

t.test('the gallery in a browser', { skip: skipsPages }, async (t) => {
  // With this height, the third row begins below the window, and within the margin.
  const studio = await openStudio(await startBrowser(t), await shareService(), 690);
  const { base, page, client } = studio;
  const dialog = page.getByRole('dialog');
  const card = (uid: string) => page.locator(`[data-uid="${uid}"]`);
  const readClipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');

  const createDraft = async (uid: string, name = uid): Promise<void> => {
    const look = { name, width: 200, height: 80, background: '#ffffff' };
    await client.createTemplate(documentOf([], look), { uid });
  };
  const change = async (uid: string, more: object = { width: 210 }): Promise<void> => {
    await client.updateTemplate(uid, { ...(await client.getTemplateDocument(uid)), ...more });
  };
  /** Opens the gallery and searches. */
  const search = async (words: string): Promise<void> => {
    await studio.show('#/');
    await page.reload();
    await page.getByLabel('Search by name or uid').fill(words);
    await page.locator('.template-card').first().waitFor();
    // Templates of other tests, in sight before the search, may have images that fail.
    studio.complaints();
  };
  /** Presses a button of a card, which only its focus or the pointer shows. */
  const press = (uid: string, doing: string): Promise<void> =>
    card(uid).locator(`[aria-label^="${doing} "]`).press('Enter');
  const says = (uid: string, text: string): Promise<void> =>
    card(uid).locator('.card-state').getByText(text, { exact: true }).waitFor();

  const bar = page.getByRole('region', { name: 'Selection' });
  const act = (name: string) => bar.getByRole('button', { name }).click();

  t.test('a card says whether links show the template, and its draft', async (t) => {
    await createDraft('card-draft');
    for (const uid of ['card-changed', 'card-schema']) await studio.publish(uid);
    await change('card-changed');
    await change('card-schema', { $schema: 'https://platen.example.com/template.schema.json' });
    await search('card-');
    await says('card-draft', 'Draft');
    await says('card-changed', 'Live · 1 unpublished change');
    await page.getByLabel('State').selectOption('changed');
    // A draft with another `$schema` has no change, as its card says.
    await card('card-schema').waitFor({ state: 'detached' });
    t.equal(await page.locator('.template-card').count(), 1);
    await page.route('**/v1/templates/card-changed/document*', (route) => route.abort());
    await search('card-changed');
    await says('card-changed', 'Live · unpublished changes');
  });

  t.test('a card in sight counts its unpublished changes, and no other asks for it', async (t) => {
    await studio.publish('count-far');
    await change('count-far');
    // Enough cards to fill more than the window and the margin in which cards load.
    for (let index = 0; index < 36; index += 1) await createDraft(`count-${index}`);
    await studio.publish('count-near');
    const box = { id: 'box', type: 'rect', x: 10, y: 10, width: 50, height: 20 };
    const variables = [{ name: 'city', type: 'text', value: 'Rome' }];
    await change('count-near', { width: 210, variables, layers: [box] });
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, uid] = /templates\/count-([^/]+)\/document/.exec(request.url()) ?? [];
      if (uid !== undefined) asked.push(uid);
    });
    await search('count-');
    await says('count-near', 'Live · 3 unpublished changes');
    await card('count-26').locator('img').waitFor();
    await says('count-far', 'Live · unpublished changes');
    t.same(asked, ['near', 'near']);
    // A card below the edge of what is in sight is drawn before it comes into sight.
    await page.waitForFunction(() => {
      const drawn = [...document.querySelectorAll('.thumbnail[data-state="drawn"]')];
      return drawn.some((each) => each.getBoundingClientRect().top > innerHeight);
    });
    await card('count-far').scrollIntoViewIfNeeded();
    await says('count-far', 'Live · 1 unpublished change');
    await card('count-near').locator('.card-open').click();
    await page.locator('.version', { hasText: '3 unpublished changes' }).waitFor();
    asked.length = 0;
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByLabel('Search by name or uid').fill('count-');
    await says('count-near', 'Live · 3 unpublished changes');
    t.same(asked, [], 'the page keeps what it counted');
    await client.publishTemplate('count-near');
    await search('count-');
    await says('count-near', 'Live');
    t.same(asked, [], 'a card without changes asks nothing');
    t.same(studio.complaints(), []);
  });

  t.test('a template too large for a file of its size has a smaller image', async (t) => {
    await createDraft('large-card');
    await page.route('**/v1/preview', (route) => {
      const { uid, scale } = route.request().postDataJSON() as { uid?: string; scale?: number };
      if (uid !== 'large-card' || scale !== undefined) return route.continue();
      return route.fulfill({ status: 400, json: { error: {} } });
    });
    await search('large-');
    const image = card('large-card').locator('.thumbnail img');
    t.equal(await image.evaluate((each: HTMLImageElement) => each.naturalWidth), 50);
    t.notMatch(await card('large-card').innerText(), /50 × 20/, 'and no wrong size');
    await page.unroute('**/v1/preview');
  });

  t.test('the link of a card is copied in the press, unless it needs a signature', async (t) => {
    await studio.publish('copied');
    await studio.publish('sealed-card', { linkAuth: 'signed' });
    await search('copied');
    await page.evaluate(() => {
      const { clipboard } = navigator;
      const write = clipboard.write.bind(clipboard);
      let isCopied = false;
      clipboard.write = (items) => {
        isCopied = true;
        return write(items);
      };
      // The last listener of the press.
      addEventListener('click', () => (document.body.dataset['copied'] = String(isCopied)));
    });
    await press('copied', 'Copy link');
    await page.getByText('Copied the link of copied.').waitFor();
    t.equal(await page.getAttribute('body', 'data-copied'), 'true');
    t.equal(await readClipboard(), `${base}/v1/render/copied.png`);
    await search('sealed-card');
    await press('sealed-card', 'Copy link');
    await page.getByText('links of sealed-card need a signature').waitFor();
    t.equal(await readClipboard(), `${base}/v1/render/copied.png`, 'as before');
    t.same(studio.complaints(), []);
  });

  t.test('templates are copied, renamed, archived and restored', async (t) => {
    // An empty list of archived templates is answered 404.
    await createDraft('archived-before');
    await client.archiveTemplate('archived-before');
    await createDraft('twice', 'Made twice');
    await search('made twice');
    await card('twice').locator('.card-facts', { hasText: '200 × 80' }).waitFor();
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await press('twice', 'Duplicate');
    const copy = page.locator('.template-card', { has: heading('Made twice 2') });
    const uid = (await copy.getAttribute('data-uid')) ?? '';
    await press(uid, 'Rename');
    await page.keyboard.type('Made twice, later');
    await page.keyboard.press('Enter');
    await heading('Made twice, later').waitFor();
    t.match(await client.getTemplateDocument(uid), { name: 'Made twice, later', width: 200 });

    await press(uid, 'Archive');
    await page.locator('.notice', { hasText: 'Archived' }).getByText('Undo').click();
    await card(uid).waitFor();
    await press(uid, 'Archive');
    await card(uid).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await press(uid, 'Restore');
    await page.waitForSelector('.gallery-empty');
    await page.getByRole('button', { name: 'In use', exact: true }).click();
    await card(uid).waitFor();
    t.same(studio.complaints(), []);
  });

  t.test('a published template is archived after a question', async (t) => {
    await studio.publish('asked');
    await search('asked');
    await press('asked', 'Archive');
    const question = page.getByRole('dialog', { name: 'Archive asked?' });
    await question.getByText('No link has shown an image yet.').waitFor();
    t.match(await question.textContent(), 'stop showing an image at once, also in emails');
    await question.getByRole('button', { name: 'Cancel' }).click();
    t.match(await client.getTemplate('asked'), { version: 1 });
    await page.route('**/asked/statistics*', (route) => route.abort());
    await press('asked', 'Archive');
    await question.getByText('When a link last showed an image is not known.').waitFor();
    t.same(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByText('Archived asked; its links stop showing an image.').waitFor();
  });

  t.test('templates are moved, tagged, archived and restored together', async (t) => {
    for (const uid of ['many-one', 'many-two']) await createDraft(uid);
    await search('many-');
    const choose = async (): Promise<void> => {
      await page.getByLabel('Select many-one').check();
      await act('Select all');
      await bar.getByText('2 templates selected').waitFor();
    };
    await choose();
    t.same(await accessibilityProblems(page), []);
    await act('Move …');
    await dialog.locator('input:focus').waitFor();
    await page.keyboard.type('Spring');
    await page.keyboard.press('Enter');
    await page.getByText('Moved 2 templates to Spring.').waitFor();
    await act('Tag …');
    t.same(await accessibilityProblems(page), []);
    const tags = page.getByLabel('Tags to add');
    await tags.fill(`vip, ${'a'.repeat(41)}`);
    await tags.press('Enter');
    t.equal(await dialog.locator('input:invalid').count(), 1, 'a tag that is too long');
    await tags.fill('vip, email, a campaign of the spring, a campaign of the summer');
    await tags.press('Enter');
    await card('many-two').getByText('Spring #vip #email').waitFor();
    await page.getByRole('button', { name: '#vip' }).click();
    await page.getByRole('button', { name: 'No folder' }).click();
    t.equal(await page.locator('.template-card').count(), 0, 'filters hold together');
    await page.getByRole('button', { name: 'All folders' }).click();
    await bar.getByText('2 templates selected').waitFor();
    await act('Archive');
    await page.getByText('Archived 2 templates.').waitFor();
    await card('many-one').waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await choose();
    await act('Restore');
    await page.getByText('Restored 2 templates').waitFor();
    t.same(studio.complaints(), []);
  });

  t.test('before several are archived, it says when links last showed them', async (t) => {
    for (let at = 1; at <= 12; at += 1) {
      await studio.publish(`used-${at}`, at === 9 ? { name: `used-9 ${'long '.repeat(30)}` } : {});
    }
    await createDraft('used-draft');
    for (const uid of ['used-5', 'used-9']) {
      await client.render(uid);
      // Reading them writes the time.
      await client.request('GET /v1/templates/{uid}/statistics', { path: { uid } });
    }
    await search('used-');
    await page.getByLabel('Select used-1', { exact: true }).check();
    await act('Select all');
    await act('Archive');
    const question = page.getByRole('dialog', { name: 'Archive 13 templates?' });
    await question.getByText('Published of these: 12.').waitFor();
    await question.locator('[aria-busy="false"]').waitFor();
    const lines = await question.getByRole('listitem').allInnerTexts();
    t.equal(lines.length, 10);
    t.match(lines[0], /^used-9 [long ]+\s+(just now|.* seconds? ago)$/);
    t.match(lines[1], /^used-5\s+(just now|.* seconds? ago)$/);
    for (const line of lines.slice(2)) t.match(line, /^used-\d+\s+never$/);
    await question.getByText('and 2 more').waitFor();
    t.ok(await question.evaluate((each) => each.scrollWidth <= each.clientWidth));
    await question.getByRole('button', { name: 'Cancel' }).click();
    t.equal(await page.locator('.template-card').count(), 13);
    t.same(studio.complaints(), []);
  });

  t.test('new templates are made of a size, a design or an image, with free names', async (t) => {
    await createDraft('square', 'Square');
    const shown = page.locator('.canvas-sheet img');
    /** Begins a template of a tile, and returns its name. */
    const begin = async (tile?: Locator): Promise<string> => {
      await search('square');
      await page.getByRole('button', { name: 'New template' }).click();
      if (tile === undefined) return '';
      await tile.click();
      await shown.waitFor();
      return page.getByLabel('Name of the template').inputValue();
    };
    t.equal(await begin(page.getByRole('button', { name: /^Square 1080/ })), 'Square 2');
    t.equal(await begin(page.locator('.design[title="Square"]')), 'Square 3');
    await begin();
    await page.locator('.design img').first().waitFor();
    t.same(await accessibilityProblems(page), []);
    const drop = (name: string, buffer: Buffer): Promise<void> =>
      page.setInputFiles('.drop-zone input:enabled', { name, mimeType: 'image/png', buffer });
    await drop('brochure.pdf', Buffer.from('%PDF-1.4'));
    const refusal = await dialog.getByRole('alert').boundingBox();
    t.ok(refusal && refusal.y < 650, 'the reason is seen without scrolling');
    await drop('summer_sale.png', await plainImage('#336699', 320, 200));
    await shown.waitFor();
    const uid = new URL(page.url()).hash.slice('#/t/'.length);
    t.match(await client.getTemplateDocument(uid), {
      name: 'summer sale',
      width: 320,
      height: 200,
      layers: [{ type: 'image', locked: true, width: 320, height: 200, src: /^asset:/ }],
    });
  });
});

/** Saves of drafts in a browser: conflicts, a service that is away, a key that ends, and publications. */
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateAccess } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { imageFile, pasteInto } from './dropped-files.ts';
import { openStudio } from './open-studio.ts';
import { becomes, publishDraft } from './studio-page.ts';

/** Where drafts of a template are saved, and read by another method. */
function isSaveOf(uid: string): RegExp {
  return new RegExp(`/v1/templates/${uid}$`);
}

t.test('drafts of the studio', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  /** A copy of a sample, open in a page that is signed in with a key. */
  const open = async (title: string, key = demoKey) => {
    const { uid } = await client.duplicateTemplate('hello', { name: title });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${base}/studio`);
    await page.evaluate((each) => sessionStorage.setItem('platen-studio-key', each), key);
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.reload();
    const name = page.getByLabel('Name of the template');
    await name.waitFor();
    const save = async (text: string): Promise<void> => {
      await name.fill(text);
      await name.press('Enter');
    };
    return { page, uid, name, save };
  };

  t.test('a draft that was changed elsewhere is a choice, and both stay', async (t) => {
    const { page, uid, name, save } = await open('Shared');
    const rename = async (text: string): Promise<void> => {
      const { cid, ...rest } = await client.getTemplate(uid);
      t.ok(cid, rest.name);
      await client.updateTemplate(uid, { ...(await client.getTemplateDocument(uid)), name: text });
    };
    const names = async (): Promise<string[]> =>
      (await client.listTemplates()).templates.map((template) => template.name).toSorted();
    const choose = (label: string) => page.getByRole('dialog').getByRole('button', { name: label });

    await rename('Theirs 1');
    await save('Mine 1');
    await choose('Keep mine').waitFor();
    t.same(await accessibilityProblems(page), []);
    t.equal((await client.getTemplate(uid)).name, 'Theirs 1', 'nothing is overwritten unasked');
    await choose('Keep mine').click();
    await becomes(page, 'saved');
    t.equal((await client.getTemplate(uid)).name, 'Mine 1');

    await rename('Theirs 2');
    await save('Mine 2');
    await choose('Take theirs').click();
    await becomes(page, 'saved');
    t.equal(await name.inputValue(), 'Theirs 2');
    await page.getByRole('button', { name: 'Undo' }).click();
    t.equal(await name.inputValue(), 'Mine 2', 'undo brings the first one back');
    await becomes(page, 'saved');

    await rename('Both');
    const access: TemplateAccess = { linkAuth: 'key', linkOptions: [], atZero: 'stay' };
    await client.request('PUT /v1/templates/{uid}/access', { path: { uid }, body: access });
    await save('Both');
    await choose('Keep both').click();
    await page.waitForURL((url) => url.hash !== `#/t/${uid}`);
    const copy = new URL(page.url()).hash.replace('#/t/', '');
    t.same((await client.getTemplate(copy)).access, access, 'a copy is not opened');
    const kept = (await names()).filter((each) => each.startsWith('Both'));
    t.same(kept, ['Both', 'Both 2'], 'a copy has a free name, as duplicates do');
    t.match(await client.getTemplate(uid), { name: 'Both' }, 'theirs is not overwritten');
    await page.close();
  });

  t.test('without a service the draft waits, over a reload, and is saved later', async (t) => {
    const { page, uid, name, save } = await open('Waiting');
    await page.route(isSaveOf(uid), (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await save('Typed offline');
    await becomes(page, 'offline');
    t.same(await accessibilityProblems(page), []);
    let hasAsked = false;
    page.on('dialog', (dialog) => {
      hasAsked = dialog.type() === 'beforeunload';
      void dialog.accept();
    });
    await page.reload();
    t.ok(hasAsked, 'a tab with unsaved changes asks before it closes');
    await page.unroute(isSaveOf(uid));
    t.equal(await name.inputValue(), 'Typed offline');
    await becomes(page, 'saved');
    t.equal((await client.getTemplate(uid)).name, 'Typed offline');
    await page.close();
  });

  t.test('a key that has ended leads to the sign-in, and nothing typed is lost', async (t) => {
    const { id, key } = await client.createKey({ name: 'short', scopes: ['read', 'write'] });
    const { page, uid, name, save } = await open('Kept', key);
    let hasEnded = false;
    // The key ends while the draft is on its way.
    await page.route(isSaveOf(uid), async (route) => {
      if (route.request().method() === 'PUT' && !hasEnded) {
        hasEnded = true;
        await client.revokeKey(id);
      }
      await route.continue();
    });
    await save('Typed later');
    await page.getByText('The key is no longer valid').waitFor();
    t.same(await accessibilityProblems(page), []);
    await page.getByLabel('API key').fill(demoKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await name.waitFor();
    t.equal(await name.inputValue(), 'Typed later');
    await becomes(page, 'saved');
    t.equal((await client.getTemplate(uid)).name, 'Typed later');
    await page.close();
  });

  t.test('publications that meet a save', async (t) => {
    const studio = await openStudio(browser, { base });
    const { page } = studio;
    const dialog = page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    const conflict = page.getByRole('dialog', { name: 'Changed somewhere else' });

    t.test('a publication waits for a save whose answer is under way', async (t) => {
      const uid = 'save-under-way';
      await studio.edit(uid, []);
      const [uploaded, answered, saved] = [0, 1, 2].map(() => Promise.withResolvers<void>());
      await page.route('**/v1/assets', async (route) => {
        await uploaded?.promise;
        await route.continue();
      });
      const logo = await imageFile('Logo.png', 20, 10, '#7b2d8b');
      const sent = page.waitForRequest('**/v1/assets');
      await pasteInto(page, '.canvas-window', {}, logo);
      await sent;
      await page.keyboard.press('Control+Enter');
      await button('Publish').waitFor();
      await page.route(`**/v1/templates/${uid}`, async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        const response = await route.fetch();
        saved?.resolve();
        await answered?.promise;
        return route.fulfill({ response });
      });
      uploaded?.resolve();
      await saved?.promise;
      await button('Publish').click();
      await button('Publishing …').waitFor();
      answered?.resolve();
      await dialog.getByText('Version 1 is public').waitFor();
      const { layers } = await client.getTemplateDocument(uid, { version: 1 });
      t.match(layers, [{ type: 'image' }]);
      t.equal(await conflict.count(), 0);
      await page.keyboard.press('Escape');
    });

    t.test('a publication is asked for again if a save of its person overtakes it', async (t) => {
      const uid = 'overtaking-save';
      await studio.edit(uid, []);
      const held = Promise.withResolvers<void>();
      await page.route(`**/v1/templates/${uid}/publish`, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.keyboard.press('Control+Enter');
      const sent = page.waitForRequest(`**/v1/templates/${uid}/publish`);
      await button('Publish').click();
      await sent;
      await page.keyboard.press('Escape');
      await page.getByLabel('Name of the template').fill('Changed meanwhile');
      await page.keyboard.press('Enter');
      await becomes(page, 'saved');
      held.resolve();
      await page.getByText('You changed the draft before it was published.').waitFor();
      t.equal(await conflict.count(), 0);
      t.equal((await client.getTemplate(uid)).version, null);
      await page.keyboard.press('Control+Enter');
      await publishDraft(page);
      await page.getByText('Version 1 is public').waitFor();
      t.equal((await client.getTemplate(uid)).name, 'Changed meanwhile');
      await page.keyboard.press('Escape');
    });

    t.test('no draft is published unseen, and notices lie over the dialog', async (t) => {
      await studio.edit('raced', []);
      await page.keyboard.press('Control+Enter');
      await button('Publish').waitFor();
      const document = await client.getTemplateDocument('raced');
      await client.updateTemplate('raced', { ...document, name: 'Theirs' });
      await button('Publish').click();
      await button('Keep both').waitFor();
      t.equal(await dialog.count(), 1, 'the choice is all that is asked');
      t.match(await client.getTemplate('raced'), { version: null, name: 'Theirs' });
      await page.route(/\/duplicate$/, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await button('Keep both').click();
      const notice = dialog.locator('.notice', { hasText: 'was not saved' });
      await notice.getByRole('button', { name: 'Dismiss' }).click();
      await notice.waitFor({ state: 'detached' });
      await button('Keep mine').click();
      await becomes(page, 'saved');
      t.match(await client.getTemplate('raced'), { version: null, name: 'raced' });
    });
  });
});

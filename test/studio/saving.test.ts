import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { becomes, signIn } from './studio-page.ts';

/** Where drafts of a template are saved, and read by another method. */
function isSaveOf(uid: string): RegExp {
  return new RegExp(`/v1/templates/${uid}$`);
}

t.test('drafts of the studio', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });

  t.test('a draft that was changed elsewhere is a choice, and both stay', async (t) => {
    const { uid } = await client.duplicateTemplate('hello', { name: 'Shared' });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await signIn(page, base);
    await page.goto(`${base}/studio#/t/${uid}`);
    const name = page.getByLabel('Name of the template');
    const rename = async (text: string): Promise<void> => {
      const { cid, ...rest } = await client.getTemplate(uid);
      t.ok(cid, rest.name);
      await client.updateTemplate(uid, { ...(await client.getTemplateDocument(uid)), name: text });
    };
    const save = async (text: string): Promise<void> => {
      await name.fill(text);
      await name.press('Enter');
    };
    const names = async (): Promise<string[]> =>
      (await client.listTemplates()).templates.map((template) => template.name).toSorted();
    const choose = (label: string) => page.getByRole('dialog').getByRole('button', { name: label });
    await name.waitFor();

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

    await rename('Theirs 3');
    await save('Mine 3');
    await choose('Keep both').click();
    await page.waitForURL((url) => url.hash !== `#/t/${uid}`);
    const kept = (await names()).filter((each) => /^(Mine|Theirs) 3/.test(each));
    t.same(kept, ['Mine 3', 'Theirs 3']);

    await page.goto(`${base}/studio#/t/${uid}`);
    await page.reload();
    await name.waitFor();
    await rename('Both');
    await save('Both');
    await choose('Keep both').click();
    await page.waitForURL((url) => url.hash !== `#/t/${uid}`);
    t.same(
      (await names()).filter((each) => each.startsWith('Both')),
      ['Both', 'Both 2'],
      'a copy has a free name, as duplicates do',
    );
    await page.close();
  });

  t.test(
    'without a service the draft waits, over a reload, and is saved when it is back',
    async (t) => {
      const { uid } = await client.duplicateTemplate('hello', { name: 'Waiting' });
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await signIn(page, base);
      await page.goto(`${base}/studio#/t/${uid}`);
      const name = page.getByLabel('Name of the template');
      await name.waitFor();
      await page.route(isSaveOf(uid), (route) =>
        route.request().method() === 'PUT' ? route.abort() : route.continue(),
      );
      await name.fill('Typed offline');
      await name.press('Enter');
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
    },
  );

  t.test('a key that has ended leads to the sign-in, and nothing typed is lost', async (t) => {
    const { uid } = await client.duplicateTemplate('hello', { name: 'Kept' });
    const { id, key } = await client.createKey({ name: 'short', scopes: ['read', 'write'] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${key}')`);
    await page.goto(`${base}/studio#/t/${uid}`);
    const name = page.getByLabel('Name of the template');
    await name.waitFor();
    let hasEnded = false;
    // The key ends while the draft is on its way.
    await page.route(isSaveOf(uid), async (route) => {
      if (route.request().method() === 'PUT' && !hasEnded) {
        hasEnded = true;
        await client.revokeKey(id);
      }
      await route.continue();
    });
    await name.fill('Typed later');
    await name.press('Enter');
    await page.getByText('The key is no longer valid').waitFor();
    await page.getByLabel('API key').fill(demoKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await name.waitFor();
    t.equal(await name.inputValue(), 'Typed later');
    await becomes(page, 'saved');
    t.equal((await client.getTemplate(uid)).name, 'Typed later');
    await page.close();
  });
});

/** Sets of sample values in a browser: their warnings, values that are tried alone, and publications that ask for them. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { openStudio } from './open-studio.ts';
import { publishDraft } from './studio-page.ts';

const box = { x: 10, y: 10, width: 120, height: 30 };

t.test('sample values in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page, client } = studio;
  const preset = (id: string) => page.locator(`[data-preset="${id}"]`);

  t.test('every set is drawn, and warns of the layer that it breaks', async (t) => {
    const look = { fontSize: 24, overflow: 'ellipsis', maxLines: 1 };
    const layers = [
      { ...box, ...look, id: 'title', name: 'Title', type: 'text', text: '{{name}}' },
    ];
    const variables = [{ name: 'name', type: 'text', value: 'Ann' }];
    await studio.edit('sampled', layers, { variables });
    const warning = preset('longest').locator('.preset-warning');
    t.match(await warning.textContent(), 'Does not fit at “Maximilian Alexander”');
    await page.locator('.samples[aria-busy="false"]').waitFor();
    t.equal(await page.locator('.preset img').count(), await page.locator('.preset').count());
    t.equal(await preset('defaults').locator('.preset-warning').count(), 0);
    const warned = await page
      .locator('.preset ~ .preset')
      .evaluateAll((all) => all.map((each) => each.matches('[data-warned="true"]')).join(' '));
    t.match(warned, /^(?:true )+false(?: false)*$/, 'warned first');
    await warning.click();
    t.equal(await preset('longest').locator('.preset-pick').getAttribute('aria-pressed'), 'true');
    await page.waitForSelector('.samples-warnings :text("Title: does not fit")');
    await page.waitForSelector('[aria-selected="true"]:has-text("Title")');
    t.same(studio.complaints(), []);
  });

  t.test('an image that breaks the link is drawn around, and reported at its layer', async (t) => {
    const { bytes } = await client.render('hello');
    const { id: value } = await client.uploadAsset(new Uint8Array(bytes));
    const variables = [{ name: 'photo', type: 'image', value }];
    const layers = [{ ...box, id: 'hero', name: 'Hero', type: 'image', src: '{{photo}}' }];
    const broken = preset('broken');
    await studio.edit('breaking', layers, { variables, onError: 'json' });
    await broken.locator('img').waitFor();
    t.match(await broken.textContent(), 'The link would answer 400: Invalid');
    await broken.locator('.preset-warning').click();
    await page.waitForSelector('[aria-selected="true"]:has-text("Hero")');
    await page.waitForSelector('.samples-warnings :text("Hero: the link would answer 400")');
    t.equal(await page.locator('.problem-bar').count(), 0);
    await studio.edit('robust', layers, { variables });
    await page.getByText(/^All \d fit$/).waitFor();
    t.equal(await broken.locator('.preset-warning').count(), 0, 'readers see its default');
    studio.complaints();
  });

  t.test('one variable is tried alone, and an emptied field is the empty value', async (t) => {
    const asked: Array<{ first_name?: unknown; city?: unknown }> = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview')) return;
      const { quality, values } = request.postDataJSON() as { quality?: 1; values?: object };
      if (quality === undefined) asked.push(values ?? {});
    });
    const variables = [
      { name: 'first_name', type: 'text', value: 'Ann', whenEmpty: 'empty' },
      { name: 'city', type: 'text', value: 'Oslo' },
    ];
    const text = '{{first_name}} {{city}}';
    await studio.edit('tried', [{ ...box, id: 'a', type: 'text', text }], { variables });
    await page.getByRole('tab', { name: 'Variables' }).click();
    const menu = page.getByLabel('Try a value for first_name');
    await page.getByLabel('Try a value for city').selectOption('Emoji');
    await menu.selectOption('Empty');
    const field = page.getByLabel('Preview with as first_name');
    t.equal(await field.getAttribute('placeholder'), 'empty');
    const isTried = (): boolean =>
      asked.some((values) => values.first_name === '' && String(values.city).includes('🎉'));
    t.ok(await eventually(isTried));
    await menu.selectOption('Default');
    t.equal(await field.getAttribute('placeholder'), 'Ann');
    await field.fill('Bo');
    t.equal(await menu.inputValue(), 'own');
    await field.fill('');
    t.equal(await menu.inputValue(), 'empty', 'what is emptied is empty');
    t.same(await accessibilityProblems(page), []);
    t.same(studio.complaints(), []);
  });

  const dialog = page.getByRole('dialog');
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  const versionOf = async (uid: string) => (await client.getTemplate(uid)).version;

  /** Opens a template whose sets are held, or answered 500, and asks to publish it. */
  const begin = async (uid: string, words: string, status?: number): Promise<() => void> => {
    const held = Promise.withResolvers<void>();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/v1/preview', async (route, request) => {
      // The canvas asks for no quality.
      const isOfSet = (request.postData() ?? '').includes('"quality"');
      if (isOfSet && status !== undefined) return route.fulfill({ status, json: { error: {} } });
      if (isOfSet) await held.promise;
      return route.continue();
    });
    const more = { maxLines: 1, overflow: 'ellipsis', text: words };
    const text = { id: 'a', type: 'text', x: 0, y: 0, width: 100, height: 30, fontSize: 20 };
    const variables = [{ name: 'name', type: 'text', value: 'Ann' }];
    await studio.edit(uid, [{ ...text, ...more }], { variables, width: 100, height: 30 });
    await page.keyboard.press('Control+Enter');
    await button('Publish').click();
    return held.resolve;
  };
  const checking = button('Checking the sample data …');
  const unchecked = dialog.getByText('Publish although not all sample data is checked?');
  const confirm = async (): Promise<void> => {
    await button('Publish all the same').click();
    await dialog.getByText('Version 1 is public').waitFor();
    await page.keyboard.press('Escape');
  };

  t.test('a publication asks when the sets are drawn, if one has a warning', async (t) => {
    const release = await begin('held', 'Warm welcome {{name}}');
    await checking.waitFor();
    t.same(await accessibilityProblems(page), []);
    release();
    await dialog.getByText(/^Publish although \d sets? of sample data ha.* warnings\?$/).waitFor();
    t.equal(await versionOf('held'), null);
    const warnings = await dialog.locator('.publish-warnings li').allInnerTexts();
    t.match(
      warnings.map((words) => words.split(/\s*\n\s*/)),
      [['Warm welcome {{name}}: does not fit', /^\d sets: \w+, [^,]+, [^,]+ and \d more$/]],
      'one line for the same warning of several sets',
    );
    await confirm();
  });

  t.test('a publication follows at once when the sets are drawn without a warning', async (t) => {
    const release = await begin('fitting', 'Hello');
    await checking.waitFor();
    t.equal(await versionOf('fitting'), null);
    release();
    await dialog.getByText('Version 1 is public').waitFor();
    await page.keyboard.press('Escape');
  });

  t.test('nothing is published after the dialog is closed', async (t) => {
    const release = await begin('closed', 'Hello');
    await checking.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.locator('.samples[aria-busy="false"]').waitFor();
    await page.keyboard.press('Control+Enter');
    await publishDraft(page);
    await dialog.getByText('Version 1 is public').waitFor();
    t.equal(await versionOf('closed'), 1, 'only the second time');
    await page.keyboard.press('Escape');
  });

  t.test('a publication does not wait for a set that the service fails to draw', async (t) => {
    await begin('failing', 'Hello {{name}}', 500);
    await unchecked.waitFor();
    t.equal(await versionOf('failing'), null);
    await confirm();
  });

  t.test('a publication asks without the sets if the service draws none for long', async (t) => {
    await page.clock.install();
    await begin('slow', 'Hello');
    await checking.waitFor();
    await page.clock.fastForward(20_000);
    await unchecked.waitFor();
    t.equal(await versionOf('slow'), null);
    await confirm();
  });
});

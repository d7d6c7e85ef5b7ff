/** The dialog that compares, publishes, signs and rolls back, in a browser. */
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, publicHost, skipsPages, startBrowser } from '../helpers/browser.ts';
import { openStudio } from './open-studio.ts';
import { confirmWarnings } from './studio-page.ts';

const frame = { x: 10, y: 10, width: 120, height: 30 };
const look = { fontSize: 24, overflow: 'ellipsis', maxLines: 1 };
const title = { ...frame, ...look, id: 'title', name: 'Title', type: 'text', text: '{{name}}' };
const bar = { id: 'bar', type: 'rect', x: 10, y: 60, width: 200, height: 30, fill: '#d64933' };
const variables = [{ name: 'name', type: 'text', value: 'Ann' }];

t.test('publishing in a browser', { skip: skipsPages }, async (t) => {
  const browser = await startBrowser(t);
  const studio = await openStudio(browser, await shareService());
  const { base, page, client } = studio;
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const open = async (uid: string): Promise<void> => {
    await studio.show(`#/t/${uid}`);
    await page.waitForFunction((name) => document.title.startsWith(`${name} `), uid);
    await page.locator('.canvas-sheet img').waitFor();
    await page.keyboard.press('Control+Enter');
  };

  /** Waits for a text that describes a field. */
  const describes = async (t: Test, field: Locator, words: string): Promise<void> => {
    const text = dialog.getByText(words);
    await text.waitFor();
    t.equal(await field.getAttribute('aria-describedby'), await text.getAttribute('id'));
  };

  t.test('what has changed is compared, published, shared and rolled back', async (t) => {
    const before = { variables, layers: [title, bar] };
    const document = await studio.publish('compared', before);
    const layers = [title, { ...bar, fill: '#20639b' }] as typeof document.layers;
    await client.updateTemplate('compared', { ...document, layers });
    await open('compared');
    await page.locator('.version', { hasText: 'Version 1 · 1 unpublished change' }).waitFor();
    // 200 by 30 of 400 by 300.
    await dialog.getByText('5.0 % of the image differs').waitFor();
    const changes = dialog.locator('.change-list');
    t.match(await changes.textContent(), /Changed\s*bar\s*Fill\s*#d64933\s*→\s*#20639b/);
    t.same(await accessibilityProblems(page), []);
    await dialog.locator('.publish-form textarea').fill('A blue bar');
    await page.locator('.samples[aria-busy="false"]').waitFor();
    t.match(
      await dialog.locator('.publish-warnings').textContent(),
      /Title: does not fit.*: Longest likely/,
    );
    await press('Publish');
    await dialog.getByText(/Publish although \d+ sets of sample data have warnings/).waitFor();
    t.match(await client.getTemplate('compared'), { version: 1 }, 'it asks once');
    await press('Publish all the same');
    await dialog.locator('.news', { hasText: 'Version 2 is public' }).waitFor();

    await dialog.getByLabel('name', { exact: true }).fill('Bo & Co');
    await dialog.locator('.share-image[data-old="false"] img').waitFor();
    const link = await page.textContent('.share-main .copy-text code');
    t.equal(link, `${base}/v1/render/compared.png?name=Bo%20%26%20Co`);
    const snippets = dialog.locator('.share-snippets');
    await snippets.locator('select').first().selectOption('mailchimp');
    t.match(await snippets.textContent(), 'compared.png?name=*|FNAME|*');
    await snippets.locator('select').first().selectOption('');
    await dialog.getByLabel('Width, px').fill('300');
    await dialog.getByLabel('A click opens').fill('https://shop.example/');
    await dialog.getByLabel('Stay with version 2').check();
    await dialog.getByLabel('In dark mode').selectOption('name');
    await dialog.getByLabel('Dark value of name').fill('Moon');
    const night = await browser.newPage({ colorScheme: 'dark' });
    await night.setContent((await page.textContent('[aria-label="HTML"]')) ?? '');
    const facts = await night
      .locator('a[href="https://shop.example/"] img')
      .evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return [image.currentSrc, image.width];
      });
    t.same(facts, [`${base}/v1/render/compared.png?_scale=2&_version=2&name=Moon`, 300]);

    await press('Versions');
    await page.locator('[data-version="1"] img').waitFor();
    t.match(await page.textContent('[data-version="2"]'), 'A blue bar');
    t.same(await accessibilityProblems(page), [], 'the versions');
    await press('Roll back to version 1');
    await press('Publish version 1 again');
    await dialog.locator('.news', { hasText: 'Version 3 is public' }).waitFor();
    const third = await client.getTemplateDocument('compared', { version: 3 });
    t.match(third, { layers: [{}, { fill: '#d64933' }] });
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
    t.equal(await dialog.getByLabel('name', { exact: true }).inputValue(), 'Bo & Co', 'kept');
    await page.keyboard.press('Escape');
    t.same(studio.complaints(), []);
  });

  t.test('the comparison shows a size that has changed', async (t) => {
    const sizes = [{ name: 'story', width: 100, height: 200 }];
    const document = await studio.publish('compared-sizes', { sizes, layers: [bar] });
    const layers = [{ ...bar, bySize: { story: { y: 190 } } }] as typeof document.layers;
    await client.updateTemplate('compared-sizes', { ...document, layers });
    await open('compared-sizes');
    const size = dialog.getByLabel('Size');
    const said = dialog.locator('.comparison [role="status"]');
    await said.getByText('of the image differs').waitFor();
    t.equal(await size.inputValue(), 'story');
    t.match(await size.innerText(), /Base · 400 × 300\s+story · 100 × 200, changed/);
    t.match(await dialog.locator('.change-list').innerText(), /Y in story\s+as in Base → 190/);
    await size.selectOption('');
    await said.getByText('Both draw the same image').waitFor();
    await page.keyboard.press('Escape');
    t.same(studio.complaints(), []);
  });

  t.test('the comparison says that an image cannot be read', async (t) => {
    const document = await studio.publish('unread', { layers: [bar] });
    await client.updateTemplate('unread', { ...document, background: '#000000' });
    await page.route('**/v1/preview', (route, request) => {
      const { version } = request.postDataJSON() as { version?: number };
      if (version === undefined) return route.continue();
      return route.fulfill({ contentType: 'image/png', body: 'damaged' });
    });
    await open('unread');
    await page.locator('.comparison').getByText('An image cannot be read').waitFor();
    await page.unroute('**/v1/preview');
    await page.keyboard.press('Escape');
    t.same(studio.complaints(), []);
  });

  t.test('the person of a design is asked for, the draft follows, Enter publishes', async (t) => {
    const persons = [
      { name: 'first_name', type: 'text', value: 'Amanda', maxLength: 10 },
      { name: 'last_name', type: 'text', value: 'Unused' },
      { name: 'offer', type: 'text', value: '25 % off' },
      // As a text that somebody types names it.
      { name: 'seat', type: 'text', value: 'seat' },
    ];
    const text = { ...title, text: '{{first_name}}, {{offer}}, {{seat}}' };
    await studio.edit('persons', [text], { variables: persons });
    await page.keyboard.press('Control+Enter');
    const defaults = dialog.getByRole('group', { name: 'Shown if a link has no value' });
    await defaults.waitFor();
    t.equal(await defaults.getByRole('textbox').count(), 2, 'no offer, and no unused variable');
    const seat = defaults.getByLabel('seat');
    await describes(t, seat, 'Readers without a value see “seat”.');
    t.equal(await defaults.locator('input:focus').count(), 1, 'a name in the image is an error');
    const field = defaults.getByLabel('first_name');
    t.equal(await field.inputValue(), 'Amanda');
    t.same(await accessibilityProblems(page), []);
    const draft = dialog.getByAltText('The draft');
    const before = await draft.getAttribute('src');
    await field.selectText();
    await page.keyboard.type('friend');
    await dialog.locator(`.review-image img:not([src="${before}"])`).waitFor();
    await dialog.locator('.review-images[data-old="false"]').waitFor();
    t.ok(await dialog.locator('input:focus').count(), 'the field keeps the focus');
    t.equal(await field.inputValue(), 'friend');
    await page.keyboard.type('s of mine');
    await describes(t, field, 'The limit is at most 10 characters.');
    await page.keyboard.press('Control+Enter');
    await press('Publish');
    await describes(t, field, 'The limit is at most 10 characters.');
    t.equal((await client.getTemplate('persons')).version, null, 'it publishes nothing refused');
    await seat.fill('A 12');
    await field.fill('friends');
    await field.press('Enter');
    await confirmWarnings(page);
    await dialog.getByText('Version 1 is public').waitFor();
    const published = await client.getTemplateDocument('persons', { version: 1 });
    t.match(published.variables, [{ value: 'friends' }, {}, {}, { value: 'A 12' }]);
    await press('Changes');
    await dialog.getByRole('button', { name: 'Nothing to publish' }).waitFor();
    t.equal(await defaults.count(), 0, 'a person that was published is meant');
    await page.keyboard.press('Escape');
    t.same(studio.complaints(), []);
  });

  /** Opens the dialog afresh, and a part of it. */
  const openPart = async (uid: string, part: string): Promise<void> => {
    await studio.show('#/brand');
    // A page that is left before it is shown keeps an editor of the same template, and its dialog.
    await page.getByRole('heading', { name: 'Brand kit' }).waitFor();
    await studio.show(`#/t/${uid}`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await press(part);
  };

  t.test('a template that asks for it gets a signed link', async (t) => {
    await studio.publish('sealed', { linkAuth: 'signed' });
    await openPart('sealed', 'Link');
    const setting = page.getByText('PLATEN_PUBLIC_URL');
    await page.getByText('For the people who run this service').waitFor();
    t.notOk(await setting.isVisible(), 'the setting is for operators');
    await page.getByText('For the people who run this service').click();
    await setting.waitFor();
    await press('Make a signing key');
    // Signed without an end first, so that the choice must sign again.
    await page.locator('.copy-text code', { hasText: '_signature=' }).first().waitFor();
    await page.selectOption('.signing-fields select', '7');
    const code = page.locator('.copy-text code', { hasText: '_expires=' }).first();
    const link = (await code.textContent()) ?? '';
    t.match(link, /_expires=\d+&_signature=v2\.[\da-f]{64}$/);
    t.same(await accessibilityProblems(page), []);
    const statuses = await Promise.all(
      [link, link.replace('_expires=', '_expires=9')].map(async (url) => {
        const answer = await fetch(url);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    t.same(statuses, [200, 401], 'another end breaks the signature');

    // Browsers sign only in pages with TLS or of this machine.
    await page.goto(`${base.replace('127.0.0.1', publicHost)}/studio#/t/sealed`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await press('Link');
    const key = page.getByLabel('Signing key', { exact: true });
    const failure = page.locator('.signing > [role="alert"]');
    await key.fill('a-key');
    await failure.waitFor();
    await key.fill('');
    await failure.waitFor({ state: 'detached' });
    studio.complaints();
  });

  t.test('a version is not published again before what changes is read', async (t) => {
    const open1 = await studio.publish('unsealed');
    await client.updateTemplate('unsealed', { ...open1, onError: 'json' });
    await openPart('unsealed', 'Changes');
    const box = await dialog.boundingBox();
    await press('Versions');
    t.same(await dialog.boundingBox(), box, 'the tabs stay under the pointer');
    await client.publishTemplate('unsealed');

    const isRead = Promise.withResolvers<void>();
    let isFailing = true;
    await page.route('**/document?version=1', async (route) => {
      if (isFailing) return route.abort();
      await isRead.promise;
      return route.continue();
    });
    await openPart('unsealed', 'Versions');
    await press('Roll back to version 1');
    const actions = page.locator('[data-version="1"] .version-actions');
    const publish = actions.getByRole('button', { name: 'Publish version 1 again' });
    await actions.getByText('What changes cannot be read').waitFor();
    t.equal(await publish.isDisabled(), true);
    t.same(await accessibilityProblems(page), []);
    isFailing = false;
    await actions.getByRole('button', { name: 'Read again' }).press('Enter');
    await actions.getByText('Comparing it with the published version').waitFor();
    t.equal(await publish.isDisabled(), true);
    isRead.resolve();
    await actions.getByText('Settings that change: If it fails.').waitFor();
    await publish.press('Enter');
    await page.locator('.news').getByText('Version 3 is public').waitFor();
    t.match(await client.getTemplate('unsealed'), { version: 3 });
    studio.complaints();
  });

  t.test('a version without a size of links says what they show then', async (t) => {
    const story = { name: 'story', width: 200, height: 300 };
    const wide = { name: 'wide', width: 600, height: 200 };
    const document = await studio.publish('lost-sizes', { sizes: [story] });
    await client.updateTemplate('lost-sizes', { ...document, sizes: [story, wide] });
    await client.publishTemplate('lost-sizes');
    const other = { ...document, sizes: [wide], onError: 'json' as const };
    await client.updateTemplate('lost-sizes', other);
    await openPart('lost-sizes', 'Changes');
    await dialog.getByText('Links with the size “story” then answer an error.').waitFor();
    await press('Versions');
    await press('Roll back to version 1');
    await dialog.getByText('Links with the size “wide” then show the base size.').waitFor();
    t.same(await accessibilityProblems(page), []);
    await press('Publish version 1 again');
    await dialog.getByText('Version 3 is public').waitFor();
    const headers = { 'Sec-Fetch-Dest': 'image' };
    const answer = await fetch(`${base}/v1/render/lost-sizes.png?_size=wide`, { headers });
    const { width } = await sharp(await answer.arrayBuffer()).metadata();
    t.equal(width, 400, 'the width of the base, for a reader of an email');
    t.same(studio.complaints(), []);
  });
});

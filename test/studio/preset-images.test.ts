import type { Page, Request } from 'playwright-core';
import t from 'tap';
import type { TemplateDocument } from '../../src/client/call.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';

/** A preview that a small image of the strip is made of; the canvas asks for no quality. */
function isOfStrip(request: Request): boolean {
  return request.url().endsWith('/v1/preview') && (request.postData() ?? '').includes('"quality"');
}

/** How many images of the strip were asked for at the same time at most. */
function watchStrip(page: Page): { most: number } {
  const seen = { most: 0 };
  let running = 0;
  page.on('request', (request) => {
    if (!isOfStrip(request)) return;
    running += 1;
    seen.most = Math.max(seen.most, running);
  });
  const leave = (request: Request): void => {
    if (isOfStrip(request)) running -= 1;
  };
  page.on('requestfinished', leave);
  page.on('requestfailed', leave);
  return seen;
}

t.test('images of sample data in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });

  t.test(
    'they give way to the canvas, one at a time, and come when it has its frame',
    async (t) => {
      const { uid } = await client.duplicateTemplate('hello', { name: 'Presets' });
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${demoKey}')`);
      const seen = watchStrip(page);
      let isHeld = true;
      await page.route('**/v1/preview', async (route, request) => {
        // Held for ever: only an editor that gives it up comes to its frame and goes on.
        if (!isHeld || !isOfStrip(request)) await route.continue();
      });
      const begun = page.waitForRequest(isOfStrip);
      await page.goto(`${base}/studio#/t/${uid}`);
      const held = await begun;
      const image = page.locator('.canvas-sheet img');
      const before = await image.getAttribute('src');
      const givenUp = page.waitForEvent('requestfailed', (request) => request === held);
      isHeld = false;
      await page.getByRole('tab', { name: 'Variables' }).click();
      await page.getByLabel('Preview with as name').fill('Amanda');
      await givenUp;
      await page.locator('.samples[aria-busy="false"]').waitFor();
      t.not(await image.getAttribute('src'), before, 'the canvas has its frame');
      t.ok((await page.locator('.preset img').count()) > 4, 'and what was given up is drawn');
      t.equal(seen.most, 1);
      await page.close();
    },
  );

  t.test(
    'after an outage they come back, and until then nothing is said of the link',
    async (t) => {
      const { uid } = await client.duplicateTemplate('hello', { name: 'Outage' });
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${demoKey}')`);
      let isOut = true;
      const asked = page.waitForEvent('requestfailed', isOfStrip);
      await page.route('**/v1/preview', (route, request) =>
        isOut && isOfStrip(request) ? route.abort() : route.continue(),
      );
      await page.goto(`${base}/studio#/t/${uid}`);
      await asked;
      t.equal(await page.locator('.preset-warning').count(), 0);
      isOut = false;
      await page.locator('.samples-state', { hasText: /fit$|with warnings$/ }).waitFor();
      t.ok((await page.locator('.preset img').count()) > 4);
      t.equal(await page.getByText('The link fails').count(), 0);
      await page.close();
    },
  );

  t.test('an image that breaks the link is drawn around, and reported at its layer', async (t) => {
    const { bytes } = await client.render('hello');
    const { id } = await client.uploadAsset(new Uint8Array(bytes));
    const box = { x: 0, y: 0, width: 100, height: 50 };
    const document: TemplateDocument = {
      format: 1,
      name: 'Photo',
      width: 200,
      height: 100,
      variables: [{ name: 'photo', type: 'image', value: id }],
      layers: [{ id: 'hero', name: 'Hero', type: 'image', ...box, src: '{{photo}}' }],
    };
    const { uid } = await client.createTemplate({ ...document, onError: 'json' });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${demoKey}')`);
    await page.goto(`${base}/studio#/t/${uid}`);
    const broken = page.locator('[data-preset="broken"]');
    await broken.locator('img').waitFor();
    t.match(await broken.textContent(), 'The link would answer 400: Invalid');
    await broken.locator('.preset-warning').click();
    await page.waitForSelector('[aria-selected="true"]:has-text("Hero")');
    await page.waitForSelector('.samples-warnings :text("Hero: the link would answer 400")');
    t.equal(await page.locator('.problem-bar').count(), 0);

    for (const robust of [{ onImageError: 'default' as const }, {}]) {
      const { uid: seen } = await client.createTemplate({ ...document, ...robust });
      await page.goto(`${base}/studio#/t/${seen}`);
      await page.getByText(/^All \d fit$/).waitFor();
      t.equal(await broken.locator('.preset-warning').count(), 0, 'readers see its default');
    }
    await page.close();
  });

  t.test('one variable is tried alone, and an emptied field is the empty value', async (t) => {
    const variables = [
      { name: 'first_name', type: 'text' as const, value: 'Ann', whenEmpty: 'empty' as const },
      { name: 'city', type: 'text' as const, value: 'Oslo' },
    ];
    const box = { x: 0, width: 300, height: 40 };
    const { uid } = await client.createTemplate({
      format: 1,
      name: 'Tried',
      width: 300,
      height: 100,
      variables,
      layers: [
        { id: 'a', type: 'text', ...box, y: 0, fontSize: 20, text: '[{{first_name}}]' },
        { id: 'b', type: 'text', ...box, y: 50, fontSize: 20, text: '{{city}}' },
      ],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(`sessionStorage.setItem('platen-studio-key', '${demoKey}')`);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/preview') || isOfStrip(request)) return;
      asked.push((request.postDataJSON() as { values?: unknown }).values);
    });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.getByRole('tab', { name: 'Variables' }).click();
    const menu = page.getByLabel('Try a value for first_name');
    await page.getByLabel('Try a value for city').selectOption('Emoji');
    await menu.selectOption('Empty');
    const field = page.getByLabel('Preview with as first_name');
    t.equal(await field.getAttribute('placeholder'), 'empty');
    t.ok(await eventually(() => asked.some((values) => isEmptyName(values, '🎉'))));
    await menu.selectOption('Default');
    t.equal(await field.getAttribute('placeholder'), 'Ann');
    await field.fill('Bo');
    t.equal(await menu.inputValue(), 'own');
    await field.fill('');
    t.equal(await menu.inputValue(), 'empty', 'what is emptied is empty');
    t.same(await accessibilityProblems(page), []);
    await page.close();
  });
});

/** The values of a request: nobody's name, and a city with `part`. */
function isEmptyName(values: unknown, part: string): boolean {
  const { first_name: name, city } = values as { first_name?: unknown; city?: unknown };
  return name === '' && String(city).includes(part);
}

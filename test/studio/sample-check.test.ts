/** Publishing waits for the sets of sample data in a browser, and ends without them. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { publishDraft, studioContext } from './studio-page.ts';

/** Steps of a page's clock. The service answers in real time, and many steps pass until then. */
const stepsMax = 5000;

/** Advances the clock of a page until `isReached`, at most `stepsMax` times. */
async function advance(page: Page, stepMs: number, isReached: () => boolean): Promise<void> {
  for (let step = 0; step < stepsMax; step += 1) {
    if (isReached()) return;
    // oxlint-disable-next-line no-await-in-loop -- the page acts between the steps
    await page.clock.runFor(stepMs);
  }
  const state = await page.locator('.samples-state').textContent();
  throw new Error(`The page does not ask again; it shows "${state}".`);
}

t.test('publishing while the sample data is being drawn', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const browser = await startBrowser(t);
  const box = { x: 0, y: 0, width: 100, height: 30 };
  const size = { width: 100, height: 30, background: '#ffffff' };
  const variables = [{ name: 'name', type: 'text' as const, value: 'Ann' }];

  /** Opens a new template, whose sets are held by the service, and asks to publish it. */
  const begin = async (uid: string, text: string) => {
    const line = { ...box, fontSize: 20, maxLines: 1, overflow: 'ellipsis' as const };
    const layers = [{ id: 'a', type: 'text' as const, ...line, text }];
    await client.createTemplate({ format: 1, name: 'Held', ...size, variables, layers }, { uid });
    const context = await studioContext(browser);
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.clock.install();
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/preview', async (route, request) => {
      // The canvas asks for no quality.
      if ((request.postData() ?? '').includes('"quality"')) await held.promise;
      await route.continue();
    });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.locator('.canvas-sheet img').waitFor();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('button', { name: 'Checking the sample data …' }).waitFor();
    const version = async (): Promise<number | null> => (await client.getTemplate(uid)).version;
    t.equal(await version(), null);
    return { page, dialog, complaints, version, release: () => held.resolve() };
  };

  t.test('it asks when they are drawn, if one has a warning', async (t) => {
    const { page, dialog, complaints, version, release } = await begin(
      'held',
      'Warm welcome {{name}}',
    );
    t.same(await accessibilityProblems(page), []);
    release();
    await dialog.getByText(/^Publish although \d sets? of sample data ha.* warnings\?$/).waitFor();
    t.equal(await version(), null);
    const warnings = await dialog.locator('.publish-warnings li').allInnerTexts();
    t.match(
      warnings.map((text) => text.split(/\s*\n\s*/)),
      [['Warm welcome {{name}}: does not fit', /^\d sets: \w+, [^,]+, [^,]+ and \d more$/]],
      'one line for the same warning of several sets',
    );
    await dialog.getByRole('button', { name: 'Publish all the same' }).click();
    await dialog.getByText('Version 1 is public').waitFor();
    t.same(complaints, []);
    await page.context().close();
  });

  t.test('it publishes at once when they are drawn without a warning', async (t) => {
    const { page, dialog, complaints, version, release } = await begin('fitting', 'Hello');
    release();
    await dialog.getByText('Version 1 is public').waitFor();
    t.equal(await version(), 1);
    t.same(complaints, []);
    await page.context().close();
  });

  t.test('it asks without them if the service draws none for long', async (t) => {
    const { page, dialog, version } = await begin('slow', 'Hello');
    await page.clock.fastForward(20_000);
    await dialog.getByText('Publish although not all sample data is checked?').waitFor();
    t.equal(await version(), null);
    await dialog.getByRole('button', { name: 'Publish all the same' }).click();
    await dialog.getByText('Version 1 is public').waitFor();
    await page.context().close();
  });

  t.test(
    'a set that the service fails to draw is asked for six times, and not awaited',
    async (t) => {
      const uid = 'failing-set';
      const text = 'Hello {{name}}';
      const layers = [{ id: 'a', type: 'text' as const, ...box, fontSize: 3, text }];
      await client.createTemplate(
        { format: 1, name: 'Failing', ...size, variables, layers },
        { uid },
      );
      const page = await (await studioContext(browser)).newPage();
      await page.clock.install();
      const asked: string[] = [];
      await page.route('**/v1/preview', async (route, request) => {
        const { quality, values } = request.postDataJSON() as { quality?: 1; values: object };
        const set = JSON.stringify(values);
        // The canvas can give the image of the defaults.
        const isOther = set === '{}' || set !== (asked[0] ?? set);
        if (quality === undefined || isOther) return route.continue();
        asked.push(set);
        return route.fulfill({ status: 500, json: { error: { message: 'Broken' } } });
      });
      await page.goto(`${base}/studio#/t/${uid}`);
      await page.locator('.samples-state', { hasText: /^1 of \d not drawn$/ }).waitFor();
      await page.keyboard.press('Control+Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByText('Publish although not all sample data is checked?').waitFor();
      await dialog.getByRole('button', { name: 'Publish all the same' }).click();
      await dialog.getByText('Version 1 is public').waitFor();
      await page.keyboard.press('Escape');

      await advance(page, 1000, () => asked.length >= 6);
      await page.clock.runFor(600_000);
      await page.getByLabel('Name of the template').fill('Changed');
      await page.keyboard.press('Enter');
      await page.getByText('Drawing …').waitFor();
      await page.clock.runFor(1000);
      await page.locator('.samples-state', { hasText: 'not drawn' }).waitFor();
      t.ok(asked.length >= 7, 'a change asks again');
      t.ok(asked.length <= 8, `${asked.length} requests`);
      await page.context().close();
    },
  );

  t.test('a set is drawn after an outage, however long', async (t) => {
    const uid = 'long-outage';
    const text = 'Hello {{name}}';
    const layers = [{ id: 'a', type: 'text' as const, ...box, fontSize: 3, text }];
    await client.createTemplate({ format: 1, name: 'Outage', ...size, variables, layers }, { uid });
    const page = await (await studioContext(browser)).newPage();
    await page.clock.install();
    const asked: string[] = [];
    let isOut = true;
    await page.route('**/v1/preview', async (route, request) => {
      const { quality } = request.postDataJSON() as { quality?: 1 };
      if (quality === undefined) return route.continue();
      asked.push('set');
      if (!isOut) return route.continue();
      return asked.length % 2 === 0
        ? route.abort()
        : route.fulfill({ status: 502, body: 'Bad gateway' });
    });
    await page.goto(`${base}/studio#/t/${uid}`);
    await page.locator('.samples-state', { hasText: 'not drawn' }).waitFor();
    await advance(page, 10_000, () => asked.length >= 12);
    isOut = false;
    const askedInOutage = asked.length;
    await advance(page, 10_000, () => asked.length > askedInOutage);
    // The service draws in real time.
    await page.locator('.samples-state:not(:text("not drawn"))').waitFor();
    t.equal(await page.locator('.preset img').count(), await page.locator('.preset').count());
    await page.context().close();
  });

  t.test('a dialog that is closed meanwhile publishes nothing', async (t) => {
    const { page, dialog, version, release } = await begin('closed', 'Hello');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.locator('.samples[aria-busy="false"]').waitFor();
    await page.keyboard.press('Control+Enter');
    await publishDraft(page);
    await dialog.getByText('Version 1 is public').waitFor();
    t.equal(await version(), 1, 'only the second time');
    await page.context().close();
  });
});

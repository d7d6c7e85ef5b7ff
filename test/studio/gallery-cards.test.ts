/** The gallery in a browser: its cards, and several templates at once. */
import t from 'tap';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const { base } = skipsPages === false ? await shareService() : { base: '' };

async function call(method: string, path: string, body: unknown = {}): Promise<void> {
  const headers = { 'X-API-Key': demoKey };
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

function card(name: string): object {
  const size = { width: 200, height: 80, background: '#ffffff' };
  return { format: 1, name, ...size, variables: [], layers: [] };
}

t.test(
  'a card says whether links show the template, and its draft',
  { skip: skipsPages },
  async (t) => {
    await call('POST', '/v1/templates?uid=card-draft', card('Draft card'));
    await call('POST', '/v1/templates?uid=card-live', card('Live card'));
    await call('POST', '/v1/templates/card-live/publish');
    await call('POST', '/v1/templates?uid=card-changed', card('Changed card'));
    await call('POST', '/v1/templates/card-changed/publish');
    await call('PUT', '/v1/templates/card-changed', card('Changed again'));
    await call('POST', '/v1/templates?uid=card-schema', card('Schema card'));
    await call('POST', '/v1/templates/card-schema/publish');
    const $schema = 'https://platen.example.com/template.schema.json';
    await call('PUT', '/v1/templates/card-schema', { $schema, ...card('Schema card') });
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio`);
    await page.getByLabel('Search by name or uid').fill('card-');
    const state = (uid: string): Promise<string> =>
      page.locator(`[data-uid="${uid}"] .card-state`).innerText();
    t.equal(await state('card-draft'), 'Draft');
    t.equal(await state('card-live'), 'Live');
    t.match(await state('card-changed'), /^Live · .*unpublished change/);
    await page.getByLabel('State').selectOption('changed');
    const shown = page.locator('.template-card');
    // A draft with another `$schema` has no change, as its card says.
    await page.locator('[data-uid="card-schema"]').waitFor({ state: 'detached' });
    t.same(await shown.evaluateAll((cards) => cards.map((each) => each.getAttribute('data-uid'))), [
      'card-changed',
    ]);
    t.same(complaints, []);
  },
);

/** Enough cards to fill more than the window and the margin in which cards load. */
const fillingCards = 36;

t.test(
  'a card in sight has the number of its unpublished changes, and no other card asks for it',
  { skip: skipsPages },
  async (t) => {
    const names = Array.from({ length: fillingCards }, (_, index) => `filler-${index}`);
    for (const uid of ['far', ...names, 'near']) {
      await call('POST', `/v1/templates?uid=count-${uid}`, card(`Count ${uid}`));
      if (uid === 'near' || uid === 'far') {
        await call('POST', `/v1/templates/count-${uid}/publish`);
        await call('PUT', `/v1/templates/count-${uid}`, { ...card(`Count ${uid}`), width: 210 });
      }
    }
    const bar = { id: 'bar', type: 'rect', x: 10, y: 10, width: 50, height: 20 };
    const variables = [{ name: 'city', type: 'text', value: 'Rome' }];
    const changed = { ...card('Count near'), width: 210, variables, layers: [bar] };
    await call('PUT', '/v1/templates/count-near', changed);
    // The third row begins below the window, and within the margin.
    const context = await studioContext(await startBrowser(t), 690);
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, uid] = /templates\/count-([^/]+)\/document/.exec(request.url()) ?? [];
      if (uid !== undefined) asked.push(uid);
    });
    const state = (uid: string, text: string): Promise<void> =>
      page
        .locator(`[data-uid="count-${uid}"] .card-state`)
        .getByText(text, { exact: true })
        .waitFor();
    await page.goto(`${base}/studio`);
    await page.getByLabel('Search by name or uid').fill('count-');
    await state('near', 'Live · 3 unpublished changes');
    // Meanwhile a card that did not wait for its turn would have asked.
    await page.locator('[data-uid="count-filler-26"] img').waitFor();
    await state('far', 'Live · unpublished changes');
    t.same(asked, ['near', 'near']);
    // A card below the edge of what is in sight is drawn before it comes into sight.
    await page.waitForFunction(() =>
      Array.from(document.querySelectorAll<HTMLElement>('.template-card .thumbnail')).some(
        (each) =>
          each.getBoundingClientRect().top > innerHeight && each.dataset['state'] === 'drawn',
      ),
    );

    await page.locator('[data-uid="count-far"]').scrollIntoViewIfNeeded();
    await state('far', 'Live · 1 unpublished change');
    await page.locator('[data-uid="count-near"] .card-open').click();
    await page.locator('.version', { hasText: '3 unpublished changes' }).waitFor();
    asked.length = 0;
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByLabel('Search by name or uid').fill('count-');
    await state('near', 'Live · 3 unpublished changes');
    t.same(asked, [], 'the page keeps what it counted');

    await call('POST', '/v1/templates/count-near/publish');
    await page.reload();
    await page.getByLabel('Search by name or uid').fill('count-');
    await state('near', 'Live');
    t.same(asked, [], 'a card without changes asks nothing');
    t.same(complaints, []);
  },
);

t.test(
  'a card whose changes cannot be counted says that there are some',
  { skip: skipsPages },
  async (t) => {
    await call('POST', '/v1/templates?uid=uncounted', card('Uncounted'));
    await call('POST', '/v1/templates/uncounted/publish');
    await call('PUT', '/v1/templates/uncounted', card('Uncounted again'));
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.route('**/v1/templates/uncounted/document*', (route) => route.abort());
    await page.goto(`${base}/studio`);
    const failed = page.waitForEvent('requestfailed');
    await page.getByLabel('Search by name or uid').fill('uncounted');
    await failed;
    await page
      .locator('[data-uid="uncounted"] .card-state')
      .getByText('Live · unpublished changes', { exact: true })
      .waitFor();
    t.same(complaints, []);
  },
);

t.test(
  'a template that is too large for a file of its size has a smaller image, and no wrong size',
  { skip: skipsPages },
  async (t) => {
    // Other tests see all templates, and a request that is refused is an error of their page.
    await call('POST', '/v1/templates?uid=large-card', card('Large card'));
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    await page.route('**/v1/preview', async (route) => {
      const { uid, scale } = route.request().postDataJSON() as { uid?: string; scale?: number };
      const isRefused = uid === 'large-card' && scale === undefined;
      await (isRefused ? route.fulfill({ status: 400, json: { error: {} } }) : route.continue());
    });
    await page.goto(`${base}/studio`);
    await page.getByLabel('Search by name or uid').fill('large-');
    const shown = page.locator('[data-uid="large-card"]');
    await shown.locator('.thumbnail img').waitFor();
    t.equal(
      await shown.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
      50,
    );
    t.notMatch(await shown.innerText(), /50 × 20/);
  },
);

t.test('templates are moved, tagged and archived together', { skip: skipsPages }, async (t) => {
  for (const name of ['one', 'two']) {
    await call('POST', `/v1/templates?uid=many-${name}`, card(`Many ${name}`));
  }
  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio`);
  await page.getByLabel('Search by name or uid').fill('many-');
  const bar = page.getByRole('region', { name: 'Selection' });
  const choose = async (): Promise<void> => {
    await page.getByLabel('Select Many one').check();
    await bar.getByRole('button', { name: 'Select all' }).click();
    await bar.getByText('2 templates selected').waitFor();
  };
  await choose();
  t.same(await accessibilityProblems(page), []);
  await bar.getByRole('button', { name: 'Move …' }).click();
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('Spring');
  await page.keyboard.press('Enter');
  await page.getByText('Moved 2 templates to Spring.').waitFor();
  await bar.getByText('2 templates selected').waitFor();
  await bar.getByRole('button', { name: 'Tag …' }).click();
  await page.locator('dialog input:focus').waitFor();
  t.same(await accessibilityProblems(page), []);
  const tags = page.getByLabel('Tags to add');
  await tags.fill(`vip, ${'a'.repeat(41)}`);
  await page.keyboard.press('Enter');
  t.equal(await page.locator('dialog input:invalid').count(), 1, 'a tag that is too long');
  await tags.fill('vip, email, a campaign of the spring, a campaign of the summer');
  await page.keyboard.press('Enter');
  await page
    .locator('[data-uid="many-two"] .card-labels', { hasText: 'Spring #vip #email' })
    .waitFor();
  await page.getByRole('button', { name: '#vip' }).click();
  await page.getByRole('button', { name: 'No folder' }).click();
  t.equal(await page.locator('.template-card').count(), 0, 'filters hold together');
  await page.getByRole('button', { name: 'All folders' }).click();
  await bar.getByText('2 templates selected').waitFor();
  await bar.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Archived 2 templates.').waitFor();
  await bar.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Archived', exact: true }).click();
  await choose();
  await bar.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored 2 templates').waitFor();
  t.same(complaints, []);
});

t.test(
  'the question before several templates are archived says when links last showed them',
  { skip: skipsPages },
  async (t) => {
    const names = Array.from({ length: 12 }, (_, index) => `used-${index + 1}`);
    for (const uid of names) {
      const name = uid === 'used-9' ? `Card ${uid} ${'long '.repeat(30)}` : `Card ${uid}`;
      await call('POST', `/v1/templates?uid=${uid}`, card(name));
      await call('POST', `/v1/templates/${uid}/publish`);
    }
    await call('POST', '/v1/templates?uid=used-draft', card('Card used-draft'));
    const headers = { 'X-API-Key': demoKey };
    for (const uid of ['used-5', 'used-9']) {
      await fetch(`${base}/v1/render/${uid}`, { headers });
      // Reading them writes the time.
      await fetch(`${base}/v1/templates/${uid}/statistics`, { headers });
    }
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/studio`);
    await page.getByLabel('Search by name or uid').fill('used-');
    await page.getByLabel('Select Card used-1', { exact: true }).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByRole('button', { name: 'Select all' }).click();
    await bar.getByRole('button', { name: 'Archive' }).click();
    const question = page.getByRole('dialog', { name: 'Archive 13 templates?' });
    await question.getByText('Published of these: 12.').waitFor();
    await question.locator('[aria-busy="false"]').waitFor();
    const lines = await question.getByRole('listitem').allInnerTexts();
    t.equal(lines.length, 10);
    t.match(lines[0], /^Card used-9 [long ]+\s+(just now|.* seconds? ago)$/);
    t.match(lines[1], /^Card used-5\s+(just now|.* seconds? ago)$/);
    for (const line of lines.slice(2)) t.match(line, /^Card used-\d+\s+never$/);
    await question.getByText('and 2 more').waitFor();
    t.ok(await question.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth));
    t.same(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    t.equal(await page.locator('.template-card').count(), 13);
    t.same(complaints, []);
  },
);

t.test(
  'the reason that a file is refused is seen without scrolling',
  { skip: skipsPages },
  async (t) => {
    const context = await studioContext(await startBrowser(t));
    const page = await context.newPage();
    await page.goto(`${base}/studio`);
    await page.getByRole('button', { name: 'New template' }).click();
    await page.setInputFiles('.drop-zone input:enabled', {
      name: 'brochure.pdf',
      mimeType: 'image/png',
      buffer: Buffer.from('%PDF-1.4'),
    });
    const { y = 720 } = (await page.getByRole('dialog').getByRole('alert').boundingBox()) ?? {};
    t.ok(y < 680);
  },
);

t.test('a blank template gets a free name', { skip: skipsPages }, async (t) => {
  await call('POST', '/v1/templates?uid=blank-square', card('Square'));
  const page = await (await studioContext(await startBrowser(t))).newPage();
  await page.goto(`${base}/studio`);
  await page.locator('[data-uid="blank-square"]').waitFor();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('button', { name: /^Square 1080/ }).click();
  await page.waitForSelector('.canvas-sheet img');
  t.match(await page.inputValue('.name-field'), /^Square \d+$/);
});

/** The values of a link are edited by the kind of their variable, on the Share page and on a phone. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateDocument } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const line = { type: 'text', x: 20, width: 360, height: 24, fontSize: 16 };
const photo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A document that shows a variable of each kind. */
const kinds: TemplateDocument = {
  format: 1,
  name: 'A banner of the spring sale for all new members of the club in the north',
  width: 400,
  height: 300,
  background: '{{ground}}',
  sizes: [{ name: 'story', width: 200, height: 400 }],
  variables: [
    { name: 'who', type: 'text', value: 'Ann', maxLength: 5 },
    { name: 'price', type: 'number', value: '12', min: 0, max: 100 },
    { name: 'member', type: 'boolean', value: 'true' },
    { name: 'until', type: 'date', value: '2026-12-31' },
    { name: 'starts', type: 'date', value: '2026-11-27T18:30+01:00' },
    { name: 'ground', type: 'color', value: '#ffffff' },
    { name: 'photo', type: 'image', value: '' },
    {
      name: 'items',
      type: 'list',
      fields: [
        { name: 'title', type: 'text', value: 'New' },
        { name: 'tint', type: 'color', value: '#000000' },
      ],
      value: [{ title: 'Tea' }, { title: 'Mug' }],
    },
  ],
  layers: [
    { ...line, id: 'a', y: 10, text: '{{who}} {{price}} {{until}} {{starts}}' },
    {
      ...line,
      id: 'b',
      y: 40,
      text: 'Member',
      visibleWhen: [{ variable: 'member', equals: 'true' }],
    },
    { id: 'c', type: 'image', x: 340, y: 40, width: 40, height: 40, src: '{{photo}}' },
    {
      id: 'd',
      type: 'stack',
      x: 20,
      y: 80,
      width: 300,
      height: 'hug',
      repeat: { list: 'items' },
      layers: [
        {
          type: 'text',
          width: 300,
          height: 24,
          fontSize: 16,
          id: 'e',
          text: '{{item.title}}',
          fill: '{{item.tint}}',
        },
      ],
    },
  ],
};

async function publishKinds(base: string, uid: string): Promise<void> {
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await client.createTemplate(kinds, { uid });
  await client.publishTemplate(uid);
}

/** Acts, and waits until the image at a selector is another one. */
async function changesImage(
  page: Page,
  selector: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const before = await page.getAttribute(selector, 'src');
  await act();
  await page.waitForFunction(
    ([at = '', src = '']) => {
      const now = globalThis.document.querySelector(at)?.getAttribute('src') ?? src;
      return now !== src;
    },
    [selector, before ?? ''],
  );
}

t.test('Share has a field for each kind of value', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  await publishKinds(base, 'kinds');
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/kinds`);
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  await page.waitForSelector('.share-image img');
  const share = page.getByRole('dialog', { name: 'Share' });
  const link = async (): Promise<string> =>
    (await page.textContent('.share-main .copy-text code')) ?? '';
  const query = async (): Promise<string> => new URL(await link()).search;
  const value = (name: string) => share.getByRole('group', { name: `Value of ${name}` });
  const field = (name: string) => share.getByLabel(name, { exact: true }).first();
  const follows = (act: () => Promise<unknown>): Promise<void> =>
    changesImage(page, '.share-image img', act);
  t.equal(await query(), '');
  t.same(await accessibilityProblems(page), []);

  const steps: Array<[name: string, act: () => Promise<unknown>, expected: string]> = [
    ['who', () => field('who').fill('Bea'), '?who=Bea'],
    ['price', () => field('price').fill('7.5'), '?price=7.5'],
    ['member', () => field('member').uncheck(), '?member=false'],
    ['until', () => field('until').fill('2027-01-03'), '?until=2027-01-03'],
    [
      'starts',
      async () => {
        await share.getByLabel('Time of starts').focus();
        await page.keyboard.type('0915AM');
      },
      '?starts=2026-11-27T09%3A15%2B01%3A00',
    ],
    ['ground', () => field('ground').fill('#ffcc00'), '?ground=%23ffcc00'],
    [
      'photo',
      async () => {
        await page.evaluate((text) => navigator.clipboard.writeText(text), photo);
        await field('photo').press('Control+V');
      },
      `?photo=${encodeURIComponent(photo)}`,
    ],
  ];
  for (const [name, act, expected] of steps) {
    await t.test(name, async (t) => {
      await changesImage(page, '.share-code-image img', () => follows(act));
      t.equal(await query(), expected);
      const html = (await page.textContent('.share-snippets .copy-text code')) ?? '';
      t.match(html, expected.slice(1), 'the snippet has it');
      await follows(() => share.getByLabel(`Use the default of ${name}`).click());
      t.equal(await query(), '', 'the default is left out');
    });
  }
  t.equal(await field('member').getAttribute('role'), 'switch');
  t.equal(await field('until').getAttribute('type'), 'date');
  await field('member').uncheck();
  await field('member').check();
  t.equal(await query(), '', 'a value that is the default is left out');
  for (const [name, typed, expected, limit] of [
    ['who', 'Too long', '?who=Too+l', 'The limit is at most 5 characters.'],
    ['price', '150', '?price=15', 'The limit is 0 to 100.'],
  ] as const) {
    await t.test(`a value of ${name} over its limit stays in its field`, async (t) => {
      await field(name).focus();
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
      await value(name).getByText(limit).waitFor();
      t.equal(await field(name).inputValue(), typed);
      t.equal(await field(name).getAttribute('aria-invalid'), 'true');
      const described = (await field(name).getAttribute('aria-describedby')) ?? '';
      t.equal(await page.locator(`[id="${described}"]`).textContent(), limit);
      t.equal((await query()).replace('%20', '+'), expected, 'the link keeps what fits');
      t.same(await accessibilityProblems(page), []);
      await share.getByLabel(`Use the default of ${name}`).click();
      t.equal(await field(name).inputValue(), '');
      t.equal(await query(), '');
    });
  }

  await t.test('a text that is no colour stays in its field', async (t) => {
    const reason = 'Write a colour, such as #ff8800.';
    await field('ground').fill('nearly red');
    await field('ground').press('Tab');
    await value('ground').getByText(reason).waitFor();
    t.equal(await field('ground').inputValue(), 'nearly red');
    t.equal(await field('ground').getAttribute('aria-invalid'), 'true');
    const described = (await field('ground').getAttribute('aria-describedby')) ?? '';
    t.equal(await page.locator(`[id="${described}"]`).textContent(), reason);
    t.equal(await query(), '', 'the link does not get it');
    t.same(await accessibilityProblems(page), []);
    await field('ground').fill('#ffcc00');
    await value('ground').getByText(reason).waitFor({ state: 'detached' });
    t.equal(await query(), '?ground=%23ffcc00');
    await share.getByLabel('Use the default of ground').click();
    t.equal(await query(), '');
  });

  await t.test('rows of a list', async (t) => {
    const rows = async (): Promise<unknown> =>
      JSON.parse(new URL(await link()).searchParams.get('items') ?? 'null');
    await follows(() => value('items').getByRole('button', { name: 'Item', exact: true }).click());
    await follows(() => share.getByLabel('Item 3: title').fill('Cup'));
    t.match(await rows(), [{ title: 'Tea' }, { title: 'Mug' }, { title: 'Cup' }]);
    t.same(await accessibilityProblems(page), []);
    await follows(() => share.getByRole('button', { name: 'Move item 1 down' }).click());
    await follows(() => share.getByRole('button', { name: 'Delete item 3' }).click());
    t.match(await rows(), [{ title: 'Mug' }, { title: 'Tea' }]);
    await share.getByRole('button', { name: 'Delete item 2' }).click();
    t.equal(
      await share.getByRole('button', { name: /^Delete item/ }).count(),
      0,
      'without items a link would show those of the default',
    );
    await follows(() => share.getByLabel('Use the default of items').click());
    t.equal(await query(), '');
  });

  await t.test('the dark value has the field of its variable', async (t) => {
    await share.getByLabel('In dark mode').selectOption('ground');
    await share.getByLabel('Dark value of ground', { exact: true }).fill('#111111');
    t.match(await page.textContent('.share-snippets .copy-text code'), 'ground=%23111111');
    t.same(await accessibilityProblems(page), []);
  });

  await share.getByRole('button', { name: 'Copy curl' }).scrollIntoViewIfNeeded();
  const { y: top = -1 } = (await page.locator('.share-image img').boundingBox()) ?? {};
  t.ok(top >= 0, 'the image stays in sight');
  t.same(complaints, []);
  await page.close();
});

t.test('a phone has the same fields, the sizes and the link', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  await publishKinds(base, 'phone-kinds');
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const complaints = watchPage(page, base);
  const isWithin = (): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= 390');
  await page.goto(`${base}/studio#/`);
  await page.getByLabel('Search by name or uid').fill('phone-kinds');
  const card = page.locator('[data-uid="phone-kinds"]');
  await card.hover();
  await card.getByRole('button', { name: /^Copy link/ }).click();
  await page.getByText(/^Copied the link of/).waitFor();
  t.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    `${base}/v1/render/phone-kinds.png`,
  );
  await card.getByRole('heading').click();
  const image = '.narrow-image img';
  await page.waitForSelector(image);
  const title = page.getByRole('banner').getByRole('heading');
  const lines = await title.evaluate(({ clientHeight }) => clientHeight);
  t.ok(lines > 30 && lines < 40, `the name has two lines: ${lines} px`);

  const follows = (act: () => Promise<unknown>): Promise<void> => changesImage(page, image, act);
  const side = (): Promise<number> =>
    page.locator(image).evaluate(async (element: HTMLImageElement) => {
      await element.decode();
      return element.naturalWidth / element.naturalHeight;
    });
  await follows(() => page.getByLabel('Size that is shown').selectOption('story'));
  t.equal(await side(), 0.5);
  await follows(() => page.getByLabel('Preview with as price').fill('7'));
  await follows(() => page.getByLabel('Preview with as until').fill('2027-01-03'));
  const ground = page.getByLabel('Preview with as ground');
  await ground.fill('nearly red');
  await ground.blur();
  await page.getByText('Write a colour, such as #ff8800.').waitFor();
  t.equal(await ground.inputValue(), 'nearly red', 'no request gets it');
  const items = page.getByRole('region', { name: 'items' });
  await follows(() => items.getByRole('button', { name: 'Item', exact: true }).click());
  await items.getByLabel('Item 3: title').scrollIntoViewIfNeeded();
  t.same(await accessibilityProblems(page), []);
  t.ok(await isWithin(), 'the values');
  const [ofItem, ofPrice] = await Promise.all(
    [items.getByLabel('Item 3: title'), page.getByLabel('Preview with as price')].map((field) =>
      field.evaluate((each) => each.getBoundingClientRect().right),
    ),
  );
  t.equal(ofItem, ofPrice, 'fields of items are as wide as others');
  for (const end of [0, 100_000]) {
    await page.locator('.narrow-editor').evaluate((main, y) => main.scrollTo(0, y), end);
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    const { y = 0, height = 0 } = (await publish.boundingBox()) ?? {};
    t.ok(y > 700 && y + height <= 844, 'the bar stays at the bottom');
  }
  const last = await items.getByRole('button', { name: 'Item', exact: true }).boundingBox();
  t.ok((last?.y ?? 844) < 780, 'the bar covers no field');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.waitForSelector('.share-image img');
  t.match(
    await page.textContent('.share-main .copy-text code'),
    /\?price=7&until=2027-01-03&items=/,
    'the values are shared with the preview',
  );
  t.ok(await isWithin(), 'sharing');
  t.same(await accessibilityProblems(page), []);
  t.same(complaints, []);
  await page.close();
});

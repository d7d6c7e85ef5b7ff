/** Share in a browser: the values of a link by the kind of their variable, what is copied, and signatures. */
import t from 'tap';
import { eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { stack, text } from './built-layers.ts';
import { listOf } from './documents.ts';
import { openStudio } from './open-studio.ts';

const line = { type: 'text', x: 20, width: 360, height: 24, fontSize: 16 };
const photo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const list = { x: 20, y: 80, width: 300, repeat: { list: 'items' } };

/** A document that shows a variable of each kind. */
const kinds = {
  name: 'A banner of the spring sale for all new members of the club in the north',
  background: '{{ground}}',
  sizes: [{ name: 'story', width: 200, height: 400 }],
  variables: [
    { name: 'who', type: 'text', value: 'Ann', maxLength: 20 },
    { name: 'price', type: 'number', value: '12', min: 0, max: 100 },
    { name: 'member', type: 'boolean', value: 'true' },
    { name: 'until', type: 'date', value: '2026-12-31' },
    { name: 'ground', type: 'color', value: '#ffffff' },
    { name: 'photo', type: 'image', value: '' },
    listOf('items', { title: ['text', 'New'], count: ['number', '1'] }, [
      { title: 'Tea' },
      { title: 'Mug' },
    ]),
  ],
  layers: [
    { ...line, id: 'a', y: 10, text: '{{who}} {{price}} {{until}}' },
    { ...line, id: 'b', y: 40, text: 'In', visibleWhen: { variable: 'member', equals: 'true' } },
    { id: 'c', type: 'image', x: 340, y: 40, width: 40, height: 40, src: '{{photo}}' },
    stack('d', [text('e', '{{item.title}} {{item.count}}', { width: 300, height: 24 })], list),
  ],
};

t.test('Share in a browser', { skip: skipsPages }, async (t) => {
  const studio = await openStudio(await startBrowser(t), await shareService());
  const { page } = studio;
  const share = page.getByRole('dialog', { name: 'Share' });
  const field = (name: string) => share.getByLabel(name, { exact: true }).first();
  const imageIsNew = share.locator('.share-image[data-old="false"] img');
  const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  const html = (): Promise<string | null> => share.locator('[aria-label="HTML"]').textContent();
  const query = async (): Promise<string> =>
    new URL(await share.locator('.share-main .copy-text code').first().innerText()).search;
  const open = async (uid: string): Promise<void> => {
    await studio.show(`#/t/${uid}`);
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
    await share.locator('.share-image img').waitFor();
  };
  await studio.publish('kinds', kinds);

  t.test('each kind of value has a field, and the link has what is typed', async (t) => {
    await open('kinds');
    t.equal(await query(), '');
    t.same(await accessibilityProblems(page), []);
    await page.evaluate((address) => navigator.clipboard.writeText(address), photo);
    const steps: Array<[name: string, act: () => Promise<unknown>, expected: string]> = [
      ['who', () => field('who').fill('Bea'), '?who=Bea'],
      ['price', () => field('price').fill('7.5'), '?price=7.5'],
      ['member', () => field('member').uncheck(), '?member=false'],
      ['until', () => field('until').fill('2027-01-03'), '?until=2027-01-03'],
      ['ground', () => field('ground').fill('#ffcc00'), '?ground=%23ffcc00'],
      ['photo', () => field('photo').press('Control+V'), `?photo=${encodeURIComponent(photo)}`],
    ];
    for (const [name, act, expected] of steps) {
      const before = await share.locator('.share-image img').getAttribute('src');
      await act();
      await imageIsNew.and(page.locator(`:not([src="${before}"])`)).waitFor();
      t.equal(await query(), expected);
      t.match(await html(), expected.slice(1), 'the snippet has it');
      await share.getByLabel(`Use the default of ${name}`).click();
      t.equal(await query(), '', `the default of ${name} is left out`);
    }
    t.equal(await field('member').getAttribute('role'), 'switch');
    t.equal(await field('until').getAttribute('type'), 'date');
    await field('member').uncheck();
    await field('member').check();
    t.equal(await query(), '', 'a value that is the default is left out');
    await share.getByLabel('In dark mode').selectOption('ground');
    await share.getByLabel('Dark value of ground', { exact: true }).fill('#111111');
    t.match(await html(), 'ground=%23111111', 'the dark value has the field of its variable');
    await share.getByRole('button', { name: 'Copy curl' }).scrollIntoViewIfNeeded();
    const { y = -1 } = (await share.locator('.share-image img').boundingBox()) ?? {};
    t.ok(y >= 0, 'the image stays in sight');
    t.same(studio.complaints(), []);
  });

  t.test('rows of a list are a value, which is never empty', async (t) => {
    const titles = async (): Promise<unknown> => {
      const items = new URLSearchParams(await query()).get('items') ?? '[]';
      return (JSON.parse(items) as Array<{ title: string }>).map(({ title }) => title);
    };
    const press = (name: string) => share.getByRole('button', { name, exact: true }).click();
    await press('Item');
    await share.getByLabel('Item 3: title').fill('Cup');
    t.same(await titles(), ['Tea', 'Mug', 'Cup']);
    await press('Move item 1 down');
    await press('Delete item 3');
    t.same(await titles(), ['Mug', 'Tea']);
    await press('Delete item 2');
    // Without items a link would show those of the default.
    t.equal(await share.getByRole('button', { name: /^Delete item/ }).count(), 0);
    await share.getByLabel('Use the default of items').click();
    t.equal(await query(), '');
    t.same(studio.complaints(), []);
  });

  t.test('nothing of Share can be used while a value is refused', async (t) => {
    const actions = share.locator('.copy-head > :is(button, a), .share-code > a');
    /** Waits until all of the actions are off, or all on. */
    const areOff = (isOff: boolean): Promise<void> => {
      const exception = actions.and(share.locator(`[aria-disabled="${!isOff}"]`));
      return exception.first().waitFor({ state: 'detached' });
    };
    await field('who').fill('Maria');
    await areOff(false);
    await share.locator('[data-old="true"]').first().waitFor({ state: 'detached' });
    const { y: before } = (await field('who').boundingBox()) ?? {};
    await field('who').fill('x'.repeat(21));
    await areOff(true);
    t.equal((await field('who').boundingBox())?.y, before, 'the field stays where it is');
    for (const part of ['.copy-text', '.share-image', '.share-code-image']) {
      t.equal(await share.locator(part).first().getAttribute('data-old'), 'true', part);
    }
    const copy = share.getByRole('button', { name: 'Copy Link' });
    const reason = share.getByText('The link is without the typed who. The limit is at most 20');
    t.equal(await reason.getAttribute('id'), await copy.getAttribute('aria-describedby'));
    const image = share.locator('a', { hasText: 'Open the image' });
    t.equal(await image.getAttribute('href'), null);
    t.equal(await share.locator('.share-code > a').getAttribute('href'), null);
    t.same(await accessibilityProblems(page), []);
    await page.evaluate("navigator.clipboard.writeText('nothing')");
    await copy.click({ force: true });
    t.equal(await clipboard(), 'nothing', 'the link of another person is not copied');
    await field('who').fill('x'.repeat(20));
    await areOff(false);
    await copy.click();
    t.match(await clipboard(), `?who=${'x'.repeat(20)}`);
    await share.getByLabel('Use the default of who').click();

    for (const [name, typed, part, limit, whole] of [
      ['who', 'Too long for every link', '?who=Too%20long%20for%20every%20l', 'at most 20', 'B'],
      ['price', '150', '?price=15', '0 to 100', '7'],
      ['ground', 'nearly red', '', 'Write a colour, such as #ff8800.', '#ffcc00'],
      ['Item 1: count', 'many', '', 'Write a number', '3'],
    ] as const) {
      await field(name).selectText();
      await page.keyboard.type(typed);
      // A number shows its problem only when it is left, but the link never has it.
      if (name !== 'ground') await areOff(true);
      await page.keyboard.press('Tab');
      await areOff(true);
      await share.getByText(`The link is without the typed ${name}.`).waitFor();
      t.equal(await field(name).inputValue(), typed, 'the field keeps it');
      t.equal(await field(name).getAttribute('aria-invalid'), 'true');
      const described = (await field(name).getAttribute('aria-describedby')) ?? '';
      t.match(await page.locator(`[id="${described}"]`).textContent(), limit);
      t.equal(await query(), part, 'the link has what fits');
      await field(name).fill(whole);
      await areOff(false);
      await share.getByLabel(`Use the default of ${name.replace(/^Item.*/, 'items')}`).click();
    }
    t.same(studio.complaints(), []);
    await page.keyboard.press('Escape');
  });

  t.test('nothing in Share moves while one types', async (t) => {
    const [who, , , , , portrait] = kinds.variables;
    await studio.publish('still', {
      variables: [{ ...who, maxLength: 120 }, portrait],
      layers: [{ ...line, id: 'a', y: 10, text: '{{who}}' }, kinds.layers[2]],
    });
    let held = Promise.withResolvers<void>();
    await page.route('**/v1/preview', async (route) => {
      await held.promise;
      await route.continue();
    });
    /** Where the parts of Share are. */
    const boxes = (): Promise<string[]> =>
      share
        .locator('.share-main > *, .share-value, .copy-text, .share-side > *, .share-code > *')
        .evaluateAll((parts) => parts.map((part) => JSON.stringify(part.getBoundingClientRect())));
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 720 });
      held = Promise.withResolvers();
      await studio.show('#/t/still');
      await page.getByRole('button', { name: 'Share' }).click();
      await field('who').fill('');
      const before = await boxes();
      held.resolve();
      await share.locator('.share-image img').waitFor();
      await share.locator('.share-code-image img').waitFor();
      t.same(await boxes(), before, `${width} px: the images arrive`);
      // A longer value would take a second line in its own field on a phone.
      for (const word of ['Maria ', 'Magdalena ', 'von Stein']) {
        await page.keyboard.type(word);
        t.same(await boxes(), before, `${width} px: ${word}`);
      }
      await share.locator('.share-code-image[aria-busy="false"] img').waitFor();
      t.same(await boxes(), before, `${width} px: the code of the last value`);
      await share.getByRole('button', { name: 'Copy Link' }).focus();
      await page.keyboard.press('Tab');
      const image = share.locator('a:focus', { hasText: 'Open the image' });
      t.match(await image.getAttribute('href'), '/still.png?who=Maria%20Magdalena');
      await page.keyboard.press('Escape');
      await page.reload();
    }
    await page.unroute('**/v1/preview');
    await page.setViewportSize({ width: 1280, height: 720 });
    t.same(studio.complaints(), []);
  });

  t.test('Share says what its link and its code are for, and lack', async (t) => {
    await open('still');
    await field('who').fill('');
    await share.locator('.share-code-image img').waitFor();
    t.equal(await share.getByRole('link', { name: 'Download QR code (PNG)' }).count(), 1);
    const width = share.getByLabel('Width, px');
    await width.fill('3000');
    await width.blur();
    t.equal(await width.inputValue(), '400', 'the code has no wider image');
    await width.fill('200');
    t.match(await html(), 'width="200"');
    const example = share.getByText('This is the link of one reader, as an example');
    t.equal(await example.count(), 0);
    await field('who').fill('Maria');
    await example.waitFor();
    await share.getByLabel('For an email service').selectOption({ index: 1 });
    await share.getByText('The code leaves out photo: every reader sees the default.').waitFor();
    t.equal(await example.count(), 0, 'the link has a tag');
    await page.keyboard.press('Escape');
    const hint = share.getByText('The link shows the animation as a still image in PNG.');
    const animation = { type: 'values', frames: [{ values: { who: 'Bea' }, seconds: 1 }] };
    for (const format of ['png', 'gif']) {
      await studio.publish(`moves-${format}`, { ...kinds, animation, output: { format } });
      await open(`moves-${format}`);
      t.equal(await hint.count(), format === 'png' ? 1 : 0, format);
      await share.locator('[type="file"]').first().dispatchEvent('cancel', { bubbles: true });
      t.ok(await share.isVisible(), 'a cancelled chooser of files leaves the dialog open');
      await page.keyboard.press('Escape');
    }
    t.same(studio.complaints(), []);
  });

  t.test('the access of all versions is changed apart from them', async (t) => {
    const press = (name: string): Promise<void> =>
      share.getByRole('button', { name, exact: true }).click();
    const document = await studio.publish('accessed', { linkOptions: ['format', 'scale'] });
    await studio.client.updateTemplate('accessed', { ...document, linkOptions: [] });
    await open('accessed');
    await press('Access');
    await field('Format').waitFor();
    t.equal(await field('Format').isChecked(), true, 'as in force, not as in the draft');
    t.same(await accessibilityProblems(page), []);
    await share.getByLabel('Who may open links').selectOption('key');
    await field('Scale').setChecked(false);
    await press('Save the access');
    await share.getByText('Saved: links follow now.').waitFor();
    const access = { linkAuth: 'key', linkOptions: ['format'], atZero: 'stay' };
    t.same((await studio.client.getTemplate('accessed')).access, access);
    await press('Changes');
    await share.getByRole('button', { name: 'Nothing to publish' }).waitFor();
    await press('Link');
    await share.getByText('because they need an API key').waitFor();
    t.same(studio.complaints(), []);
  });

  t.test('a phone has the same fields, the sizes and the link', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await studio.publish('phone', kinds);
    await studio.show('#/t/phone');
    const image = page.locator('.narrow-image img');
    await page.getByLabel('Size that is shown').selectOption('story');
    const ratio = (): Promise<number> =>
      image.evaluate((each: HTMLImageElement) => each.naturalHeight / each.naturalWidth);
    t.ok(await eventually(async () => (await ratio()) === 2));
    await page.getByLabel('Preview with as price').fill('7');
    const items = page.getByRole('region', { name: 'items' });
    const add = items.getByRole('button', { name: 'Item', exact: true });
    await add.click();
    await items.getByLabel('Item 3: title').scrollIntoViewIfNeeded();
    t.same(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    await page.locator('.narrow-editor').evaluate((main) => main.scrollTo(0, 100_000));
    const bar = await page.getByRole('button', { name: 'Publish', exact: true }).boundingBox();
    t.ok(bar !== null && bar.y > 700 && bar.y + bar.height <= 844, 'the bar is at the bottom');
    const { y = 844, height = 0 } = (await add.boundingBox()) ?? {};
    t.ok(y + height <= (bar?.y ?? 0), 'and covers no field');
    await page.getByRole('button', { name: 'Share' }).click();
    await share.locator('.share-image img').waitFor();
    t.match(await query(), /^\?price=7&items=/, 'the values are those of the preview');
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    t.same(studio.complaints(), []);
  });
});

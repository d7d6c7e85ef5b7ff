/** The way from the first page to the link: signing in, copying a sample, and a template made by keys alone. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { decodeImage, plainImage } from '../e2e/image-bytes.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { becomes, publishDraft, signIn } from './studio-page.ts';

/** Presses of Tab to one control at most. */
const tabsMax = 15;

/** Actions from the first page to the link: presses of keys, also of several together, typed texts and chosen files. */
const actionsMax = 60;

const sentence = 'Hi {{first_name}}, your seat is {{seat}}';

const photo = {
  name: 'face.png',
  mimeType: 'image/png',
  buffer: Buffer.from(await plainImage('#b4552d', 320, 240)),
};

/** Presses Tab, or Shift+Tab, until the control has the focus, and then Enter. */
async function press(control: Locator, chord: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const { keyboard } = control.page();
  await control.waitFor();
  for (let presses = 0; presses < tabsMax; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      return keyboard.press('Enter');
    }
    await keyboard.press(chord);
  }
  throw new Error(`${chord} does not reach ${control.toString()}`);
}

/** Runs a command of the palette. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search templates, layers' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function canvasBytes(page: Page): Promise<Buffer> {
  const url = await page.locator('.canvas-sheet img').getAttribute('src');
  return Buffer.from(url?.split(',')[1] ?? '', 'base64');
}

t.test('from the first page to the link', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });

  /** Whether the canvas comes to show the pixels of a link, whose file may have other bytes. */
  const showsLink = async (page: Page, target: string, waitMs?: number): Promise<boolean> => {
    const { data } = await decodeImage((await service.render(target)).body);
    const isShown = async () => data.equals((await decodeImage(await canvasBytes(page))).data);
    return eventually(isShown, waitMs);
  };

  t.test('a newcomer signs in, copies a sample, changes its text, and publishes', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${base}/studio`);
    await page.getByLabel('API key').fill('not a key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The service does not know this key').waitFor();

    const complaints = watchPage(page, base);
    await signIn(page, base);
    t.notMatch(page.url(), demoKey);
    const loaded = `document.fonts.ready.then((set) => [...set].filter((one) => one.status === 'loaded').map((one) => one.family))`;
    t.same(await page.evaluate(loaded), ['Inter', 'Fraunces'], 'the letters of the interface');

    await page.getByRole('button', { name: 'New template' }).click();
    const search = page.getByLabel('Search designs');
    await search.press('Enter');
    t.equal(await page.getByRole('dialog').count(), 1, 'an empty search begins nothing');
    await search.fill('hello');
    // Templates of other tests stand behind the samples.
    const hello = page.getByRole('button', { name: /^Hello 400/ });
    await page.locator('.design-list button').first().and(hello).waitFor();
    await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    t.equal(await page.locator('.new-template[aria-busy="false"]').count(), 1, 'nor a composition');
    await search.press('Enter');
    await page.locator('.canvas-sheet img').waitFor();
    const uid = new URL(page.url()).hash.replace('#/t/', '');
    t.not(uid, 'hello');

    await page.locator('.canvas-sheet').dblclick();
    await page.locator('.span-field').fill('Bonjour, {{name}}!');
    await page.keyboard.press('Escape');
    await becomes(page, 'saved');
    t.match(await client.getTemplateDocument(uid), { layers: [{ text: 'Bonjour, {{name}}!' }] });
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByLabel('Preview with as name').fill('Amanda');
    await page.getByRole('banner').getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await publishDraft(page);
    await dialog.getByText('Version 1 is public').waitFor();
    await page.keyboard.press('Escape');

    t.ok(await showsLink(page, `${uid}.png?name=Amanda`));
    t.notOk(await showsLink(page, `${uid}.png`, 1), 'the value is seen');
    t.same(complaints, []);
    await page.close();
  });

  t.test('the canvas shows the pixels of the link, whole or over a base render', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await signIn(page, base);
    for (const uid of ['event-ticket', 'welcome-banner']) {
      // Two addresses that differ behind their # would be one page.
      await page.goto('about:blank');
      await page.goto(`${base}/studio#/t/${uid}`);
      await page.getByRole('tab', { name: 'Variables' }).click();
      const field = page.getByLabel('Preview with as name');
      for (const name of ['Maximilian Alexander', 'Jo']) {
        const shown = await page.locator('.canvas-sheet img').getAttribute('src');
        await field.fill(name);
        await page.locator(`.canvas-sheet img:not([src="${shown}"])`).waitFor();
        t.ok(await showsLink(page, `${uid}?name=${encodeURIComponent(name)}`), uid);
      }
    }
    await page.close();
  });

  t.test('a newcomer makes a personal image with the keyboard alone', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(base);
    const complaints = watchPage(page, base);
    let actions = 0;
    page.on('filechooser', (chooser) => {
      actions += 1;
      void chooser.setFiles(photo);
    });
    page.on('response', (answer) => {
      const status = answer.status();
      if (status >= 400 && status !== 503) complaints.push(`${status} of ${answer.url()}`);
    });
    const { keyboard } = page;
    for (const method of ['press', 'type'] as const) {
      const act = keyboard[method].bind(keyboard);
      keyboard[method] = (keys) => {
        actions += 1;
        return act(keys);
      };
    }
    const dialog = page.getByRole('dialog');
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
    await press(page.getByRole('link', { name: 'Studio' }).first());
    await page.getByLabel('API key').waitFor();
    await keyboard.type(demoKey);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await command(page, 'New template');
    await press(page.getByRole('button', { name: /^Open Graph 1200/ }), 'Shift+Tab');

    await page.locator('.canvas-sheet img').waitFor();
    await command(page, 'Add text');
    await keyboard.press('Enter');
    await page.locator('.span-field').waitFor();
    await keyboard.press('Control+a');
    await keyboard.type(sentence);
    for (const key of ['Control+Home', 'Control+Shift+ArrowRight', 'Control+b', 'Escape']) {
      await keyboard.press(key);
    }
    await becomes(page, 'saved');

    await command(page, 'Add image');
    await command(page, 'Source');
    await keyboard.press('Enter');
    await page.getByPlaceholder('Or paste an address').waitFor();
    for (const name of ['Add image', 'Make source dynamic', 'Add QR code']) {
      await command(page, name);
    }
    await becomes(page, 'saved');

    await keyboard.press('Control+Enter');
    await press(inDialog('Publish'));
    const again = inDialog('Publish all the same');
    await again.or(page.getByText('Version 1 is public')).first().waitFor();
    if (await again.isVisible()) await press(again);
    await dialog.getByText('Version 1 is public').waitFor();
    await press(inDialog('Copy Link'));
    t.ok(actions > 0 && actions <= actionsMax, `${actions} actions`);

    t.same(complaints, []);
    const link = new URL((await page.getByLabel('Link', { exact: true }).textContent()) ?? '');
    const uid = new URL(page.url()).hash.replace('#/t/', '');
    const { layers, variables } = await client.getTemplateDocument(uid);
    const names = [{ name: 'first_name' }, { name: 'seat' }, { name: 'image', type: 'image' }];
    t.match(variables, names);
    t.same([variables.length, layers.length], [3, 4]);
    t.match(layers, [
      { spans: [{ text: 'Hi', fontWeight: 700 }, { text: sentence.slice(2) }] },
      { src: /^asset:/ },
      { src: '{{image}}' },
      { type: 'qr' },
    ]);
    const drawn = await service.get(`${link.pathname}${link.search}`);
    t.equal(drawn.status, 200);
    t.match(await decodeImage(drawn.body), { width: 1200, height: 630 });
    await page.close();
  });

  t.test('a start is published as it is, its name marked where its letters are', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const complaints = watchPage(page, base);
    await signIn(page, base);
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByLabel('Search designs').fill('welcome');
    await page.getByRole('button', { name: /^Welcome, light/ }).click();
    await page.getByText(/^All \d+ fit$/).waitFor();
    const box = await page.locator('.canvas-sheet').boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    const name = [x + width * 0.357, y + height * 0.459] as const;
    await page.mouse.dblclick(...name);
    await page.locator('.span-field').waitFor();
    await page.evaluate('document.fonts.ready');
    await page.mouse.dblclick(...name);
    t.equal(await page.evaluate('String(getSelection())'), '{{name}}');
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('Version 1 is public').waitFor();
    const given = page.locator('.share-value', { has: page.getByLabel('name', { exact: true }) });
    t.ok(await given.getByLabel('from contact').isChecked(), 'what every contact has');
    t.same(complaints, []);
    await page.close();
  });
});

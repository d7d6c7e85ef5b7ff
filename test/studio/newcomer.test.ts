/** The first template of a newcomer, from the first page to the link: with a pointer, and with the keyboard alone. */
import t from 'tap';
import type { Test } from 'tap';
import sharp from 'sharp';
import type { Browser, Locator, Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { decodeImage } from '../e2e/image-bytes.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { becomes } from './studio-page.ts';

/** Actions from the first page to the link. */
const actionsMax = 60;

/** Presses of Tab to one control at most. */
const tabsMax = 15;

const sentence = 'Hi {{first_name}}, your seat is {{seat}}';

const create = { width: 320, height: 240, channels: 3, background: '#b4552d' } as const;
const photo = {
  name: 'face.png',
  mimeType: 'image/png',
  buffer: await sharp({ create }).png().toBuffer(),
};

/** A person: an action is a click, a press of a key or of keys together, a text that is typed, or a file that is chosen. */
class Newcomer {
  readonly page: Page;
  actions = 0;
  readonly complaints: string[];

  constructor(page: Page, base: string) {
    this.page = page;
    this.complaints = watchPage(page, base);
    // Whenever the window of files opens, the photo is chosen.
    page.on('filechooser', (chooser) => {
      this.actions += 1;
      void chooser.setFiles(photo);
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) this.complaints.push(`${answer.status()} of ${answer.url()}`);
    });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The button of the open dialog. */
  inDialog(name: string): Locator {
    return this.page.getByRole('dialog').getByRole('button', { name, exact: true });
  }

  async click(control: Locator): Promise<void> {
    this.actions += 1;
    await control.click();
  }

  async press(...chords: string[]): Promise<void> {
    for (const chord of chords) {
      this.actions += 1;
      await this.page.keyboard.press(chord);
    }
  }

  async type(text: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.type(text);
  }

  /** Tab, or Shift+Tab, until the control has the focus. */
  async reach(control: Locator, chord: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let presses = 0; presses < tabsMax; presses += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.press(chord);
    }
    throw new Error(`${chord} does not reach ${control.toString()}`);
  }

  /** Runs a command of the palette. */
  async command(name: string): Promise<void> {
    await this.press('Control+k');
    await this.page.getByRole('combobox', { name: 'Search templates, layers' }).waitFor();
    await this.type(name);
    await this.press('Enter');
  }
}

async function photoIsStored(page: Page): Promise<void> {
  await page.getByPlaceholder('Or paste an address').waitFor();
}

async function beginAt(browser: Browser, base: string): Promise<Newcomer> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(base);
  return new Newcomer(page, base);
}

t.test('a newcomer makes a personal image and gets its link', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const browser = await startBrowser(t);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });

  /** The template has all that the newcomer made, and the link draws it. */
  const judge = async (t: Test, { page, actions, complaints }: Newcomer, logo: string) => {
    t.comment(`${actions} actions`);
    t.ok(actions <= actionsMax, `${actions} actions`);
    t.same(complaints, []);
    const link = new URL((await page.getByLabel('Link', { exact: true }).textContent()) ?? '');
    const uid = new URL(page.url()).hash.replace('#/t/', '');
    const { layers, variables } = await client.getTemplateDocument(uid);
    t.same(
      variables.map(({ name, type }) => [name, type]),
      [
        ['first_name', 'text'],
        ['seat', 'text'],
        [logo, 'image'],
      ],
    );
    t.same(
      layers.map(({ type }) => type),
      ['text', 'image', 'image', 'qr'],
    );
    t.match(layers, [
      { spans: [{ text: 'Hi', fontWeight: 700 }, { text: sentence.slice(2) }] },
      { src: /^asset:/ },
      { src: `{{${logo}}}` },
    ]);
    const drawn = await service.get(`${link.pathname}${link.search}`);
    t.equal(drawn.status, 200);
    t.match(await decodeImage(drawn.body), { width: 1200, height: 630 });
    await page.close();
  };

  /** From the first page through sign-in to the ways to begin a template. */
  const beginTemplate = async (): ReturnType<typeof beginAt> => {
    const person = await beginAt(browser, base);
    await person.click(person.page.getByRole('link', { name: 'Studio' }).first());
    await person.page.getByLabel('API key').waitFor();
    await person.type(demoKey);
    await person.press('Enter');
    await person.click(person.button('New template'));
    return person;
  };

  t.test('with a pointer', async (t) => {
    const person = await beginTemplate();
    const { page } = person;
    await person.click(person.button(/^Open Graph 1200/));

    await page.locator('.canvas-sheet img').waitFor();
    await person.press('t');
    await person.click(page.locator('.canvas-sheet'));
    await person.press('Control+a');
    await person.type(sentence);
    await person.press('Control+Home', 'Control+Shift+ArrowRight');
    await person.click(person.button('bold'));
    await person.press('Escape');
    await becomes(page, 'saved');

    await person.click(person.button('Add'));
    await person.click(person.inDialog('Image'));
    await person.click(page.locator('.p-file', { hasText: 'Upload' }));
    await photoIsStored(page);
    await person.click(person.button('Add'));
    await person.click(person.inDialog('Image'));
    await person.click(page.getByRole('treeitem', { selected: true }));
    await person.press('F2');
    await person.type('Logo');
    await person.press('Enter');
    await person.click(person.button('Different for each reader: make source dynamic'));
    await person.click(person.button('Add'));
    await person.click(person.inDialog('QR code'));
    await becomes(page, 'saved');

    await person.click(person.button('Publish'));
    await person.click(person.inDialog('Publish'));
    const again = person.inDialog('Publish all the same');
    await again.or(page.getByText('Version 1 is public')).first().waitFor();
    if (await again.isVisible()) await person.click(again);
    await page.getByRole('dialog').getByText('Version 1 is public').waitFor();
    await person.click(person.inDialog('Copy Link'));
    await judge(t, person, 'Logo');
  });

  t.test('with the keyboard alone', async (t) => {
    const person = await beginAt(browser, base);
    const { page } = person;
    await person.reach(page.getByRole('link', { name: 'Studio' }).first());
    await person.press('Enter');
    await page.getByLabel('API key').waitFor();
    await person.type(demoKey);
    await person.press('Enter');
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await person.command('New template');
    await person.reach(person.button(/^Open Graph 1200/), 'Shift+Tab');
    await person.press('Enter');

    await page.locator('.canvas-sheet img').waitFor();
    await person.command('Add text');
    await person.press('Enter');
    await page.locator('.span-field').waitFor();
    await person.press('Control+a');
    await person.type(sentence);
    await person.press('Control+Home', 'Control+Shift+ArrowRight', 'Control+b', 'Escape');
    await becomes(page, 'saved');

    await person.command('Add image');
    await person.command('Source');
    await person.press('Enter');
    await photoIsStored(page);
    await person.command('Add image');
    await person.command('Make source dynamic');
    await person.command('Add QR code');
    await becomes(page, 'saved');

    await person.press('Control+Enter');
    await person.reach(person.inDialog('Publish'));
    await person.press('Enter');
    const again = person.inDialog('Publish all the same');
    await again.or(page.getByText('Version 1 is public')).first().waitFor();
    if (await again.isVisible()) {
      await person.reach(again);
      await person.press('Enter');
    }
    await page.getByRole('dialog').getByText('Version 1 is public').waitFor();
    await person.reach(person.inDialog('Copy Link'));
    await person.press('Enter');
    await judge(t, person, 'image');
  });

  t.test('from a start, whose name is marked and is the contact’s', async (t) => {
    const person = await beginTemplate();
    const { page } = person;
    await page.getByLabel('Search designs').waitFor();
    await person.type('welcome');
    await person.click(page.getByRole('button', { name: /^Welcome, light/ }));
    await page.getByText(/^All \d+ fit$/).waitFor();

    const { x, y, width, height } = (await page.locator('.canvas-sheet').boundingBox()) ?? never();
    const name = [x + width * 0.357, y + height * 0.459] as const;
    await page.mouse.dblclick(...name);
    await page.locator('.span-field').waitFor();
    await page.evaluate('document.fonts.ready');
    await page.mouse.dblclick(...name);
    t.equal(await page.evaluate('String(getSelection())'), '{{name}}', 'where its letters are');
    person.actions += 2;
    await person.press('Escape');

    await person.click(person.button('Publish'));
    await person.click(person.inDialog('Publish'));
    await page.getByRole('dialog').getByText('Version 1 is public').waitFor();
    const given = page.locator('.share-value', { has: page.getByLabel('name', { exact: true }) });
    t.ok(await given.getByLabel('from contact').isChecked(), 'what every contact has');
    await person.click(person.inDialog('Copy Link'));
    t.ok(person.actions <= 15, `${person.actions} actions`);
    t.same(person.complaints, []);
    await page.close();
  });
});

function never(): never {
  throw new Error('nothing is drawn');
}

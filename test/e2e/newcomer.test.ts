/** The first ten minutes of somebody who has just started the service, from `/` on, in a browser. */
import sharp from 'sharp';
import t from 'tap';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { demoKey, startService } from './service.ts';

/** An image element of a page, as far as the test looks at it. */
interface ShownImage {
  naturalWidth: number;
  decode: () => Promise<void>;
  getAttribute: (name: string) => string | null;
  getBoundingClientRect: () => { width: number; height: number };
}

t.test('a newcomer gets from the first page to an email', { skip: skipsPages }, async (t) => {
  const service = await startService(t);
  const { base } = service;
  const browser = await startBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');

  await page.goto(base);
  t.ok(await page.locator('#image').isVisible());
  t.equal(
    await page.locator('#image').evaluate((image) => image.getAttribute('src')),
    'v1/render/welcome-banner.jpg?name=Amanda',
    'an image greets somebody before anything is typed',
  );

  // A name of one's own, and the link, without scrolling.
  await page.getByLabel('name', { exact: true }).fill('Søren');
  await page.waitForSelector('#image[src^="blob:"]');
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await copied();
  t.equal(link, `${base}/v1/render/welcome-banner.jpg?name=S%C3%B8ren`);
  t.equal(await page.evaluate('scrollY'), 0);
  const opened = await fetch(link);
  t.equal(opened.status, 200);
  const { width } = await sharp(new Uint8Array(await opened.arrayBuffer())).metadata();
  t.equal(width, 1200);
  t.match(await page.textContent('#local'), 'Only this machine or network can open the link');

  // The email: what is pasted stands there at its size, wide and narrow, and says what it shows.
  await page.getByRole('button', { name: 'Copy HTML' }).click();
  const html = await copied();
  for (const [viewportPx, shownPx] of [
    [700, 600],
    [320, 320],
  ] as const) {
    const email = await context.newPage();
    await email.setViewportSize({ width: viewportPx, height: 600 });
    await email.setContent(`<body style="margin:0">${html}`);
    const image = email.getByAltText('Welcome aboard, Søren');
    await image.evaluate((each) => (each as unknown as ShownImage).decode());
    const facts = await image.evaluate((each) => {
      const shown = each as unknown as ShownImage;
      const box = shown.getBoundingClientRect();
      return {
        attribute: shown.getAttribute('width'),
        style: shown.getAttribute('style'),
        shownPx: Math.round(box.width),
        ratio: box.width / box.height,
        pixels: shown.naturalWidth,
      };
    });
    t.match(facts, { attribute: '600', style: /^display:block;/, shownPx, pixels: 1200 });
    t.ok(Math.abs(facts.ratio - 1200 / 630) < 0.02, 'nothing is distorted');
    await email.close();
  }

  // The tool's tags instead of the name.
  await page.getByLabel('Email service').selectOption('mailchimp');
  await page.getByRole('button', { name: 'Copy HTML' }).click();
  const tagged = await copied();
  t.match(tagged, 'welcome-banner.jpg?name=*|FNAME|*"');
  t.match(tagged, 'Welcome aboard, *|FNAME|*, Your first night');

  // A photo that is not there: the page says so, and a reader sees an image all the same.
  await page.getByLabel('photo', { exact: true }).fill(`${base}/nothing.jpg`);
  await page.waitForSelector('#caption[data-state="error"]');
  t.match(await page.textContent('#caption'), /the image of "photo" .*This is what readers see\.$/);
  const broken = (await page.getAttribute('#link', 'href')) ?? '';
  const reader = await context.newPage();
  await reader.setContent(`<img src="${broken}" alt="">`);
  const image = reader.locator('img');
  await image.evaluate((each) => (each as unknown as ShownImage).decode());
  t.equal(await image.evaluate((each) => (each as unknown as ShownImage).naturalWidth), 1200);
  t.equal((await fetch(broken)).status, 400, 'and a program gets the error');
  await reader.close();

  // A template of one's own.
  const header = page.getByRole('navigation', { name: 'Pages' });
  await header.getByRole('link', { name: 'Studio' }).click();
  await page.getByLabel('API key').fill(demoKey);
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /New template/ })
    .first()
    .click();
  await page.getByRole('button', { name: /Email header/ }).click();
  await page.waitForURL(/studio.*#/);
  await page.waitForSelector('canvas, .stage, [aria-label="Layers"]');

  // The documentation.
  await page.goto(base);
  await header.getByRole('link', { name: 'Docs' }).click();
  await page.waitForURL(/\/docs$/);
  t.match(await page.textContent('h1'), 'API reference');
  const unexpected = complaints.filter((text) => !text.includes('status of 400'));
  t.same(unexpected, [], 'nothing but the error of the photo was complained of');
});

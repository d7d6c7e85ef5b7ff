/** The pages in a browser: what is on the screen, from the first image to an email, the reference and the client. */
import sharp from 'sharp';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { signedRenderUrl } from '../../src/client/platen-client.ts';
import {
  accessibilityProblems,
  publicHost,
  skipsPages,
  startBrowser,
  watchPage,
} from '../helpers/browser.ts';
import { extent } from '../helpers/extent.ts';
import { demoKey, eventually, shareService } from './service.ts';

/** An image element of a page, as far as the test looks at it. */
interface ShownImage {
  naturalWidth: number;
  alt: string;
  decode: () => Promise<void>;
  getBoundingClientRect: () => { width: number; height: number };
}

/** What is shown of an image once it is decoded. */
function shownOf(image: Locator): Promise<{ width: number; height: number; pixels: number }> {
  return image.evaluate(async (each) => {
    const shown = each as unknown as ShownImage;
    await shown.decode();
    const { width, height } = shown.getBoundingClientRect();
    return { width: Math.round(width), height: Math.round(height), pixels: shown.naturalWidth };
  });
}

/** Presses the card of a template. The press waits until the page neither scrolls nor changes its layout. */
async function chooseTemplate(page: Page, uid: string): Promise<void> {
  const input = page.locator(`input[value="${uid}"]`);
  await page.locator('#picker label', { has: input }).click();
}

/** The mean difference of two images' 8-bit values, the second one at the size of the first. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const { width, height } = await sharp(one).metadata();
  const [a = Buffer.alloc(0), b = Buffer.alloc(0)] = await Promise.all(
    [one, other].map((bytes) =>
      sharp(bytes).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer(),
    ),
  );
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

t.test('the pages in a browser', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base, port } = service;
  const browser = await startBrowser(t);
  const viewport = { width: 1280, height: 720 };

  t.test('the image, its caption and its link follow what is typed', async (t) => {
    const page = await browser.newPage({ viewport });
    const complaints = watchPage(page, base);
    await page.goto(base);
    t.equal(
      await page.getAttribute('#image', 'src'),
      'v1/render/welcome-banner.jpg?name=Amanda',
      'an image greets somebody before anything is typed',
    );
    await page.fill('#value-0', 'Zoë & Co');
    await page.waitForSelector('#image[src^="blob:"]');
    const target = 'welcome-banner.jpg?name=Zo%C3%AB%20%26%20Co';
    t.ok((await page.textContent('#link'))?.endsWith(`/v1/render/${target}`));
    t.match(await page.textContent('#caption'), /^1200 × 630 · JPEG · \d+ KB · \d+ ms$/);
    const box = await page.locator('#image').boundingBox();
    // Whole pixels: a cut-off column would shift what is compared.
    const clip = {
      x: Math.round(box?.x ?? 0),
      y: Math.round(box?.y ?? 0),
      width: Math.round(box?.width ?? 1),
      height: Math.round(box?.height ?? 1),
    };
    const seen = await page.screenshot({ clip });
    const [drawn, foreign] = [
      (await service.render(target)).body,
      (await service.render('event-ticket.png')).body,
    ];
    t.ok((await differenceOf(seen, drawn)) < 4, 'up to the corners that the page rounds');
    t.ok((await differenceOf(seen, foreign)) > 20, 'and not any image');
    t.ok(await page.locator('#local').isVisible(), 'readers elsewhere cannot open this address');
    t.same(complaints, []);
    await page.evaluate("document.querySelector('#value-1').removeAttribute('maxlength')");
    await page.fill('#value-1', 'words '.repeat(60).trim());
    await page.waitForSelector('#caption:has-text("longer than 200 characters")');
    await page.close();
  });

  t.test('a photo that fails is reported, and shown as readers see it', async (t) => {
    const page = await browser.newPage();
    await page.goto(base);
    await page.getByLabel('photo', { exact: true }).fill(`${base}/nothing.jpg`);
    await page.waitForSelector('#caption[data-state="error"]');
    const caption = await page.textContent('#caption');
    t.match(caption, /the image of "photo" .*This is what readers see\.$/);
    t.match(await page.getAttribute('#image', 'src'), /^blob:/);
    const broken = (await page.getAttribute('#link', 'href')) ?? '';
    const reader = await browser.newPage();
    await reader.setContent(`<img src="${broken}" alt="">`);
    t.match(await shownOf(reader.locator('img')), { pixels: 1200 });
    t.equal((await fetch(broken)).status, 400, 'and a program gets the error');
    await reader.close();
    await page.fill('#value-2', '');
    await page.waitForSelector('#caption[data-state="ok"]');
    await page.close();
  });

  t.test('a late answer to an earlier key never replaces a newer image', async (t) => {
    const page = await browser.newPage();
    const held = Promise.withResolvers<void>();
    await page.route(/name=Slow/, async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto(base);
    const asked = page.waitForRequest(/name=Slow/);
    await page.fill('#value-0', 'Slow');
    await asked;
    t.notMatch(await page.getAttribute('#image', 'src'), /^blob:/, 'the old image stays');
    await page.fill('#value-0', 'Quick');
    await page.waitForSelector('#image[src^="blob:"]');
    const shown = await page.getAttribute('#image', 'src');
    held.resolve();
    await page.waitForLoadState('networkidle');
    t.equal(await page.getAttribute('#image', 'src'), shown);
    await page.close();
  });

  t.test('what is copied stands in an email at its size, in a link, with its text', async (t) => {
    const context = await browser.newContext({ viewport });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    const page = await context.newPage();
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click();
      return page.evaluate('navigator.clipboard.readText()');
    };
    await page.goto(base);
    await page.getByLabel('name', { exact: true }).fill('Søren');
    t.equal(await copied('Copy link'), `${base}/v1/render/welcome-banner.jpg?name=S%C3%B8ren`);
    t.equal(await page.evaluate('scrollY'), 0);
    await page.fill('#click-target', 'https://shop.example/?a=1&b=2');
    await page.check('#pin');
    const html = await copied('Copy HTML');
    t.match(html, '?_version=1&amp;name=', 'a version that stays');
    const email = await context.newPage();
    await email.setContent(`<body style="margin:0">${html}`);
    const image = email.locator('a[href="https://shop.example/?a=1&b=2"] > img');
    for (const [viewportPx, width, height] of [
      [700, 600, 315],
      [320, 320, 168],
    ] as const) {
      await email.setViewportSize({ width: viewportPx, height: 600 });
      t.same(await shownOf(image), { width, height, pixels: 1200 }, 'nothing is distorted');
    }
    t.match(await image.getAttribute('alt'), /Welcome aboard, Søren/);
    await page.selectOption('#tool', 'mailchimp');
    const tagged = await copied('Copy HTML');
    t.match(tagged, 'name=*|FNAME|*"');
    t.match(tagged, 'Welcome aboard, *|FNAME|*, Your first night');
    await context.close();
  });

  t.test('each template can be chosen, and its link copied without scrolling', async (t) => {
    const page = await browser.newPage({ viewport });
    const address = `http://${publicHost}:${port}`;
    await page.goto(address);
    t.notOk(await page.locator('#local').isVisible(), 'readers can open this address');
    t.match(await page.textContent('#curl'), `${address}/v1/render/welcome-banner.jpg`);
    const uids = await page.$$eval('#picker input', (inputs) =>
      inputs.map((input) => input.getAttribute('value') ?? ''),
    );
    t.equal(uids.length, 9);
    for (const uid of uids) {
      await chooseTemplate(page, uid);
      await page.waitForSelector(`#link:has-text("/${uid}.")`);
      await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
      // The layout settles when the image of this template is there.
      const isInView = await eventually(async () => {
        const box = await page.getByRole('button', { name: 'Copy link' }).boundingBox();
        return box !== null && box.y + box.height <= viewport.height;
      });
      t.ok(isInView, `the link of ${uid} can be copied without scrolling`);
    }
    await chooseTemplate(page, 'hello');
    await page.waitForSelector('#image[width="400"]');
    t.match(await page.textContent('#html'), 'width="400" height="200" alt="Hello, Amanda!"');
    await page.close();
  });

  t.test('the first page leads everywhere, and the reference tries an endpoint', async (t) => {
    const page = await browser.newPage();
    const complaints = watchPage(page, base);
    for (const [name, title] of [
      ['Studio', /studio/i],
      ['API', /reference/i],
      ['Docs', /reference/i],
    ] as const) {
      await page.goto(base);
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name, exact: true })
        .click();
      await page.waitForURL((url) => url.pathname !== '/');
      t.match(await page.title(), title, name);
      const { hash } = new URL(page.url());
      if (hash !== '') await page.locator(hash).waitFor();
    }
    await page.fill('#key', demoKey);
    const article = page.locator('#listTemplates');
    await article.getByRole('button', { name: 'Try it' }).click();
    await article.getByRole('button', { name: 'Send GET' }).click();
    await article.locator('output strong').waitFor();
    t.match(await article.locator('output').textContent(), /^200 OK[^]*"uid": "/);
    const kept = 'JSON.stringify([localStorage, sessionStorage]) + document.cookie';
    t.equal(await page.evaluate(kept), '[{},{}]', 'the key stays in the page');
    await page.locator('#render').getByRole('button', { name: 'Try it' }).click();
    await page.locator('#render').getByRole('button', { name: 'Send GET' }).click();
    await page.locator('#render output img').waitFor();

    const expires = new Date(Date.now() + 60_000);
    const signed = { baseUrl: base, signingKey: 'sk_test', expires };
    const found = await page.evaluate(`import('/client.js').then(async (client) => [
      await client.signedRenderUrl('signed', { name: 'Zoë & Co' },
        { baseUrl: '${base}', signingKey: 'sk_test', expires: new Date(${expires.getTime()}) }),
      (await new client.PlatenClient({ baseUrl: location.origin }).render('hello')).contentType,
    ])`);
    const url = await signedRenderUrl('signed', { name: 'Zoë & Co' }, signed);
    t.same(found, [url, 'image/png'], 'the client runs in a page, too');
    t.same(complaints, []);
    await page.close();
  });

  t.test('all pages are accessible, in both schemes and on a small screen', async (t) => {
    // The judge takes most of its time for the reference, which has hundreds of elements for each endpoint.
    const pages = [
      ['/', 'light', 1280],
      ['/', 'dark', 360],
      ['/docs/search?q=image', 'light', 1280],
      ['/no-such-page', 'light', 360],
      ['/docs', 'dark', 360],
    ] as const;
    for (const [path, colorScheme, width] of pages.slice(0, extent(4, 5))) {
      // The judge itself is no part of the page: its policy would refuse it.
      const settings = { bypassCSP: true, colorScheme, viewport: { width, height: 800 } };
      const context = await browser.newContext(settings);
      const page = await context.newPage();
      await page.goto(base + path, { waitUntil: 'networkidle' });
      t.same(await accessibilityProblems(page), [], `${path}, ${colorScheme}, ${width} px`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      t.equal(overflow, 0, 'nothing is wider than the screen');
      const { x = 0 } = (await page.locator('h1').boundingBox()) ?? {};
      t.ok(x >= 16, 'the text keeps away from the edge');
      await context.close();
    }
  });
});

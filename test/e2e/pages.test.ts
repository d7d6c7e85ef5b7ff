import sharp from 'sharp';
import type { Page } from 'playwright-core';
import t from 'tap';
import { emailServices } from '../../src/pages/email-services.ts';
import { publicHost, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { demoKey, eventually, shareService, startService } from './service.ts';

t.test('the pages in a browser', { skip: skipsPages }, async (t) => {
  const service = await shareService();
  const { base } = service;
  const browser = await startBrowser(t);

  t.test('the image and its link follow what is typed, and a failure is reported', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const complaints = watchPage(page, base);
    await page.goto(base);
    await page.fill('#value-0', 'Zoë & Co');
    await page.waitForSelector('#image[src^="blob:"]');
    t.match(
      await page.textContent('#link'),
      /\/v1\/render\/welcome-banner\.jpg\?name=Zo%C3%AB%20%26%20Co$/,
    );
    t.match(await page.textContent('#caption'), /^1200 × 630 · JPEG · \d+ KB · \d+ ms$/);
    t.same(complaints, []);

    const before = await page.getAttribute('#image', 'src');
    await page.fill('#value-2', 'not an address');
    await page.waitForSelector('#caption[data-state="error"]');
    t.match(
      await page.textContent('#caption'),
      /the image of "photo" is no http\(s\) URL\. This is what readers see\.$/,
    );
    t.not(await page.getAttribute('#image', 'src'), before, 'it is the image of readers');
    await page.fill('#value-2', '');
    await page.waitForSelector('#caption[data-state="ok"]');
    await page.fill('#value-1', 'words '.repeat(40).trim());
    await page.evaluate("document.querySelector('#value-1').removeAttribute('maxlength')");
    await page.fill('#value-1', 'words '.repeat(60).trim());
    await page.waitForSelector('#caption:has-text("longer than 200 characters")');
    await page.close();
  });

  t.test('what a person sees on the page is the image that the link draws', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(base);
    await page.fill('#value-0', 'Christopher');
    await page.waitForSelector('#image[src^="blob:"]');
    const box = await page.locator('#image').boundingBox();
    // Whole pixels: a cut-off column would shift what is compared.
    const clip = {
      x: Math.round(box?.x ?? 0),
      y: Math.round(box?.y ?? 0),
      width: Math.round(box?.width ?? 1),
      height: Math.round(box?.height ?? 1),
    };
    const seen = await page.screenshot({ clip });
    const answer = await fetch(`${base}/v1/render/welcome-banner.jpg?name=Christopher`);
    const drawn = new Uint8Array(await answer.arrayBuffer());
    t.ok((await differenceOf(seen, drawn)) < 4, 'up to the corners that the page rounds');
    const other = await fetch(`${base}/v1/render/event-ticket.png`);
    const foreign = new Uint8Array(await other.arrayBuffer());
    t.ok((await differenceOf(seen, foreign)) > 20, 'and not any image');
    await page.close();
  });

  t.test('a late answer to an earlier key never replaces a newer image', async (t) => {
    const page = await browser.newPage();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/name=Slow/, async (route) => {
      await held;
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
    release();
    await page.waitForLoadState('networkidle');
    t.equal(await page.getAttribute('#image', 'src'), shown);
    await page.close();
  });

  t.test('each template can be chosen, and each email service has its snippets', async (t) => {
    const page = await browser.newPage();
    await page.goto(base);
    const uids = await page.$$eval('#picker input', (inputs) =>
      inputs.map((input) => input.getAttribute('value') ?? ''),
    );
    t.equal(uids.length, 9);
    await chooseTemplate(page, 'hello');
    await page.waitForSelector('#image[width="400"]');
    t.match(await page.textContent('#html'), 'width="400" height="200" alt="Hello, Amanda!"');
    for (const { id, name } of emailServices) {
      await page.selectOption('#tool', id);
      const html = (await page.textContent('#html')) ?? '';
      t.notMatch(html, 'name=Amanda', name);
      t.match(html, /hello\.png\?_scale=2&amp;name=[[{*%$-]/, name);
      t.match(html, /alt=["']Hello, [[{*%$-]/, name);
      t.match(await page.textContent('#curl'), 'hello.png?name=Amanda');
    }
    const link = (await page.textContent('#link')) ?? '';
    const answer = await fetch(link.replace(/^https?:\/\/[^/]+/, base));
    t.equal(answer.status, 200, 'a tag that nobody filled in draws the default');
    await answer.arrayBuffer();
    await page.close();
  });

  t.test(
    'the HTML shows a sharp image of its width in a link, of a version that stays',
    async (t) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(base);
      await chooseTemplate(page, 'welcome-banner');
      await page.fill('#display-width', '560');
      await page.fill('#click-target', 'https://shop.example/?a=1&b=2');
      await page.check('#pin');
      const html = (await page.textContent('#html')) ?? '';
      t.match(html, '?_version=1&amp;name=Amanda"', 'a template of 1200 px needs no scale');
      // The address of the service, wherever the test has started it.
      const rewritten = html.replaceAll(/http:[^"]*\/v1/g, `${base}/v1`);
      const email = await browser.newPage({ viewport: { width: 600, height: 400 } });
      await email.setContent(`<body style="margin:0">${rewritten}`);
      const selector = 'a[href="https://shop.example/?a=1&b=2"] > img';
      await email.waitForFunction(`document.querySelector('${selector}')?.complete`);
      const facts = await email.evaluate(`(() => {
      const image = document.querySelector('${selector}');
      const { width, height } = image.getBoundingClientRect();
      return { width, height, naturalWidth: image.naturalWidth, alt: image.alt };
    })()`);
      t.match(facts, { width: 560, height: 294, naturalWidth: 1200, alt: /Amanda/ });
      await email.close();
      await page.close();
    },
  );

  t.test('the link can be copied without scrolling, and the page leads everywhere', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(base);
    const uids = await page.$$eval('#picker input', (inputs) =>
      inputs.map((input) => input.getAttribute('value') ?? ''),
    );
    for (const uid of uids) {
      await chooseTemplate(page, uid);
      await page.waitForSelector(`#link:has-text("/${uid}.")`);
      await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
      // The layout settles when the image of this template is there.
      const copy = page.getByRole('button', { name: 'Copy link' });
      const isInView = await eventually(async () => {
        const box = await copy.boundingBox();
        return box !== null && box.y + box.height <= 720;
      });
      t.ok(isInView, `${uid}: ${JSON.stringify(await copy.boundingBox())}`);
    }
    const header = page.getByRole('navigation', { name: 'Pages' });
    for (const [name, title] of [
      ['Studio', /studio/i],
      ['Docs', /reference/i],
      ['API', /reference/i],
    ] as const) {
      await page.goto(base);
      await header.getByRole('link', { name, exact: true }).click();
      await page.waitForURL((url) => url.pathname !== '/');
      t.match(await page.title(), title, name);
      const { hash } = new URL(page.url());
      if (hash !== '') await page.locator(hash).waitFor();
    }
    await page.close();
  });

  t.test('links begin with the address at which the page was opened', async (t) => {
    const { port } = service;
    for (const [host, isPublic] of [
      ['127.0.0.1', false],
      ['localhost', false],
      [publicHost, true],
    ] as const) {
      const page = await browser.newPage();
      await page.goto(`http://${host}:${port}/`);
      const start = `http://${host}:${port}/v1/render/welcome-banner.jpg?name=Amanda`;
      t.equal(await page.textContent('#link'), start);
      for (const id of ['#html', '#markdown', '#curl']) {
        t.match(await page.textContent(id), start, id);
      }
      t.equal(await page.locator('#local').isVisible(), !isPublic, `${host}: the warning`);
      await page.close();
    }
    const address = 'https://images.example.org/platen';
    const environment = { PLATEN_PUBLIC_URL: address };
    const configured = await startService(t, { environment, dataDirectory: t.testdir() });
    const page = await browser.newPage();
    await page.goto(configured.base);
    t.match(await page.textContent('#link'), `${address}/v1/render/`, 'a configured one wins');
    t.equal(await page.locator('#local').isVisible(), false);
    await page.close();
  });

  t.test('the reference tries an endpoint with a key that stays in the page', async (t) => {
    const page = await browser.newPage();
    const complaints = watchPage(page, base);
    await page.goto(`${base}/docs`);
    await page.fill('#key', demoKey);
    const article = page.locator('#listTemplates');
    await article.getByRole('button', { name: 'Try it' }).click();
    await article.getByRole('button', { name: 'Send GET' }).click();
    await article.locator('output strong').waitFor();
    t.match(await article.locator('output').textContent(), /^200 OK[^]*"uid": "/);
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage]) + document.cookie',
    );
    t.equal(kept, '[{},{}]');
    await page.locator('#render').getByRole('button', { name: 'Try it' }).click();
    await page.locator('#render').getByRole('button', { name: 'Send GET' }).click();
    await page.locator('#render output img').waitFor();
    t.same(complaints, []);
    await page.close();
  });
});

/** The mean difference of two images' 8-bit values, the second one at the size of the first. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const { width, height } = await sharp(one).metadata();
  const [a, b] = await Promise.all(
    [one, other].map((bytes) =>
      sharp(bytes).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer(),
    ),
  );
  let sum = 0;
  for (const [index, value] of (a ?? Buffer.alloc(0)).entries()) {
    sum += Math.abs(value - (b?.[index] ?? 0));
  }
  return sum / (a?.length ?? 1);
}

/** Presses the card of a template. The press waits until the page neither scrolls nor changes its layout. */
async function chooseTemplate(page: Page, uid: string): Promise<void> {
  const input = page.locator(`input[value="${uid}"]`);
  await page.locator('#picker label', { has: input }).click();
}

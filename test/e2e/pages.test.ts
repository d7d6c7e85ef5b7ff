import sharp from 'sharp';
import t from 'tap';
import { mailTools } from '../../src/pages/mail-tools.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { demoKey, startService } from './service.ts';

t.test('the pages in a browser', { skip: skipsPages }, async (t) => {
  const service = await startService(t);
  const { base } = service;
  const browser = await startBrowser(t);

  t.test(
    'the picture and its link follow what is typed, and an error keeps the old picture',
    async (t) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const complaints = watchPage(page, base);
      await page.goto(base);
      await page.fill('#value-0', 'Zoë & Co');
      await page.waitForSelector('#picture[src^="blob:"]');
      t.match(
        await page.textContent('#link'),
        /\/v1\/render\/welcome-banner\.jpg\?name=Zo%C3%AB%20%26%20Co$/,
      );
      t.match(await page.textContent('#caption'), /^1200 × 630 · image\/jpeg · \d+ KB · in \d+ ms/);
      t.same(complaints, []);

      await page.fill('#value-2', 'not an address');
      await page.waitForSelector('#caption[data-state="error"], #caption:has-text("KB")');
      t.match(await page.getAttribute('#picture', 'src'), /^blob:/);
      await page.close();
    },
  );

  t.test('what a person sees on the page is the picture that the link draws', async (t) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(base);
    await page.fill('#value-0', 'Christopher');
    await page.waitForSelector('#picture[src^="blob:"]');
    const box = await page.locator('#picture').boundingBox();
    const seen = await page.screenshot({ clip: box ?? { x: 0, y: 0, width: 1, height: 1 } });
    const answer = await fetch(`${base}/v1/render/welcome-banner.jpg?name=Christopher`);
    const drawn = new Uint8Array(await answer.arrayBuffer());
    t.ok((await differenceOf(seen, drawn)) < 4, 'up to the corners that the page rounds');
    const other = await fetch(`${base}/v1/render/event-ticket.png`);
    const foreign = new Uint8Array(await other.arrayBuffer());
    t.ok((await differenceOf(seen, foreign)) > 20, 'and not any picture');
    await page.close();
  });

  t.test('a late answer to an earlier key never replaces a newer picture', async (t) => {
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
    t.notMatch(await page.getAttribute('#picture', 'src'), /^blob:/, 'the old picture stays');
    await page.fill('#value-0', 'Quick');
    await page.waitForSelector('#picture[src^="blob:"]');
    const shown = await page.getAttribute('#picture', 'src');
    release();
    await page.waitForLoadState('networkidle');
    t.equal(await page.getAttribute('#picture', 'src'), shown);
    await page.close();
  });

  t.test('each template can be chosen, and each mailing tool has its snippets', async (t) => {
    const page = await browser.newPage();
    await page.goto(base);
    const uids = await page.$$eval('#picker input', (inputs) =>
      inputs.map((input) => input.getAttribute('value') ?? ''),
    );
    t.equal(uids.length, 6);
    await page.check('#picker input[value="hello"]', { force: true });
    await page.waitForSelector('#picture[width="400"]');
    t.match(await page.textContent('#html'), 'width="400" height="200" alt="Hello"');
    for (const { id, name } of mailTools) {
      await page.selectOption('#tool', id);
      const html = (await page.textContent('#html')) ?? '';
      t.notMatch(html, 'name=Amanda', name);
      t.match(html, /hello\.png\?name=[{*%]/, name);
      t.match(await page.textContent('#curl'), 'hello.png?name=Amanda');
    }
    const link = (await page.textContent('#link')) ?? '';
    const answer = await fetch(link.replace(/^https?:\/\/[^/]+/, base));
    t.equal(answer.status, 200, 'a tag that nobody filled in draws the default');
    await answer.arrayBuffer();
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
    t.match(await article.locator('output').textContent(), /^200 OK[^]*"welcome-banner"/);
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

/** The mean difference of two pictures' 8-bit values, both at the size of a thumbnail. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) =>
      sharp(bytes).resize(120, 63, { fit: 'fill' }).removeAlpha().raw().toBuffer(),
    ),
  );
  let sum = 0;
  for (const [index, value] of (a ?? Buffer.alloc(0)).entries()) {
    sum += Math.abs(value - (b?.[index] ?? 0));
  }
  return sum / (a?.length ?? 1);
}

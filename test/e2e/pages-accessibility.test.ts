import t from 'tap';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { extent } from '../helpers/extent.ts';
import { shareService } from './service.ts';

const pages = [
  ['/', 'light', 1280],
  ['/', 'dark', 360],
  ['/docs/search?q=image', 'light', 1280],
  ['/no-such-page', 'light', 360],
  ['/docs', 'dark', 360],
] as const;

t.test('the pages for everybody', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const browser = await startBrowser(t);

  t.test('all pages are accessible, in both schemes and on a small screen', async (t) => {
    // The judge takes most of its time for the reference, which has hundreds of elements for each endpoint.
    for (const [path, colorScheme, width] of pages.slice(0, extent(4, 5))) {
      // The judge itself is no part of the page: its policy would refuse it.
      const context = await browser.newContext({
        bypassCSP: true,
        colorScheme,
        viewport: { width, height: 800 },
      });
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

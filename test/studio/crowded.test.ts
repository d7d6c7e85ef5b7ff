/** What does not fit in the studio, in a browser: sets beyond the strip, long names and values, a label on a photograph. */
import sharp from 'sharp';
import t from 'tap';
import { plainImage } from '../e2e/image-bytes.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { saveCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const longName = 'n'.repeat(64);
const variables = [
  { name: longName, type: 'text', value: 'v'.repeat(2000) },
  { name: 'price', type: 'number', value: '49' },
  { name: 'until', type: 'date', value: '2026-12-31' },
  { name: 'picture', type: 'image', value: '' },
  ...Array.from({ length: 8 }, (_, index) => ({ name: `v${index}`, type: 'text', value: '' })),
];
const text = { type: 'text', x: 10, width: 380, height: 60, fontSize: 24 } as const;

/** Bright noise, as a photograph of snow. */
async function photograph(): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 205, sigma: 22 };
  const create = { width: 400, height: 300, channels: 3 as const, background: '#000', noise };
  const bytes = await sharp({ create }).blur(2).jpeg().toBuffer();
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
}

t.test('a crowded studio in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const headers = { 'X-API-Key': demoKey };
  const photo = { id: 'photo', type: 'image', x: 0, y: 0, width: 400, height: 300 };
  await saveCanvas(
    base,
    'crowded',
    [
      { ...photo, src: await photograph() },
      { ...text, id: 'label', y: 200, text: 'Snow', fill: '#f4f4f4' },
      { ...text, id: 'price', y: 20, text: '{{price}} {{until}}', fill: '#101010' },
      { ...text, id: 'long', y: 80, text: `{{${longName}}}`, fill: '#101010', overflow: 'shrink' },
    ],
    { variables },
  );
  await page.goto(`${base}/studio#/t/crowded`);
  await page.locator('.samples[aria-busy="false"]').waitFor();

  t.test('the strip has arrows to the sets that lie beyond its edges', async (t) => {
    const row = page.locator('.samples-list');
    const more = page.getByRole('button', { name: 'More sets' });
    await more.waitFor();
    const left = (): Promise<number> => row.evaluate((each) => each.scrollLeft);
    const earlier = page.getByRole('button', { name: 'Earlier sets' });
    t.equal(await left(), 0);
    t.equal(await earlier.count(), 0, 'none to the left at the start');
    await more.click();
    t.ok(await eventually(async () => (await left()) > 0));
    await row.evaluate((each) => each.scrollTo({ left: each.scrollWidth, behavior: 'instant' }));
    t.ok(await eventually(async () => (await more.count()) === 0), 'none to the right at the end');
    const last = await left();
    await earlier.click();
    t.ok(await eventually(async () => (await left()) < last));
    await row.evaluate((each) => each.scrollTo({ left: 0, behavior: 'instant' }));
    t.ok(await eventually(async () => (await earlier.count()) === 0));
  });

  /** The parts of the left side that stand beyond its edge. */
  const beyondEdge = (): Promise<string[]> =>
    page.locator('.side.left').evaluate((side) => {
      const { right } = side.getBoundingClientRect();
      return [...side.querySelectorAll('*')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > right + 1)
        .map((each) => each.className);
    });

  t.test('the panel of variables never overflows its width', async (t) => {
    await page.click('#tab-Variables');
    await page.locator(`[data-variable="${longName}"] .p-variable-name`).click();
    await page.locator('[data-variable="picture"] .p-variable-name').click();
    const wide = await page.locator('.side.left').evaluate((side) =>
      [side, ...side.querySelectorAll('*')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
        .filter((each) => getComputedStyle(each).overflowX === 'auto' || each === side)
        .map((each) => each.className),
    );
    t.same(wide, [], 'nothing scrolls to the side');
    t.same(await beyondEdge(), []);
    const pageOverflow = 'document.documentElement.scrollHeight - innerHeight';
    t.equal(await page.evaluate(pageOverflow), 0, 'the panel scrolls, and never the page');
  });

  t.test('comments never overflow their panel', async (t) => {
    const said = { layer: 'long', text: `See ${'https://example.com/'.repeat(8)} for more` };
    const comment = { method: 'POST', headers, body: JSON.stringify(said) };
    await fetch(`${base}/v1/templates/crowded/comments`, comment);
    await page.reload();
    await page.click('#tab-Comments');
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    t.same(await beyondEdge(), []);
    await page.locator('.samples[aria-busy="false"]').waitFor();
  });

  t.test('images of a large library do not lie over one another', async (t) => {
    await Promise.all(
      Array.from({ length: 12 }, async (_, side) => {
        const body = new Uint8Array(await plainImage('#336699', 20 + side, 20));
        await fetch(`${base}/v1/assets`, { method: 'POST', headers, body });
      }),
    );
    await page.click('#tab-Layers');
    await page.click('[data-layer="photo"]');
    await page.click('button:has-text("Library")');
    const tiles = page.locator('.p-asset');
    await tiles.nth(11).waitFor();
    const boxes = await tiles.evaluateAll((each) =>
      each.map((tile) => tile.getBoundingClientRect()),
    );
    const isFree = ({ bottom }: DOMRect, at: number): boolean =>
      bottom <= (boxes[at + 3]?.top ?? Infinity);
    t.ok(boxes.every(isFree), 'rows of three');
    await page.keyboard.press('Escape');
  });

  t.test('the contrast of a label on a photograph is measured', async (t) => {
    const warnings = page.getByRole('list', { name: 'Warnings of these values' });
    await warnings.getByText(/^Snow: low contrast, 1\.\d to 1; .* reads well$/).waitFor();
    t.same(complaints, []);
  });
});

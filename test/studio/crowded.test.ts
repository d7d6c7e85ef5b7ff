/** What does not fit, and what the panels beside the canvas say: many sets, long names, warnings, a phone. */
import type { Request } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { plainImage } from '../e2e/image-bytes.ts';
import { eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';
import { rect } from './built-layers.ts';
import { startStudio } from './canvas-page.ts';

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

function isOfStrip(request: Request): boolean {
  return request.url().endsWith('/v1/preview') && (request.postData() ?? '').includes('"quality"');
}

t.test('a crowded studio in a browser', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'crowded', await startBrowser(t), base);
  const { page, keyboard, client, open, claim } = studio;
  const photo = { id: 'photo', type: 'image', x: 0, y: 0, width: 400, height: 300 };
  await open(
    [
      { ...photo, src: await photograph() },
      { ...text, id: 'label', y: 200, text: 'Snow', fill: '#f4f4f4' },
      { ...text, id: 'price', y: 20, text: '{{price}} {{until}}', fill: '#101010' },
      { ...text, id: 'long', y: 80, text: `{{${longName}}}`, fill: '#101010', overflow: 'shrink' },
    ],
    { variables },
  );
  await page.locator('.samples[aria-busy="false"]').waitFor();

  claim('the strip has arrows to the sets that lie beyond its edges', async (t) => {
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

  claim('the panel of variables never overflows its width', async (t) => {
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

  claim('comments never overflow their panel', async (t) => {
    const said = { layer: 'long', text: `See ${'https://example.com/'.repeat(8)} for more` };
    const path = { uid: 'crowded-1' };
    await client.request('POST /v1/templates/{uid}/comments', { path, body: said });
    await page.reload();
    await page.click('#tab-Comments');
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    t.same(await beyondEdge(), []);
    await page.locator('.samples[aria-busy="false"]').waitFor();
  });

  claim('images of a large library do not lie over one another', async (t) => {
    for (let side = 20; side < 32; side += 1) {
      await client.uploadAsset(new Uint8Array(await plainImage('#336699', side, 20)));
    }
    await page.click('#tab-Layers');
    await page.click('[data-layer="photo"]');
    await page.click('button:has-text("Library")');
    const tiles = page.locator('.p-asset');
    await tiles.nth(11).waitFor();
    const isFree = await tiles.evaluateAll((each) => {
      const boxes = each.map((tile) => tile.getBoundingClientRect());
      return boxes.every(({ bottom }, at) => bottom <= (boxes[at + 3]?.top ?? Infinity));
    });
    t.ok(isFree, 'rows of three');
    await keyboard.press('Escape');
  });

  claim('the contrast of a label on a photograph is measured', async () => {
    const warnings = page.getByRole('list', { name: 'Warnings of these values' });
    await warnings.getByText(/^Snow: low contrast, 1\.\d to 1; .* reads well$/).waitFor();
  });

  claim('the set of the values on the canvas takes its image from the canvas', async (t) => {
    await (await open()).click({ x: 80, y: 70 });
    const rests = page.locator('.samples[aria-busy="false"]');
    await rests.waitFor();
    const sets = await page.locator('.preset').count();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (isOfStrip(request)) requests.push(request.postData() ?? '');
    });
    const image = page.locator('.preset[data-preset="defaults"] img');
    const before = await image.getAttribute('src');
    await keyboard.press('Shift+ArrowRight');
    await page.locator('.samples[aria-busy="true"]').waitFor();
    await rests.waitFor();
    const shown = await page.locator('.canvas-sheet img').getAttribute('src');
    t.equal(await image.getAttribute('src'), shown);
    t.not(shown, before);
    t.equal(requests.length, sets - 1, 'all others are rendered');
    t.notOk(requests.some((body) => body.includes('"values":{}')));
  });

  claim('the sample strip names a text that is cut, and a layer without a height', async (t) => {
    const size = { x: 300, width: 200, height: 40 };
    const editor = await open([
      rect('photo', { ...size, y: 100 }),
      { id: 'cut', type: 'text', ...size, y: 200, text: 'Hello {{name}}', fontSize: 24 },
    ]);
    const warnings = page.getByRole('list', { name: 'Warnings of these values' });
    const warning = warnings.getByRole('button');
    await warning.waitFor();
    const words = 'part of the text lies outside of the canvas';
    t.equal(await warning.textContent(), `Hello {{name}}: ${words}`);
    await warning.click();
    await page.locator('[data-layer="cut"][aria-selected="true"]').waitFor();
    const brief = page.locator('.preset-warning', { hasText: 'Part of the text lies outside' });
    await brief.first().waitFor();
    await editor.click({ x: 350, y: 120 });
    await page.locator('[data-field="height"] input').fill('0');
    await page.locator('[data-layer="photo"] .p-warning').waitFor();
    await warnings.getByText('photo: its height is 0').waitFor();
  });

  claim('arrow keys move a stop of a gradient, and a cancelled drag has ended', async (t) => {
    const bound = { offset: '{{part}}', color: '#d64933' };
    const fill = { gradient: 'linear', stops: [bound, { offset: 0.6, color: '#20639b' }] };
    const part = { name: 'part', type: 'number', value: '0.25' };
    const layer = rect('r', { x: 20, y: 20, width: 200, height: 200, fill });
    const canvas = await open([layer], { variables: [part] });
    await page.click('[data-layer="r"]');
    const [first, second] = [page.locator('.p-stop').first(), page.locator('.p-stop').last()];
    /** The saved positions of the stops. */
    const offsets = async (): Promise<unknown[]> => {
      const saved = (await canvas.find('r'))['fill'] as typeof fill;
      return saved.stops.map(({ offset }) => offset);
    };

    await first.press('ArrowRight');
    await second.press('Shift+ArrowRight');
    t.same(await offsets(), ['{{part}}', 0.7]);
    t.match(await first.getAttribute('aria-label'), 'stop 1 at {{part}}');
    const strip = await page.locator('.p-strip').boundingBox();
    const { x = 0, y = 0, width = 0 } = strip ?? {};
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchCancel', ...shares: number[]) => {
      const touchPoints = shares.map((share) => ({ x: x + width * share, y: y + 5 }));
      return touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await send('touchStart', 0.7);
    await send('touchMove', 0.5);
    await send('touchCancel');
    const [, dragged] = await offsets();
    t.equal(Number(dragged).toFixed(1), '0.5');
    await page.mouse.move(x + width * 0.49, y + 5);
    await page.mouse.move(x + width * 0.51, y + 5);
    t.same(await offsets(), ['{{part}}', dragged], 'the pointer that passes by moves nothing');
  });
});

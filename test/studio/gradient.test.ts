/** The stops of a gradient in the inspector, in a browser. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const fill = {
  gradient: 'linear',
  stops: [
    { offset: '{{part}}', color: '#d64933' },
    { offset: 0.6, color: '#20639b' },
  ],
};
const rect = { id: 'r', type: 'rect', x: 20, y: 20, width: 200, height: 200, fill };

t.test('the stops of a gradient', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const variables = [{ name: 'part', type: 'number', value: '0.25' }];
  const canvas = await openCanvas(page, base, 'stops', [rect], { variables });
  await page.click('[data-layer="r"]');
  const [first, second] = [page.locator('.p-stop').first(), page.locator('.p-stop').last()];
  /** The saved positions of the stops. */
  const offsets = async (): Promise<unknown[]> => {
    const layer = (await canvas.layer('r')) as Partial<typeof rect> | undefined;
    return (layer?.fill?.stops ?? []).map(({ offset }) => offset);
  };

  t.test('arrow keys move a stop, and leave one that a variable positions', async (t) => {
    await first.press('ArrowRight');
    await second.press('Shift+ArrowRight');
    t.same(await offsets(), ['{{part}}', 0.7]);
    t.match(await first.getAttribute('aria-label'), 'stop 1 at {{part}}');
    t.same(await accessibilityProblems(page), []);
  });

  t.test('a drag that the system cancels has ended', async (t) => {
    const strip = await page.locator('.p-strip').boundingBox();
    const at = (part: number): { x: number; y: number } => ({
      x: (strip?.x ?? 0) + (strip?.width ?? 0) * part,
      y: (strip?.y ?? 0) + (strip?.height ?? 0) / 2,
    });
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchCancel', part?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: part === undefined ? [] : [at(part)],
      });
    await send('touchStart', 0.7);
    await send('touchMove', 0.5);
    await send('touchCancel');
    const [, dragged] = await offsets();
    t.equal(Number(dragged).toFixed(1), '0.5');
    await page.mouse.move(at(0.49).x, at(0.49).y);
    await page.mouse.move(at(0.51).x, at(0.51).y);
    t.same(await offsets(), ['{{part}}', dragged], 'the pointer that passes by moves nothing');
  });

  t.same(complaints, []);
});

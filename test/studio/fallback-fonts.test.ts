/** Letters that the font of a layer lacks, while their text is edited on the canvas, in a browser. */
import t from 'tap';
import type { Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const words = ['Sale', '100', 'Ελλάδα', 'ราคาพิเศษ', 'नमस्ते', 'مرحبا', 'end'];

/** Largest distance from the letters of the image, in design pixels: both round advances in their own way. */
const distanceMax = 1;

/** The left edges of the words in the field and the right edge of the last one, in screen pixels from the first. */
function readEdges(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const node = document.querySelector('.span-field span')?.firstChild;
    if (node === null || node === undefined) return [];
    const found = [...(node.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return range.getBoundingClientRect();
    });
    const first = found[0]?.left ?? 0;
    return [...found.map(({ left }) => left), found.at(-1)?.right ?? 0].map((x) => x - first);
  });
}

t.test(
  'letters of other fonts are edited over the letters of the image',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    const box = { x: 10, y: 20, width: 380, height: 60 };
    const look = { fontFamily: 'Playfair Display', fontSize: 20, overflow: 'visible' };
    const layer = { id: 't', type: 'text', ...box, ...look, text: words.join(' ') } as const;
    const size = { format: 1 as const, name: 'Widths', width: 400, height: 300 };
    /** The width of a text in the image. */
    const widthOf = async (text: string): Promise<number> => {
      const template = { ...size, variables: [], layers: [{ ...layer, width: 4000, text }] };
      const { layers } = await client.previewReport({ template });
      return layers[0]?.text?.lines[0]?.width ?? 0;
    };
    const ends = await Promise.all(words.map((_, at) => widthOf(words.slice(0, at + 1).join(' '))));
    const space = (await widthOf('a a')) - 2 * (await widthOf('a'));
    const drawn = [0, ...ends.slice(0, -1).map((end) => end + space), ends.at(-1) ?? 0];

    const page = await (await studioContext(await startBrowser(t))).newPage();
    const complaints = watchPage(page, base);
    const canvas = await openCanvas(page, base, 'fallback-fonts', [layer]);
    await page.mouse.dblclick(...(await canvas.at({ x: 30, y: 32 })));
    await page.locator('.span-field').waitFor();
    const distances = async (): Promise<number[]> => {
      const edges = await readEdges(page);
      return drawn.map((x, at) => Math.abs(x - (edges[at] ?? Number.NaN)));
    };
    const isOver = (all: number[]): boolean => all.every((distance) => distance < distanceMax);
    // The fonts of the field may still load.
    await eventually(async () => isOver(await distances()), 10_000);
    t.comment(`largest distance: ${Math.max(...(await distances())).toFixed(2)} px`);
    t.ok(isOver(await distances()), JSON.stringify({ drawn, edges: await readEdges(page) }));
    t.same(complaints, []);
  },
);

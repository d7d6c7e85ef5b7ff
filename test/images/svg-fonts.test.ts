/** Text in callers' SVG: which fonts it is drawn with. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { SvgPool } from '../../src/images/svg/pool.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { testRequester } from '../fixtures/images-loader.ts';

t.test('text is drawn with the fonts of templates, and emoji in its own colour', async (t) => {
  const folder = new URL('../../node_modules/.cache/platen-test', import.meta.url);
  const rasteriser = new SvgPool({
    svgProcessesMax: 1,
    svgWaitingMax: 10,
    queueWaitMs: 10_000,
    svgTimeoutMs: 10_000,
    svgFontConfigFile: await prepareFontEnvironment(fileURLToPath(folder)),
  });
  t.teardown(() => rasteriser.close());
  const inkOf = async (text: string, family: string): Promise<Ink> => {
    const style = `x="20" y="70" font-size="50" fill="#00f" font-family="${family}"`;
    const root = 'xmlns="http://www.w3.org/2000/svg" width="200" height="100"';
    const file = Buffer.from(`<svg ${root}><text ${style}>${text}</text></svg>`);
    return findInk(
      (await rasteriser.draw({ file, key: text + family }, testRequester, () => true)).png,
    );
  };
  t.ok((await inkOf('\u{10FFFD}', 'Inter')).isBox, 'a character that nobody has is a box');
  const texts = ['Ag', 'мир', 'שלום', 'سلام', '本', '한', 'ไทย', 'नम', '😀', '👍🏽', '🇩🇪', '❤️'];
  const cases = texts.map((text) => [text, 'Inter'] as const);
  for (const [text, family] of [...cases, ['😀', 'Arial'], ['😀', 'Twemoji Mozilla']] as const) {
    const { isBox, pixels, isBlue } = await inkOf(text, family);
    t.ok(pixels > 1000 && !isBox && isBlue, `${text} in ${family}`);
  }
});

interface Ink {
  /** Pixels that are more than half opaque. */
  pixels: number;
  /** Whether its left and its upper edge are straight lines, as of the box for a missing character. */
  isBox: boolean;
  isBlue: boolean;
}

async function findInk(png: Uint8Array): Promise<Ink> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const ink: [x: number, y: number][] = [];
  let isBlue = true;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) <= 127) continue;
    ink.push([(at / 4) % info.width, Math.floor(at / 4 / info.width)]);
    isBlue &&= data[at] === 0 && data[at + 2] === 255;
  }
  const [left, right] = edges(ink.map(([x]) => x));
  const [top, bottom] = edges(ink.map(([, y]) => y));
  const onLeft = ink.filter(([x]) => x === left).length;
  const onTop = ink.filter(([, y]) => y === top).length;
  const isBox = onLeft > 0.95 * (bottom - top) && onTop > 0.95 * (right - left);
  return { pixels: ink.length, isBox, isBlue };
}

function edges(positions: readonly number[]): [low: number, high: number] {
  return [
    positions.reduce((low, each) => Math.min(low, each), Infinity),
    positions.reduce((high, each) => Math.max(high, each), 0),
  ];
}

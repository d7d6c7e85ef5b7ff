/** Shadows of large items are cast in bands: the pixels are those of shadows that are cast in one piece. */
import t from 'tap';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { drawnPixels } from '../../helpers/render.ts';
import { shadowBands } from '../../../workers/paint/compose.ts';
import type { DisplayItem } from '../../../workers/display-list.ts';

const width = 1500;
/** Above and below the bound of a band. */
const [tall, short] = [3900, 3000];
/** Further from the lower edge of the short image than shadows reach. */
const comparedRows = 2700;

const shadow = [
  { x: 14, y: 9, blur: 40, color: '#a0203080' },
  { y: -20, blur: 7, color: '#20309060' },
];

/**
 * Pixels of a transparent group with two shadows, as high as the taller image in both. Its rectangles have edges between
 * pixels; an edge of a curve would change with the height of the canvas.
 */
async function paintOn(height: number): Promise<Uint8Array> {
  const layers = Array.from({ length: 40 }, (_, index) => {
    const [x, y] = [(index * 337.3) % 1100, index * 90.7];
    const fill = index % 2 === 0 ? '#33aa77' : '#ddaa1190';
    const box = { x, y, width: 200 + index * 3.3, height: 130.4 };
    return aLayer('rect', { id: `r${index}`, ...box, fill });
  });
  const box = { x: 20, y: 60, width: 1450, height: 3800 };
  const group = aLayer('group', { id: 'g', ...box, opacity: 0.8, shadow, layers });
  const document = aTemplate({ width, height, background: '#fff', layers: [group] });
  return (await drawnPixels(document)).data;
}

function bandsOn(height: number): ReturnType<typeof shadowBands> {
  const item = { blur: 0, shadows: shadow } as unknown as DisplayItem;
  return shadowBands({ x: -8, y: -16, width, height }, item, 1);
}

t.test('the bands of a tall item cover its area once', async (t) => {
  const bands = bandsOn(tall);
  t.equal(bands.length, 2);
  t.equal(bandsOn(short).length, 1);
  for (const [index, band] of bands.entries()) {
    const next = bands[index + 1];
    if (next !== undefined) t.equal(band.y + band.height, next.y);
  }
});

t.test('shadows in bands have the pixels of shadows in one piece', async (t) => {
  // One after the other: the limit of a render counts the processor time of the whole process.
  const inBands = await paintOn(tall);
  const inOnePiece = await paintOn(short);
  const channels = inBands.length / (width * tall);
  const end = comparedRows * width * channels;
  t.ok(Buffer.from(inBands.subarray(0, end)).equals(inOnePiece.subarray(0, end)));
});

/** Codes that are copied bit by bit, with new ones between, are those that coding the whole band again gives. */
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { deflateBand, filterBand } from '../../../workers/encode/png/bands.ts';
import { toTrueColorRows } from '../../../workers/encode/png/colors.ts';
import { joinPng } from '../../../workers/encode/png/file.ts';
import { createPngImage } from '../../../workers/encode/png/image.ts';
import { bandOf, encodeBands } from '../../../workers/encode/png/pixels.ts';
import type { Pixels } from '../../../workers/pixels.ts';
import { extent } from '../../helpers/extent.ts';
import { copyPatch, putPatch } from '../../helpers/patches.ts';
import { repository } from '../../helpers/render.ts';

async function photograph(widthPx: number, heightPx: number, alpha: number): Promise<Pixels> {
  const photo = sharp(`${repository}/data/templates/pictures/coast.jpg`);
  const resized = photo.resize(widthPx, heightPx, { fit: 'fill' }).removeAlpha();
  return { data: await resized.ensureAlpha(alpha).raw().toBuffer(), widthPx, heightPx };
}

/** The file of an image whose bands keep these codings. */
function codedWhole(pixels: Pixels, { codings, bandRows }: ReturnType<typeof encodeBands>) {
  const rows = toTrueColorRows(pixels);
  const bands = codings.map((coding, index) => {
    const top = index * bandRows;
    const end = Math.min(rows.heightPx, top + bandRows);
    const raw = bandOf(rows, top, end, rows.colorType);
    return deflateBand(filterBand(raw, 0, end - top, coding.filter), coding);
  });
  return joinPng(rows, bands);
}

for (const [widthPx, heightPx, alpha] of [
  [1000, 80, 1],
  [321, 200, 1],
  [193, 300, 0.5],
] as const) {
  t.test(
    `${widthPx} × ${heightPx}, alpha ${alpha}: spliced bands are those coded whole`,
    async (t) => {
      const pixels = await photograph(widthPx, heightPx, alpha);
      const untouched = { ...pixels, data: Uint8Array.from(pixels.data) };
      const rows = toTrueColorRows(pixels);
      const encoded = encodeBands(rows, rows.colorType);
      t.ok(
        encoded.codings.every((coding) => 'code' in coding),
        'all bands are photographic',
      );
      const image = createPngImage(pixels);
      const rectangle = fc.record({
        x: fc.nat(widthPx - 1),
        y: fc.nat(heightPx - 1),
        width: fc.integer({ min: 1, max: Math.ceil(widthPx / 4) }),
        height: fc.integer({ min: 1, max: heightPx }),
        seed: fc.nat(),
      });
      const property = fc.property(rectangle, ({ x, y, width, height, seed }) => {
        const region = {
          x,
          y,
          width: Math.min(width, widthPx - x),
          height: Math.min(height, heightPx - y),
        };
        const patch = copyPatch(untouched, region);
        const { data } = patch.pixels;
        for (let at = 0; at < data.length; at += 1) {
          if (at % 4 < 3) data[at] = Math.imul(at + seed, 2_654_435_761) >>> 24;
        }
        const expected = { ...pixels, data: Uint8Array.from(untouched.data) };
        putPatch(expected, patch);
        return Buffer.from(image.toFile([patch])).equals(codedWhole(expected, encoded));
      });
      fc.assert(property, { numRuns: extent(20, 200) });
    },
  );
}

/** A PNG in bands: each band is compressed in the way that suits its pixels, chosen when the picture is first encoded. */
import type { Band, BandedImage } from './banded-image.ts';
import { encodePngBand, joinPng } from './png-bands.ts';
import type { PngBand, PngCoding, PngPixels } from './png-bands.ts';

/**
 * Rows of a band. Smaller bands re-encode less around a text, larger ones compress better: at 32 rows
 * the samples are no larger than libvips makes them at level 6.
 */
const bandRows = 32;

/** Ways to compress a band, the quickest first. Photographs take the last: looking for repeats wins nothing there. */
const codings: readonly PngCoding[] = [
  { filter: 'none', level: 6, huffmanOnly: false },
  { filter: 'up', level: 6, huffmanOnly: false },
  { filter: 'paeth', level: 6, huffmanOnly: false },
  { filter: 'paeth', level: 1, huffmanOnly: true },
];

/** A band is photographic when the quick way is at most this much larger than the smallest. */
const photographRatio = 1.25;

/**
 * Encodes a whole picture in bands. Decodes to the same pixels as any other PNG of them; RGB when
 * `channels` is 3.
 */
export function createPngBands(pixels: PngPixels): BandedImage {
  const count = Math.ceil(pixels.heightPx / bandRows);
  const chosen: PngCoding[] = [];
  const bands: PngBand[] = [];
  for (let index = 0; index < count; index += 1) {
    const end = Math.min(pixels.heightPx, (index + 1) * bandRows);
    const { coding, band } = chooseCoding(pixels, index * bandRows, end);
    chosen.push(coding);
    bands.push(band);
  }
  const { widthPx, heightPx, channels } = pixels;
  return {
    bandRows,
    channels,
    sizeBytes: bands.reduce((sum, band) => sum + band.deflated.length, 0),
    encodeBands(rows, firstBand) {
      const height = rows.length / (widthPx * channels);
      const part = { data: rows, widthPx, heightPx: height, channels };
      const encoded: PngBand[] = [];
      for (let row = 0; row < height; row += bandRows) {
        const coding = chosen[firstBand + encoded.length] ?? codings[0];
        if (coding === undefined) throw new RangeError('the rows reach below the picture');
        encoded.push(encodePngBand(part, row, Math.min(height, row + bandRows), coding));
      }
      return Promise.resolve(encoded);
    },
    toFile: (changed) => joinPng({ widthPx, heightPx, channels }, replaceBands(bands, changed)),
  };
}

function chooseCoding(
  pixels: PngPixels,
  firstRow: number,
  endRow: number,
): { coding: PngCoding; band: PngBand } {
  const tried = codings.map((coding) => ({
    coding,
    band: encodePngBand(pixels, firstRow, endRow, coding),
  }));
  const bySize = tried.toSorted((a, b) => a.band.deflated.length - b.band.deflated.length);
  const smallest = bySize[0];
  if (smallest === undefined) throw new RangeError('there is a coding to try');
  const quick = tried.find(({ coding, band }) => {
    return (
      coding.huffmanOnly && band.deflated.length <= smallest.band.deflated.length * photographRatio
    );
  });
  return quick ?? smallest;
}

function replaceBands(bands: readonly PngBand[], changed: ReadonlyMap<number, Band>): PngBand[] {
  return bands.map((kept, index) => {
    const band = changed.get(index) ?? kept;
    if (band instanceof Uint8Array) throw new TypeError('a PNG is joined from its own bands');
    return band;
  });
}

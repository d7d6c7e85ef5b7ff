/** A row of JPEG blocks whose kept codes are copied bit by bit is the row that is coded as a whole. */
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { encodeAllBlocks } from '../../../workers/encode/jpeg/blocks.ts';
import {
  countRow,
  fittingTables,
  loadRow,
  mcuTokens,
  readCounts,
  spliceRow,
  startCounts,
  toSpliceable,
  writeRow,
} from '../../../workers/encode/jpeg/entropy.ts';
import type { ScanTokens } from '../../../workers/encode/jpeg/entropy.ts';
import { headOf } from '../../../workers/encode/jpeg/head.ts';
import { mcuGrid } from '../../../workers/encode/jpeg/file.ts';
import { extent } from '../../helpers/extent.ts';
import { repository } from '../../helpers/render.ts';

const [width, height] = [400, 16];

async function pixelsOf(name: string): Promise<Uint8Array> {
  const image = sharp(`${repository}/data/templates/pictures/${name}.jpg`);
  return image.resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
}

/** The symbols of a row, from counts that begin at zero. */
function countsOf(parts: readonly Uint32Array[], file: Parameters<typeof countRow>[1]): Int32Array {
  startCounts();
  countRow(loadRow(parts), file, 1);
  return readCounts();
}

for (const [quality, chroma] of [
  [100, '4:2:0'],
  [30, '4:2:0'],
  [92, '4:4:4'],
] as const) {
  t.test(
    `quality ${quality}, ${chroma}: bytes and counts are those of the whole row`,
    async (t) => {
      const file = { ...(await headOf(quality, chroma)), width, height };
      const data = { coast: await pixelsOf('coast'), other: await pixelsOf('stage') };
      const blocks = encodeAllBlocks({ data: data.coast, widthPx: width, heightPx: height }, file);
      const other = encodeAllBlocks({ data: data.other, widthPx: width, heightPx: height }, file);
      const { columns } = mcuGrid(file);
      const counts = countsOf([mcuTokens(blocks, 0, columns)], file);
      const { codes } = fittingTables(counts, file);
      const [coded = new Uint8Array(0)] = writeRow(
        loadRow([mcuTokens(blocks, 0, columns)]),
        file,
        codes,
      );
      const kept = toSpliceable(coded, blocks, [0, columns], codes);
      const property = fc.property(fc.nat(columns - 1), fc.nat(columns - 1), (a, b) => {
        const [left, end] = [Math.min(a, b), Math.max(a, b) + 1];
        const right = Math.min(columns, end + 1);
        const middle = (scan: ScanTokens): Uint32Array[] => [
          mcuTokens(scan, left, end),
          mcuTokens(blocks, end, right),
        ];
        const whole = [
          mcuTokens(blocks, 0, left),
          mcuTokens(other, left, end),
          mcuTokens(blocks, end, columns),
        ];
        const [expected] = writeRow(loadRow(whole), file, codes);
        const expectedCounts = countsOf(whole, file);
        const before = left > 0 ? mcuTokens(blocks, left - 1, left) : undefined;
        startCounts(counts);
        countRow(loadRow(middle(blocks), before), file, -1);
        const loaded = loadRow(middle(other), before);
        countRow(loaded, file, 1);
        t.same(readCounts(), expectedCounts);
        t.same(spliceRow(loaded, kept, [left, right], codes), expected);
      });
      fc.assert(property, { numRuns: extent(20, 200) });
    },
  );
}

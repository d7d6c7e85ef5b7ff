/**
 * Writes an image of full colour resolution as a progressive JPEG (T.81, Annex G): one scan of all mean values, then
 * one of each component's detail. One symbol ends a whole run of blocks without detail. In a baseline file each empty
 * block of colour takes two bits, and full resolution has four times as many blocks. The coefficients do not change.
 */
import type { JpegFile } from './file.ts';
import { writeScanHeader } from './file.ts';
import { blockCoefficients, firstAcKind } from './scan.ts';

const componentCount = 3;
const scanCount = 1 + componentCount;

/** Symbols that end a run of 2^n blocks or more, n from 1 to 14; n = 0 ends one block, as in baseline files. */
export const blockEndSymbols = Array.from({ length: 14 }, (_, index) => (index + 1) << 4);

/** Returns the headers of the file's scans, in the order of `splitRow`; a baseline file has one. */
export function scanHeaders({ components, isProgressive }: JpegFile): Uint8Array[] {
  if (!isProgressive) return [writeScanHeader(components, 0, blockCoefficients - 1)];
  const details = components.map((one) => writeScanHeader([one], 1, blockCoefficients - 1));
  return [writeScanHeader(components, 0, 0), ...details];
}

/** Reused between rows, to spare the garbage collector. */
let splitTokens = new Uint32Array(1 << 16);

/** Splits the tokens of a row of units by scan. They are valid until the next call. */
export function splitRow(tokens: Uint32Array): Uint32Array[] {
  // No scan has more tokens than the row.
  const stride = tokens.length;
  if (splitTokens.length < stride * scanCount) splitTokens = new Uint32Array(stride * scanCount);
  const to = splitTokens;
  const ends = Uint32Array.from({ length: scanCount }, (_, scan) => scan * stride);
  const put = (scan: number, token: number): void => {
    const end = ends[scan] ?? 0;
    to[end] = token;
    ends[scan] = end + 1;
  };
  // Blocks of a run whose end is not written yet, by scan. A row has at most 1536 blocks of a component.
  const endedBlocks = new Uint32Array(scanCount);
  const putBlockEnds = (scan: number): void => {
    const count = endedBlocks[scan] ?? 0;
    if (count === 0) return;
    const size = 31 - Math.clz32(count);
    const kind = scan === 1 ? firstAcKind : firstAcKind + 1;
    put(scan, (kind << 28) | (size << 20) | (count - (1 << size)));
    endedBlocks[scan] = 0;
  };
  let scan = 1;
  // By index: an iterator takes several times as long.
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? 0;
    const kind = token >>> 28;
    if (kind < firstAcKind) {
      scan = 1 + kind;
      put(0, token);
    } else if (((token >>> 16) & 0xff) === 0) {
      endedBlocks[scan] = (endedBlocks[scan] ?? 0) + 1;
    } else {
      putBlockEnds(scan);
      put(scan, token);
    }
  }
  for (scan = 1; scan < scanCount; scan += 1) putBlockEnds(scan);
  return Array.from(ends, (end, index) => to.subarray(index * stride, end));
}

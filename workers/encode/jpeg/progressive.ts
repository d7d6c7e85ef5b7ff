/**
 * The scans of a JPEG with full colour resolution, which is progressive (T.81, Annex G): one scan of all mean values,
 * then one scan of each component's detail. One symbol ends a whole run of blocks without detail. In a baseline file
 * each empty block of colour takes two bits, and full resolution has four times as many blocks. The coefficients do not
 * change.
 */
import type { JpegFile } from './file.ts';
import { writeScanHeader } from './file.ts';

const componentCount = 3;
const lastCoefficient = 63;

/** Returns the number of scans of a file; `wasm/entropy.as` selects the tokens of each. */
export function scanCount(isProgressive: boolean): number {
  return isProgressive ? 1 + componentCount : 1;
}

/** Symbols that end a run of 2^n blocks or more, n from 1 to 14; n = 0 ends one block, as in baseline files. */
export const blockEndSymbols = Array.from({ length: 14 }, (_, index) => (index + 1) << 4);

/** Returns the headers of the file's scans, in their order in the file. */
export function scanHeaders({ components, isProgressive }: JpegFile): Uint8Array[] {
  if (!isProgressive) return [writeScanHeader(components, 0, lastCoefficient)];
  const details = components.map((one) => writeScanHeader([one], 1, lastCoefficient));
  return [writeScanHeader(components, 0, 0), ...details];
}

/** The loops over pixels and bytes that render time depends on, in one module (four to sixteen lanes at a time). */
export { heapStart } from './heap';
export {
  countJpegBits,
  countJpegSymbols,
  jpegCodes,
  jpegCounts,
  selectJpegScan,
  spliceJpegInterval,
  writeJpegInterval,
} from './entropy';
export { encodeJpegBlocks, jpegBytes, jpegDivisors, jpegTokens, jpegUnitEnds } from './jpeg';
export {
  adler32,
  copyPngBits,
  countPngBits,
  countPngBytes,
  filterPngRows,
  indexPngPixels,
  isOpaque,
  packRgb,
  pngCodes,
  pngColors,
  pngPendingBits,
  pngPendingCount,
  writePngLiterals,
} from './png';
export {
  beginPngRepeats,
  findPngRepeats,
  pngFrequencies,
  pngRepeatCodes,
  writePngRepeats,
} from './repeats';

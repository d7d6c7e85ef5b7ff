/** Reads the parts of a baseline JPEG file, and writes files from such parts (ITU-T T.81, Annex B). */
import type { HuffmanTable } from './huffman.ts';

/** Sampling and tables of one colour component. */
export interface JpegComponent {
  id: number;
  horizontal: number;
  vertical: number;
  quantization: number;
  dcTable: number;
  acTable: number;
}

/** The headers of a JPEG, and the scan of a baseline file. */
export interface JpegFile {
  /** Whether the coefficients are written in several scans (`progressive.ts`) or in one interleaved scan. */
  isProgressive: boolean;
  width: number;
  height: number;
  components: JpegComponent[];
  /** The contents of the DQT segments, unchanged. */
  quantizations: Uint8Array[];
  /** Huffman tables by class (0 DC, 1 AC) × 16 + destination. */
  tables: Map<number, HuffmanTable>;
  /** Entropy-coded bytes, with stuffing. */
  scan: Uint8Array;
}

const marker = {
  app0: 0xe0,
  dht: 0xc4,
  dqt: 0xdb,
  dri: 0xdd,
  eoi: 0xd9,
  sof0: 0xc0,
  sof2: 0xc2,
  soi: 0xd8,
  sos: 0xda,
};
export const restartMarker = 0xd0;

/** Parses a file that libjpeg-turbo wrote; throws for a file that is not baseline with one scan. */
export function parseJpeg(bytes: Uint8Array): JpegFile {
  const file: JpegFile = {
    isProgressive: false,
    width: 0,
    height: 0,
    components: [],
    quantizations: [],
    tables: new Map(),
    scan: bytes.subarray(0, 0),
  };
  let offset = 2;
  for (;;) {
    const code = bytes[offset + 1] ?? 0;
    const length = ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0);
    if (bytes[offset] !== 0xff || length < 2) throw new Error('the JPEG has no segment here');
    const segment = bytes.subarray(offset + 4, offset + 2 + length);
    offset += 2 + length;
    if (code === marker.dqt) file.quantizations.push(new Uint8Array(segment));
    else if (code === marker.dht) readTables(segment, file.tables);
    else if (code === marker.sof0) readFrame(segment, file);
    else if (code === marker.sos) {
      readScan(segment, file);
      file.scan = bytes.subarray(offset, bytes.length - 2);
      return file;
    } else if (code > 0xc0 && code < 0xd0 && code !== 0xc8 && code !== 0xcc) {
      throw new Error('the JPEG is not baseline');
    }
  }
}

function readTables(segment: Uint8Array, tables: Map<number, HuffmanTable>): void {
  let offset = 0;
  while (offset < segment.length) {
    const counts = new Uint8Array(segment.subarray(offset + 1, offset + 17));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const symbols = new Uint8Array(segment.subarray(offset + 17, offset + 17 + total));
    tables.set(segment[offset] ?? 0, { counts, symbols });
    offset += 17 + total;
  }
}

function readFrame(segment: Uint8Array, file: JpegFile): void {
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  file.height = view.getUint16(1);
  file.width = view.getUint16(3);
  for (let index = 0; index < view.getUint8(5); index += 1) {
    const at = 6 + index * 3;
    const sampling = view.getUint8(at + 1);
    file.components.push({
      id: view.getUint8(at),
      horizontal: sampling >> 4,
      vertical: sampling & 15,
      quantization: view.getUint8(at + 2),
      dcTable: 0,
      acTable: 0,
    });
  }
}

function readScan(segment: Uint8Array, { components }: JpegFile): void {
  for (const [index, component] of components.entries()) {
    const tables = segment[2 + index * 2] ?? 0;
    component.dcTable = tables >> 4;
    component.acTable = tables & 15;
  }
}

/**
 * Returns everything of a file before its first scan: SOI, JFIF with its density, quantisation, the frame, Huffman
 * tables, the restart interval in MCUs.
 */
export function writeHeader(
  file: JpegFile,
  restartInterval: number,
  dotsPerInch: number,
): Uint8Array {
  const parts: number[] = [0xff, marker.soi];
  const segment = (code: number, content: readonly number[]): void => {
    parts.push(...segmentOf(code, content));
  };
  // "JFIF", version 1.01, unit 1 = dots per inch, no thumbnail (JFIF 1.02, page 5).
  segment(marker.app0, [
    74,
    70,
    73,
    70,
    0,
    1,
    1,
    1,
    ...word(dotsPerInch),
    ...word(dotsPerInch),
    0,
    0,
  ]);
  for (const quantization of file.quantizations) segment(marker.dqt, [...quantization]);
  const { components } = file;
  segment(file.isProgressive ? marker.sof2 : marker.sof0, [
    8,
    ...word(file.height),
    ...word(file.width),
    components.length,
    ...components.flatMap((c) => [c.id, (c.horizontal << 4) | c.vertical, c.quantization]),
  ]);
  for (const [destination, { counts, symbols }] of file.tables) {
    segment(marker.dht, [destination, ...counts, ...symbols]);
  }
  if (restartInterval > 0) segment(marker.dri, word(restartInterval));
  return Uint8Array.from(parts);
}

/** Returns the header of a scan of these components with the coefficients from `first` to `last` in zigzag order. */
export function writeScanHeader(
  components: readonly JpegComponent[],
  first: number,
  last: number,
): Uint8Array {
  return Uint8Array.from(
    segmentOf(marker.sos, [
      components.length,
      ...components.flatMap((c) => [c.id, (c.dcTable << 4) | c.acTable]),
      first,
      last,
      0,
    ]),
  );
}

function segmentOf(code: number, content: readonly number[]): number[] {
  return [0xff, code, ...word(content.length + 2), ...content];
}

/** Returns two bytes, big-endian. */
function word(value: number): number[] {
  return [value >> 8, value & 255];
}

/** The two bytes that end a file. */
export const endOfImage = Uint8Array.of(0xff, marker.eoi);

/** Returns the number of MCUs in a row, of rows of MCUs in the image, and the side of an MCU in pixels. */
export function mcuGrid(file: JpegFile): { columns: number; rows: number; widthPx: number } {
  const horizontal = Math.max(...file.components.map((c) => c.horizontal));
  const vertical = Math.max(...file.components.map((c) => c.vertical));
  return {
    columns: Math.ceil(file.width / (8 * horizontal)),
    rows: Math.ceil(file.height / (8 * vertical)),
    // The height equals the width in every subsampling that this encoder uses.
    widthPx: 8 * horizontal,
  };
}

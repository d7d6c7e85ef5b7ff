/** Makes an ICC profile of the colour chunks of a PNG (`cICP`, `gAMA`, `cHRM`), which libvips does not read. */
import { crc32, deflateSync } from 'node:zlib';

/** CIE 1931 x and y. */
type Chromaticity = readonly [x: number, y: number];
type Triple = readonly [number, number, number];

interface Primaries {
  white: Chromaticity;
  red: Chromaticity;
  green: Chromaticity;
  blue: Chromaticity;
}

const d65: Chromaticity = [0.3127, 0.329];
const illuminantC: Chromaticity = [0.31, 0.316];

function primaries(white: Chromaticity, ...colors: number[]): Primaries {
  const [redX = 0, redY = 0, greenX = 0, greenY = 0, blueX = 0, blueY = 0] = colors;
  return { white, red: [redX, redY], green: [greenX, greenY], blue: [blueX, blueY] };
}

const srgbPrimaries = primaries(d65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
const smpte170 = primaries(d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07);

/** Primaries by their number in `cICP` (ITU-T H.273, table 2). */
const primariesByCode: ReadonlyMap<number, Primaries> = new Map([
  [1, srgbPrimaries],
  [4, primaries(illuminantC, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08)],
  [5, primaries(d65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06)],
  [6, smpte170],
  [7, smpte170],
  [8, primaries(illuminantC, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049)],
  [9, primaries(d65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046)],
  [11, primaries([0.314, 0.351], 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)],
  [12, primaries(d65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)],
  [22, primaries(d65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077)],
]);

/** Parameters of a curve to linear light (ICC.1:2022, 10.18): an exponent, or the five numbers of function 3. */
type Curve = readonly [gamma: number] | readonly [number, number, number, number, number];

const srgbCurve: Curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

/**
 * Curves by their number in `cICP` (ITU-T H.273, table 3). As in Chromium, BT.709 and its relatives are displayed with
 * an exponent of 2.4 (BT.1886). PQ and HLG (16, 18) are absent: they need a mapping to the brightness of a screen.
 */
const curvesByCode: ReadonlyMap<number, Curve> = new Map<number, Curve>([
  ...[1, 6, 14, 15].map((code): [number, Curve] => [code, [2.4]]),
  [4, [2.2]],
  [5, [2.8]],
  [7, [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 1 / 4, 0.0913]],
  [8, [1]],
  [13, srgbCurve],
]);

/** `gAMA` of most files, 1/2.2. Without `cHRM` it means sRGB, as in Chromium. */
const usualGamma = 45_455;
/** Bounds of the exponent that `gAMA` may give. */
const [exponentMin, exponentMax] = [0.01, 100];

/** Chunks that determine the colours of a PNG. */
export const colorChunks: ReadonlySet<string> = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

/**
 * Returns the chunk `iCCP` for the data of a file's colour chunks, by their precedence in W3C PNG, section 4.3. Returns
 * undefined if the file's own profile applies, or sRGB. `isGrey` means a colour type without red, green and blue.
 */
export function profileChunk(
  chunks: ReadonlyMap<string, Buffer>,
  isGrey: boolean,
): Buffer | undefined {
  const space = spaceOfCicp(chunks) ?? spaceOfGamma(chunks);
  if (space === undefined) return undefined;
  const profile = isGrey ? greyProfile(space.curve) : rgbProfile(space);
  if (profile === undefined) return undefined;
  const data = Buffer.concat([Buffer.from('iCCPcolour\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([uint32(data.length - 4), data, uint32(crc32(data))]);
}

interface ColorSpace {
  primaries: Primaries;
  curve: Curve;
}

function spaceOfCicp(chunks: ReadonlyMap<string, Buffer>): ColorSpace | undefined {
  const [primariesCode = 0, curveCode = 0, matrix, range] = chunks.get('cICP') ?? [];
  const known = primariesByCode.get(primariesCode);
  const curve = curvesByCode.get(curveCode);
  const isRgbOfFullRange = matrix === 0 && range === 1;
  return known && curve && isRgbOfFullRange ? { primaries: known, curve } : undefined;
}

function spaceOfGamma(chunks: ReadonlyMap<string, Buffer>): ColorSpace | undefined {
  const gamma = chunks.get('gAMA');
  if (chunks.has('iCCP') || chunks.has('sRGB') || gamma?.length !== 4) return undefined;
  const value = gamma.readUInt32BE(0);
  const exponent = 100_000 / value;
  if (exponent < exponentMin || exponent > exponentMax) return undefined;
  const chromaticities = chunks.get('cHRM');
  if (chromaticities?.length === 32) {
    const numbers = Array.from({ length: 8 }, (_, at) => chromaticities.readUInt32BE(at * 4) / 1e5);
    const [whiteX = 0, whiteY = 0, ...colors] = numbers;
    return { primaries: primaries([whiteX, whiteY], ...colors), curve: [exponent] };
  }
  return value === usualGamma ? undefined : { primaries: srgbPrimaries, curve: [exponent] };
}

// Writes ICC profiles of version 4 (ICC.1:2022).

/** White of the profile connection space. */
const d50: Triple = [0.9642, 1, 0.8249];

function greyProfile(curve: Curve): Buffer {
  return profileOf('GRAY', [
    ['wtpt', xyzTag(d50)],
    ['kTRC', curveTag(curve)],
  ]);
}

/** Returns undefined for primaries that span no space, or one that a profile cannot hold. */
function rgbProfile({
  primaries: { white, red, green, blue },
  curve,
}: ColorSpace): Buffer | undefined {
  const colors = [red, green, blue].map(toXyz);
  const whiteXyz = toXyz(white);
  const scale = solve(colors, whiteXyz);
  const scaled = colors.map((color, at) => color.map((value) => value * (scale[at] ?? 0)));
  const columns = scaled.map((color) => adaptToD50(color, whiteXyz));
  // A fixed number of 16 bits before the point, of which real ones use one.
  if (!columns.flat().every((value) => Math.abs(value) < 8)) return undefined;
  const trc = curveTag(curve);
  return profileOf('RGB ', [
    ['wtpt', xyzTag(d50)],
    ...columns.map((column, at): [string, Buffer] => [`${'rgb'[at]}XYZ`, xyzTag(column)]),
    ...Array.from('rgb', (color): [string, Buffer] => [`${color}TRC`, trc]),
  ]);
}

function profileOf(space: string, tags: readonly [name: string, data: Buffer][]): Buffer {
  const head = Buffer.alloc(128);
  head.writeUInt32BE(0x04400000, 8);
  head.write(`mntr${space}XYZ `, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyzTag(d50).copy(head, 68, 8);
  let offset = head.length + 4 + 12 * tags.length;
  const entries = tags.map(([name, data]) => {
    const entry = Buffer.concat([Buffer.from(name), uint32(offset), uint32(data.length)]);
    offset += data.length;
    return entry;
  });
  head.writeUInt32BE(offset, 0);
  return Buffer.concat([head, uint32(tags.length), ...entries, ...tags.map(([, data]) => data)]);
}

function xyzTag(xyz: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('XYZ \0\0\0\0'), ...xyz.map(fixed)]);
}

function curveTag(curve: Curve): Buffer {
  const kind = Buffer.of(0, curve.length === 1 ? 0 : 3, 0, 0);
  return Buffer.concat([Buffer.from('para\0\0\0\0'), kind, ...curve.map(fixed)]);
}

/** A signed number with 16 bits before and 16 after the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function toXyz([x, y]: Chromaticity): Triple {
  return [x / y, 1, (1 - x - y) / y];
}

/** The Bradford matrix: XYZ to responses of the eye's cones. */
const bradford: readonly Triple[] = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
const bradfordColumns = bradford.map((_, column): Triple => {
  const [a = 0, b = 0, c = 0] = bradford.map((row) => row[column] ?? 0);
  return [a, b, c];
});

function adaptToD50(color: readonly number[], white: Triple): number[] {
  const [from, to] = [white, d50].map((xyz) => bradford.map((row) => dot(row, xyz)));
  const cones = bradford.map((row, at) => (dot(row, color) * (to?.[at] ?? 0)) / (from?.[at] ?? 0));
  return solve(bradfordColumns, cones);
}

/** Returns the factors with which the columns add up to `wanted` (Cramer's rule); not finite for singular columns. */
function solve(columns: readonly Triple[], wanted: readonly number[]): number[] {
  const all = determinant(columns);
  return columns.map((_, at) => determinant(columns.with(at, wanted as Triple)) / all);
}

function determinant([first, second, third]: readonly (readonly number[])[]): number {
  const [a = 0, b = 0, c = 0] = second ?? [];
  const [d = 0, e = 0, f = 0] = third ?? [];
  return dot(first ?? [], [b * f - c * e, c * d - a * f, a * e - b * d]);
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

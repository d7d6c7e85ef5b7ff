/** Rebuilds the outline tables of a TrueType font from the form in which WOFF2 stores them (WOFF2, 5.1). */

/** Reads big-endian numbers one after the other. Throws a RangeError beyond the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  i16(): number {
    return this.#view.getInt16(this.#advance(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  /** UIntBase128: seven bits a byte, the highest first; five bytes at most. */
  base128(): number {
    let value = 0;
    for (let count = 0; count < 5; count += 1) {
      const byte = this.u8();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new RangeError('a number of more than 32 bits');
  }

  /** 255UInt16: one byte for numbers below 253. */
  short255(): number {
    const code = this.u8();
    if (code === 253) return this.u16();
    if (code === 254) return this.u8() + 506;
    return code === 255 ? this.u8() + 253 : code;
  }

  /** The next bytes, not copied. */
  take(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  skip(length: number): void {
    this.#advance(length);
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (start + length > this.#bytes.length) throw new RangeError('the font ends too early');
    this.#offset = start + length;
    return start;
  }
}

/** Each kind of number has a stream of its own. */
interface Streams {
  contours: ByteReader;
  points: ByteReader;
  flags: ByteReader;
  glyphs: ByteReader;
  composites: ByteReader;
  boxes: ByteReader;
  instructions: ByteReader;
}

const composite = { wordArguments: 1, scale: 8, more: 32, scaleXY: 64, matrix: 128, program: 256 };
const onCurve = 1;
const overlapSimple = 64;

/** The tables `glyf` and `loca`, offsets of the long form where the font's header says so. */
export function readGlyphs(table: Uint8Array): { glyf: Uint8Array; loca: Uint8Array } {
  const reader = new ByteReader(table);
  reader.skip(2);
  const hasOverlaps = (reader.u16() & 1) === 1;
  const glyphCount = reader.u16();
  const isLong = reader.u16() === 1;
  const sizes = Array.from({ length: 7 }, () => reader.u32());
  const [contours, points, flags, glyphs, composites, boxBytes = 0, instructions] = sizes;
  const stream = (length = 0): ByteReader => new ByteReader(reader.take(length));
  const beforeBoxes = [contours, points, flags, glyphs, composites].map(stream);
  const bitmapBytes = 4 * ((glyphCount + 31) >> 5);
  const hasBox = reader.take(bitmapBytes);
  const boxes = stream(boxBytes - bitmapBytes);
  const [one, two, three, four, five] = beforeBoxes;
  if (!one || !two || !three || !four || !five) throw new Error('no streams');
  const streams: Streams = {
    contours: one,
    points: two,
    flags: three,
    glyphs: four,
    composites: five,
    boxes,
    instructions: stream(instructions),
  };
  const overlaps = hasOverlaps ? reader.take((glyphCount + 7) >> 3) : new Uint8Array();
  const bytes = new Bytes(table.length);
  const offsets = [0];
  for (let glyph = 0; glyph < glyphCount; glyph += 1) {
    writeGlyph(bytes, streams, bit(hasBox, glyph), bit(overlaps, glyph));
    offsets.push(bytes.length);
  }
  return { glyf: bytes.all(), loca: writeOffsets(offsets, isLong) };
}

function bit(bytes: Uint8Array, index: number): boolean {
  return (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1;
}

function writeOffsets(offsets: readonly number[], isLong: boolean): Uint8Array {
  const loca = new DataView(new ArrayBuffer(offsets.length * (isLong ? 4 : 2)));
  for (const [index, offset] of offsets.entries()) {
    if (isLong) loca.setUint32(index * 4, offset);
    else if (offset > 0x1fffe) throw new RangeError('outlines too large for short offsets');
    else loca.setUint16(index * 2, offset / 2);
  }
  return new Uint8Array(loca.buffer);
}

/** Writes one glyph as `glyf` has it, padded to an even length. */
function writeGlyph(bytes: Bytes, streams: Streams, hasBox: boolean, overlaps: boolean): void {
  const contours = streams.contours.i16();
  if (contours === 0) return;
  bytes.i16(contours);
  if (contours > 0) writeSimple(bytes, streams, contours, hasBox, overlaps);
  else writeComposite(bytes, streams);
  bytes.pad();
}

function writeComposite(bytes: Bytes, { composites, boxes, glyphs, instructions }: Streams): void {
  bytes.add(boxes.take(8));
  let flags: number;
  let hasProgram = false;
  do {
    flags = composites.u16();
    bytes.i16(flags);
    hasProgram ||= (flags & composite.program) !== 0;
    const scale = flags & composite.scale ? 2 : flags & composite.scaleXY ? 4 : 0;
    const numbers = (flags & composite.wordArguments ? 4 : 2) + scale;
    bytes.add(composites.take(2 + numbers + (flags & composite.matrix ? 8 : 0)));
  } while (flags & composite.more);
  if (!hasProgram) return;
  const length = glyphs.short255();
  bytes.i16(length);
  bytes.add(instructions.take(length));
}

function writeSimple(
  bytes: Bytes,
  streams: Streams,
  contours: number,
  hasBox: boolean,
  overlaps: boolean,
): void {
  const ends: number[] = [];
  let count = 0;
  for (let contour = 0; contour < contours; contour += 1) {
    count += streams.points.short255();
    ends.push(count - 1);
  }
  const flags: number[] = [];
  const deltas: [dx: number, dy: number][] = [];
  let [x, y] = [0, 0];
  const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  for (let point = 0; point < count; point += 1) {
    const flag = streams.flags.u8();
    const [dx, dy] = readDelta(streams.glyphs, flag & 127);
    // Words for every coordinate: bytes would save a third of a file that nobody sends.
    flags.push((flag < 128 ? onCurve : 0) | (overlaps && point === 0 ? overlapSimple : 0));
    deltas.push([dx, dy]);
    x += dx;
    y += dy;
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  if (hasBox) bytes.add(streams.boxes.take(8));
  else for (const edge of box) bytes.i16(edge);
  for (const end of ends) bytes.i16(end);
  const length = streams.glyphs.short255();
  bytes.i16(length);
  bytes.add(streams.instructions.take(length));
  bytes.add(flags);
  for (const [dx] of deltas) bytes.i16(dx);
  for (const [, dy] of deltas) bytes.i16(dy);
}

/** A step from point to point: the flag says how many bytes it has and how they are shared (WOFF2, 5.2). */
function readDelta(bytes: ByteReader, flag: number): [dx: number, dy: number] {
  if (flag < 10) return [0, signed(flag & 1, ((flag & 14) << 7) + bytes.u8())];
  if (flag < 20) return [signed(flag & 1, (((flag - 10) & 14) << 7) + bytes.u8()), 0];
  const up = flag & 2;
  const right = flag & 1;
  if (flag < 84) {
    const high = flag - 20;
    const low = bytes.u8();
    return [
      signed(right, 1 + (high & 0x30) + (low >> 4)),
      signed(up, 1 + ((high & 0x0c) << 2) + (low & 15)),
    ];
  }
  if (flag < 120) {
    const high = flag - 84;
    const dx = 1 + (Math.floor(high / 12) << 8) + bytes.u8();
    const dy = 1 + (((high % 12) >> 2) << 8) + bytes.u8();
    return [signed(right, dx), signed(up, dy)];
  }
  if (flag < 124) {
    const [first, second, third] = [bytes.u8(), bytes.u8(), bytes.u8()];
    return [signed(right, (first << 4) + (second >> 4)), signed(up, ((second & 15) << 8) + third)];
  }
  return [signed(right, bytes.u16()), signed(up, bytes.u16())];
}

function signed(isPositive: number, value: number): number {
  return isPositive ? value : -value;
}

/** A growing row of bytes. */
class Bytes {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  i16(value: number): void {
    const at = this.#grow(2);
    this.#bytes[at] = value >> 8;
    this.#bytes[at + 1] = value;
  }

  add(bytes: ArrayLike<number>): void {
    this.#bytes.set(bytes, this.#grow(bytes.length));
  }

  pad(): void {
    if (this.#length % 2 === 1) this.#grow(1);
  }

  all(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(count: number): number {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return start;
  }
}

/** Looks into the data: URLs of SVG markup: pictures of a size that is known, or fonts, and nothing else. */

/** A picture's data, or a font's; its letters of base64 may be parted by white space. */
const dataPattern =
  /^data:(?:image|font|application)\/[\w.+-]+(?:;[\w-]+=[\w-]+)*;base64,([A-Z0-9+/=\s]*)$/i;
const pngStart = '89504e470d0a1a0a';
/** WOFF, WOFF2, OpenType and TrueType. No font of a drawing is used, but drawing programs write them. */
const fontStart = /^(774f4646|774f4632|4f54544f|00010000|74727565)/;
/** Frame headers of JPEG (ITU T.81, table B.1); the others of this range are tables. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Pixels of one picture inside a drawing: 64 KiB of data seldom hold more, and 256 million of one colour fit in. */
export const embeddedPixelsMax = 4_000_000;

/**
 * Pixels of the picture in a data: URL, 0 of a font; undefined when it holds anything else. What it is
 * is told by its first bytes: librsvg loads an SVG whatever its type says, and then whatever that one
 * repeats; and 31 KB of PNG can say that they are 16,000 x 16,000 pixels, which took 20 s and 2.6 GB.
 */
export function embeddedPixels(url: string): number | undefined {
  const base64 = dataPattern.exec(url)?.[1];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const start = bytes.toString('hex', 0, 8);
  if (fontStart.test(start)) return 0;
  if (start === pngStart) return bytes.length < 24 ? undefined : pixelsAt(bytes, 16, 4);
  return start.startsWith('ffd8ff') ? jpegPixels(bytes) : undefined;
}

function pixelsAt(bytes: Buffer, offset: number, size: 2 | 4): number {
  return bytes.readUIntBE(offset, size) * bytes.readUIntBE(offset + size, size);
}

/** The largest frame that a JPEG announces; undefined without one. */
function jpegPixels(bytes: Buffer): number | undefined {
  let pixels: number | undefined;
  let offset = 2;
  while (offset + 9 <= bytes.length) {
    if (bytes[offset] !== 0xff) {
      offset += 1;
      continue;
    }
    const marker = bytes[offset + 1] ?? 0;
    if (isFrameMarker(marker)) pixels = Math.max(pixels ?? 0, pixelsAt(bytes, offset + 5, 2));
    // Markers without a length, fill bytes, and the data of a scan, in which 0xFF is followed by 0.
    const isBare = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
    offset += isBare ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return pixels;
}

/** Finds where on its screen a GIF's first frame lies (GIF89a, sections 18 and 20). */

/** A part of a picture, pixels. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Extensions looked at before the first frame; encoders write two or three. */
const extensionsMax = 1000;

const headBytes = 13;

/** The first frame of a file whose header was read before; undefined when there is none. */
export function firstFrame(bytes: Uint8Array): Frame | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = file[headBytes - 3] ?? 0;
  let offset = headBytes + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let extension = 0; extension < extensionsMax && file[offset] === 0x21; extension++) {
    offset += 2;
    // Blocks with their length before them, up to one of no bytes.
    for (let length = file[offset] ?? 0; length > 0; length = file[offset] ?? 0)
      offset += 1 + length;
    offset += 1;
  }
  if (file[offset] !== 0x2c || offset + 10 > file.length) return undefined;
  const side = (at: number): number => file.readUInt16LE(offset + at);
  return { left: side(1), top: side(3), width: side(5), height: side(7) };
}

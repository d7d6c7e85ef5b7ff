/** Reads from the head of a WOFF2 file how large it will be (WOFF2, 4 and 5.1). */
import { FontProblem } from './font-tables.ts';

const signature = 0x774f4632;
const tablesMax = 64;
/** Tables that may be stored in a form of their own: `glyf` and `loca`. */
const transformed = new Set([10, 11]);
const arbitraryTag = 63;

export function isWoff2(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 48 && viewOf(bytes).getUint32(0) === signature;
}

/** Bytes that its tables will have, stored and restored ones, whichever are more. Throws a `FontProblem` for a head that is damaged. */
export function declaredBytes(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const tables = view.getUint16(12);
  if (view.getUint32(4) === 0x74746366) {
    throw new FontProblem('is a collection: upload its fonts one by one');
  }
  if (tables < 1 || tables > tablesMax) throw new FontProblem('is a damaged WOFF2 file');
  let position = 48;
  const readByte = (): number => {
    if (position >= view.byteLength) throw new FontProblem('is a damaged WOFF2 file');
    position += 1;
    return view.getUint8(position - 1);
  };
  const readNumber = (): number => {
    let value = 0;
    for (let digit = 0; digit < 5; digit += 1) {
      const byte = readByte();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new FontProblem('is a damaged WOFF2 file');
  };
  const announced = view.getUint32(16);
  let stored = 0;
  let restored = 0;
  for (let index = 0; index < tables; index += 1) {
    const flags = readByte();
    const kind = flags & 63;
    if (kind === arbitraryTag) position += 4;
    const length = readNumber();
    const isTransformed = transformed.has(kind) ? flags >>> 6 === 0 : flags >>> 6 !== 0;
    restored += length;
    stored += isTransformed ? readNumber() : length;
  }
  return Math.max(announced, stored, restored);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

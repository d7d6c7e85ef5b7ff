/** Reads `data:` URLs (RFC 2397). */
import { ImageError } from './image-error.ts';

/**
 * The bytes of a `data:` URL of at most `charactersMax` characters, in shared memory that the caller
 * owns. The media type is not looked at: bytes say what they are. Throws an `ImageError`:
 * `too_large`, or `url` when there is no comma.
 */
export function parseDataUrl(text: string, charactersMax: number): Uint8Array<SharedArrayBuffer> {
  if (text.length > charactersMax) {
    const limit = Math.floor(charactersMax / 1024);
    throw new ImageError('too_large', `is a data URL of more than ${limit} KiB, the limit`);
  }
  const comma = text.indexOf(',');
  if (comma === -1) throw new ImageError('url', 'is a data URL without a comma before its data');
  const data = Buffer.from(unescapeBytes(text.slice(comma + 1)), 'latin1');
  const decoded = /;\s*base64\s*$/i.test(text.slice(0, comma)) ? fromBase64(data) : data;
  const shared = new Uint8Array(new SharedArrayBuffer(decoded.byteLength));
  shared.set(decoded);
  return shared;
}

/** Each byte as one Latin-1 sign; a `%` that starts no escape stays as it is. */
function unescapeBytes(data: string): string {
  return data.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Takes Base64 and base64url; signs that are neither are passed over, and the bytes speak for themselves. */
function fromBase64(data: Buffer): Buffer {
  // In a query string `+` means a space, so Base64 that nobody escaped arrives with spaces.
  return Buffer.from(data.toString('latin1').replaceAll(' ', '+'), 'base64');
}

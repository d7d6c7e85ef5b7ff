/** Encodes QR codes. */
import { createRequire } from 'node:module';
import type * as QrCode from '@nuintun/qrcode';
import { encode } from 'uqr';
import type { QrLayer } from '#language/schema/layers.ts';

/** Loaded with the first value beyond ASCII, because loading takes 50 ms. */
let qrCode: typeof QrCode | undefined;

const ascii = /^[\u0000-\u007f]*$/; // oxlint-disable-line no-control-regex -- all of ASCII

/**
 * The modules of a code without its quiet zone, by row. Letters beyond ASCII are UTF-8 with their interpretation (ECI 26),
 * without which some readers take them for Shift_JIS or Big5 (`docs/behaviour.md`). Throws for a value that is too long.
 */
export function qrModules(
  value: string,
  level: NonNullable<QrLayer['errorCorrection']>,
): boolean[][] {
  if (ascii.test(value)) return encode(value, { ecc: level, border: 0, boostEcc: false }).data;
  qrCode ??= createRequire(import.meta.url)('@nuintun/qrcode') as typeof QrCode;
  const { Byte, Charset, Encoder } = qrCode;
  const code = new Encoder({ level }).encode(new Byte(value, Charset.UTF_8));
  const indices = Array.from({ length: code.size }, (_, index) => index);
  return indices.map((y) => indices.map((x) => code.get(x, y) === 1));
}

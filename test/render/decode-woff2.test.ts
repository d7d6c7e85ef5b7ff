import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Blob, Face, Font } from 'harfbuzzjs';
import t from 'tap';
import { decodeWoff2 } from '../../src/render/decode-woff2.ts';
import { covers, readCoverage } from '../../workers/assets/font-coverage.ts';

const emoji = fileURLToPath(import.meta.resolve('twemoji-colr-font/twemoji.woff2'));
const compressed = readFileSync(emoji);

t.test('the bundled emoji come out as a whole TrueType font', (t) => {
  const file = decodeWoff2(compressed);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let sum = 0;
  for (let at = 0; at < file.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  t.equal(sum, 0xb1b0afba, 'its checksums add up (OpenType, head)');

  const path = join(t.testdir(), 'emoji.ttf');
  writeFileSync(path, file);
  t.same(readCoverage(path), readCoverage(emoji), 'it covers the same characters');
  t.ok(covers(readCoverage(path), 0x1f389));
  t.end();
});

t.test('every outline is the one that the reference decoder gives', (t) => {
  const font = new Font(new Face(new Blob(decodeWoff2(compressed))));
  const outlines = Array.from({ length: 65_535 }, (_, glyph) => font.glyphToPath(glyph));
  t.equal(outlines.filter((data) => data !== '').length, 10_130);
  // The outlines of the file that `woff2_decompress` of google/woff2 1.0.2 writes.
  t.equal(
    hash('sha256', outlines.join('\n')),
    'db74f57872f1b4503bae258c84e7d96ca75f2c4d1e8913c191aadba1ed0947a8',
  );
  t.end();
});

t.test('what is no font, or a damaged one, is an error', (t) => {
  t.throws(() => decodeWoff2(new Uint8Array()), RangeError);
  t.throws(() => decodeWoff2(new Uint8Array(100)), /no WOFF2 font/);
  t.throws(() => decodeWoff2(compressed.subarray(0, 1000)), RangeError);
  const collection = Uint8Array.from(compressed);
  collection.set(Buffer.from('ttcf'), 4);
  t.throws(() => decodeWoff2(collection), /a WOFF2 collection/);
  t.end();
});

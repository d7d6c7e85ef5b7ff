#!/usr/bin/env bash
# The QR code of Łukasz says Aukasz.
#
# Versions   qrcode-generator 2.0.4 and 1.4.4, qr.js 0.0.0, qrcode 1.5.4, zxing-wasm 3.1.6 and jsqr 1.4.0 (read),
#            sharp 0.35.5 (draws), Node.js 22
# Guess      A text is written in UTF-8, or one that cannot be written is an error.
# Behaviour  qrcode-generator (also 1.4.4, on which qr-code-styling 1.9.2 stands) and qr.js take the lower eight bits of
#            each character: Ł (U+0141) becomes A. Letters up to U+00FF come as single bytes, which zxing guesses right and
#            jsQR reads as nothing. qrcode writes UTF-8.
# Harm       A ticket or a link opens, with another name in it. Tests with Müller pass.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages qrcode-generator@2.0.4 qrcode-generator-1@npm:qrcode-generator@1.4.4 qr.js@0.0.0 qrcode@1.5.4 zxing-wasm@3.1.6 jsqr@1.4.0 sharp@0.35.5

cat >program.cjs <<'PROGRAM'
const { readFileSync } = require('node:fs');
const jsqr = require('jsqr');
const qrjs = require('qr.js');
const { create } = require('qrcode');
const generators = { 2: require('qrcode-generator'), 1: require('qrcode-generator-1') };
const sharp = require('sharp');
const { prepareZXingModule, readBarcodes } = require('zxing-wasm/reader');

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) } });
const [pixels, quiet] = [6, 4];
/** Draws a code of `size` modules, and reads it with both readers. */
async function read(size, isDark) {
  const width = (size + 2 * quiet) * pixels;
  const grey = Buffer.alloc(width * width, 255);
  for (let at = 0; at < grey.length; at += 1) {
    const [row, column] = [at / width, at % width].map((value) => Math.floor(value / pixels) - quiet);
    const isInside = row >= 0 && column >= 0 && row < size && column < size;
    if (isInside && isDark(row, column)) grey[at] = 0;
  }
  const image = sharp(grey, { raw: { width, height: width, channels: 1 } });
  const rgba = await image.clone().toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const [found] = await readBarcodes(new Blob([await image.png().toBuffer()]));
  return `zxing "${found?.text}", jsQR "${jsqr(new Uint8ClampedArray(rgba), width, width)?.data}"`;
}

async function run() {
  for (const text of ['Łukasz', 'https://example.com/?n=Müller']) {
    for (const [version, generator] of Object.entries(generators)) {
      const code = generator(0, 'M');
      code.addData(text);
      code.make();
      const answer = await read(code.getModuleCount(), (y, x) => code.isDark(y, x));
      console.log(`${text}, qrcode-generator ${version}: ${answer}`);
    }
    const { modules } = qrjs(text);
    const other = create(text).modules;
    console.log(`${text}, qr.js: ${await read(modules.length, (y, x) => modules[y][x])}`);
    console.log(`${text}, qrcode: ${await read(other.size, (y, x) => other.get(y, x))}`);
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
Łukasz, qrcode-generator 1: zxing "Aukasz", jsQR "Aukasz"
Łukasz, qrcode-generator 2: zxing "Aukasz", jsQR "Aukasz"
Łukasz, qr.js: zxing "Aukasz", jsQR "Aukasz"
Łukasz, qrcode: zxing "Łukasz", jsQR "Łukasz"
https://example.com/?n=Müller, qrcode-generator 1: zxing "https://example.com/?n=Müller", jsQR ""
https://example.com/?n=Müller, qrcode-generator 2: zxing "https://example.com/?n=Müller", jsQR ""
https://example.com/?n=Müller, qr.js: zxing "https://example.com/?n=Müller", jsQR ""
https://example.com/?n=Müller, qrcode: zxing "https://example.com/?n=Müller", jsQR "https://example.com/?n=Müller"
SEEN

#!/usr/bin/env bash
# A barcode of CAFÉ says CAF.
#
# Versions   jsbarcode 3.12.3, zxing-wasm 3.1.6 (reads), sharp 0.35.5 (draws), Node.js 22
# Guess      Code 128 has ASCII, and Latin-1 by FNC4. A value with other letters is invalid, or reads as it is.
# Behaviour  Letters from È to Ó (U+00C8 to U+00D3) are JsBarcode's own names for control signs, in values of callers too:
#            they are lost from the bars and from the words beside them, and the value is said to be valid. Letters
#            outside of that range, such as Ü and é, are refused.
# Harm       CAFÉ10 and CAF10 are one code at the till. In lower case or in German the same shop gets an error.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages jsbarcode@3.12.3 zxing-wasm@3.1.6 sharp@0.35.5

cat >program.cjs <<'PROGRAM'
const { readFileSync } = require('node:fs');
const JsBarcode = require('jsbarcode');
const sharp = require('sharp');
const { prepareZXingModule, readBarcodes } = require('zxing-wasm/reader');

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) } });
const [pixels, quiet, height] = [3, 10, 60];
/** Draws bars, given as a text of 0 and 1, and reads them. */
async function read(bars) {
  const width = (bars.length + 2 * quiet) * pixels;
  const row = Buffer.alloc(width, 255);
  for (let x = 0; x < width; x += 1) if (bars[Math.floor(x / pixels) - quiet] === '1') row[x] = 0;
  const grey = Buffer.concat(Array.from({ length: height }, () => row));
  const png = await sharp(grey, { raw: { width, height, channels: 1 } }).png().toBuffer();
  const [found] = await readBarcodes(new Blob([png]));
  return `"${found?.text}"`;
}

async function run() {
  for (const value of ['CAFE10', 'CAFÉ10', 'CÎME', 'AÏDA', 'FÜR', 'Café10']) {
    const drawn = {};
    let isValid = true;
    JsBarcode(drawn, value, { format: 'CODE128', valid: (answer) => (isValid = answer) });
    if (!isValid) console.log(`${value}: invalid`);
    else {
      const join = (key) => drawn.encodings.map((part) => part[key]).join('');
      console.log(`${value}: words ${join('text')}, reads ${await read(join('data'))}`);
    }
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
CAFE10: words CAFE10, reads "CAFE10"
CAFÉ10: words CAF10, reads "CAF10"
CÎME: words CME, reads "CME"
AÏDA: words ADA, reads "ADA"
FÜR: invalid
Café10: invalid
SEEN

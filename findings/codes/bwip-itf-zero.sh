#!/usr/bin/env bash
# The barcode of the number 123 says 0123.
#
# Versions   bwip-js 4.11.4, jsbarcode 3.12.3, zxing-wasm 3.1.6 (reads), Node.js 22
# Guess      Interleaved 2 of 5 holds pairs of digits (ISO/IEC 16390), so an odd number of them is an error, as it is in
#            JsBarcode.
# Behaviour  bwip-js puts a zero before the number, without a word. With `includecheck` it is the even number that gets a
#            zero, and the check digit is read as a part of the number.
# Harm       Members 123 and 0123 share one code. The till looks for a number that nobody has.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages bwip-js@4.11.4 jsbarcode@3.12.3 zxing-wasm@3.1.6

cat >program.cjs <<'PROGRAM'
const { readFileSync } = require('node:fs');
const { toBuffer } = require('bwip-js');
const JsBarcode = require('jsbarcode');
const { prepareZXingModule, readBarcodes } = require('zxing-wasm/reader');

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) } });
async function run() {
  for (const text of ['123', '1234'])
    for (const includecheck of [false, true]) {
      const options = { bcid: 'interleaved2of5', text, includecheck, scale: 4, padding: 10, backgroundcolor: 'ffffff' };
      const [found] = await readBarcodes(new Blob([await toBuffer(options)]), { formats: ['ITF'] });
      console.log(`bwip-js, ${text}${includecheck ? ' with a check digit' : ''}: ${found?.text}`);
    }
  let isValid = true;
  JsBarcode({}, '123', { format: 'ITF', valid: (answer) => (isValid = answer) });
  console.log(`JsBarcode, 123: ${isValid ? 'valid' : 'invalid'}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
bwip-js, 123: 0123
bwip-js, 123 with a check digit: 1236
bwip-js, 1234: 1234
bwip-js, 1234 with a check digit: 012348
JsBarcode, 123: invalid
SEEN

#!/usr/bin/env bash
# A barcode of "Müller" says "MÃ¼ller", while the matrix codes of the same package are right.
#
# Versions   bwip-js 4.11.4, zxing-wasm 3.1.6 (reads), Node.js 22
# Guess      Code 128 has the letters of Latin-1 (ISO 15417, FNC4), so that Müller is read as it is, as in the other codes
#            of the package. 東京 is an error.
# Behaviour  bwip-js writes the bytes of UTF-8 with FNC4, for any text. Code 128 cannot say so (it has no ECI), and the
#            reader takes them for Latin-1, as the standard has it. MaxiCode, which could say so, has the same fault.
#            Data Matrix, PDF417, Aztec and QR are right.
# Harm       A voucher for Müller is unknown at the till. Even 東京 gives bars, which read as other signs.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages bwip-js@4.11.4 zxing-wasm@3.1.6

cat >program.cjs <<'PROGRAM'
const { readFileSync } = require('node:fs');
const { toBuffer } = require('bwip-js');
const { prepareZXingModule, readBarcodes } = require('zxing-wasm/reader');

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) } });
const visible = (text) => text?.replaceAll(/[\u0080-\u009f]/gu, (sign) => `<${sign.charCodeAt(0).toString(16)}>`);
async function run() {
  for (const text of ['Müller', '東京'])
    for (const bcid of ['code128', 'maxicode', 'datamatrix', 'pdf417', 'azteccode', 'qrcode']) {
      const png = await toBuffer({ bcid, text, scale: 4, padding: 10, backgroundcolor: 'ffffff' });
      const [found] = await readBarcodes(new Blob([png]), { tryHarder: true });
      console.log(`${text}, ${bcid}: ${visible(found?.text)}`);
    }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
Müller, code128: MÃ¼ller
Müller, maxicode: MÃ¼ller
Müller, datamatrix: Müller
Müller, pdf417: Müller
Müller, azteccode: Müller
Müller, qrcode: Müller
東京, code128: æ<9d>±äº¬
東京, maxicode: æ<9d>±äº¬
東京, datamatrix: 東京
東京, pdf417: 東京
東京, azteccode: 東京
東京, qrcode: 東京
SEEN

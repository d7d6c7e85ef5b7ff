#!/usr/bin/env bash
# Photos named by people lose their names in three of five readers of ZIP files.
#
# Versions   fflate 0.8.3, adm-zip 0.6.1, unzipper 0.12.5, jszip 3.10.2, yauzl 3.4.0, Node.js 22
# Guess      A name that an archive has twice, in an old code page and in UTF-8 (the Info-ZIP Unicode Path field 0x7075 of
#            APPNOTE 4.6.9, which WinZip and Info-ZIP write), is read from the UTF-8, if its check sum fits.
# Behaviour  jszip and yauzl do so. fflate, adm-zip and unzipper take the bytes of the code page: for Latin-1, for broken
#            UTF-8, and for broken UTF-8. No error is raised.
# Harm       A list joins the photo of each person by its file name. Those with an umlaut, and all in Japanese, have none.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages fflate@0.8.3 adm-zip@0.6.1 unzipper@0.12.5 jszip@3.10.2 yauzl@3.4.0

cat >program.cjs <<'PROGRAM'
const { crc32 } = require('node:zlib');
const AdmZip = require('adm-zip');
const { unzipSync } = require('fflate');
const JSZip = require('jszip');
const { Open } = require('unzipper');
const yauzl = require('yauzl');

const u16 = (value) => Buffer.from([value & 255, value >> 8]);
const u32 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]);
/** An archive of one stored file, whose name stands in a code page and in the field of UTF-8. */
function archive(codePage, name) {
  const path = Buffer.from(name);
  const extra = Buffer.concat([u16(0x7075), u16(5 + path.length), Buffer.from([1]), u32(crc32(codePage)), path]);
  const data = Buffer.from('photo');
  const sizes = [u32(crc32(data)), u32(data.length), u32(data.length), u16(codePage.length), u16(extra.length)];
  const fixed = Buffer.concat([u16(20), u16(0), u16(0), u16(0), u16(0x21), ...sizes]);
  const file = Buffer.concat([u32(0x04034b50), fixed, codePage, extra, data]);
  const rest = Buffer.concat([u16(0), u16(0), u16(0), u32(0), u32(0)]);
  const entry = Buffer.concat([u32(0x02014b50), u16(20), fixed, rest, codePage, extra]);
  const end = Buffer.concat([u32(0x06054b50), u32(0), u16(1), u16(1), u32(entry.length), u32(file.length), u16(0)]);
  return Buffer.concat([file, entry, end]);
}
const visible = (text) => text.replaceAll(/[\u0080-\u009f]/gu, (sign) => `<${sign.charCodeAt(0).toString(16)}>`);
const first = (zip) =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(zip, { lazyEntries: true }, (error, opened) => {
      if (error) return reject(error);
      opened.on('entry', ({ fileName }) => resolve(fileName)).readEntry();
    });
  });

async function run() {
  const files = { 'Jürgen.jpg': 'J\x81rgen.jpg', '東京.jpg': '\x93\x8c\x8b\x9e.jpg' };
  for (const [name, codePage] of Object.entries(files)) {
    const zip = archive(Buffer.from(codePage, 'latin1'), name);
    const names = {
      fflate: Object.keys(unzipSync(zip))[0],
      'adm-zip': new AdmZip(zip).getEntries()[0].entryName,
      unzipper: (await Open.buffer(zip)).files[0].path,
      jszip: Object.keys((await JSZip.loadAsync(zip)).files)[0],
      yauzl: await first(zip),
    };
    for (const [reader, read] of Object.entries(names)) console.log(`${name}, ${reader}: ${visible(read)}`);
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
Jürgen.jpg, fflate: J<81>rgen.jpg
Jürgen.jpg, adm-zip: J�rgen.jpg
Jürgen.jpg, unzipper: J�rgen.jpg
Jürgen.jpg, jszip: Jürgen.jpg
Jürgen.jpg, yauzl: Jürgen.jpg
東京.jpg, fflate: <93><8c><8b><9e>.jpg
東京.jpg, adm-zip: ����.jpg
東京.jpg, unzipper: ����.jpg
東京.jpg, jszip: 東京.jpg
東京.jpg, yauzl: 東京.jpg
SEEN

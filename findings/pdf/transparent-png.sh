#!/usr/bin/env bash
# PNG files with a transparent colour are drawn wrong by two of three writers of PDF.
#
# Versions   pdfkit 0.20.2, jspdf 4.2.1, pdf-lib 1.17.1, mupdf 1.28.1 (draws the pages), Node.js 22
# Guess      The forms of transparency of PNG (`tRNS` for a palette, one grey or one RGB colour, alpha with 8 and 16 bits)
#            are drawn right, or refused.
# Behaviour  pdfkit gives the alpha of a palette with 1 or 4 bits to the wrong pixels: the transparent colour is seen, or
#            the opaque one is not. It ignores one transparent grey or RGB colour, as jspdf does. jspdf takes the lower byte
#            of 16-bit values, so that alpha and colour are by chance. pdf-lib is right, and all three are for 8-bit
#            palettes and 8-bit alpha.
# Harm       Optimisers of PNG choose these forms for logos. The ticket or invoice then has a box behind the logo, or holes
#            in it, while the same file is right in every browser.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages pdfkit@0.20.2 jspdf@4.2.1 pdf-lib@1.17.1 mupdf@1.28.1

cat >program.mjs <<'PROGRAM'
import { crc32, deflateSync } from 'node:zlib';
import { jsPDF } from 'jspdf';
import { ColorSpace, Document } from 'mupdf';
import { PDFDocument } from 'pdf-lib';
import PDFKit from 'pdfkit';

const u32 = (value) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const chunk = (type, data) => {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
};
/** A PNG of 8 × 1 pixels: the left half is transparent, the right half is opaque. */
const png = (bits, colour, row, chunks = []) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', [...u32(8), ...u32(1), bits, colour, 0, 0, 0]),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.from([0, ...row]))),
    chunk('IEND', []),
  ]);
const repeat = (left, right) => [left, right].flatMap((pixel) => Array.from({ length: 4 }, () => pixel).flat());
const palette = [['PLTE', [255, 0, 0, 0, 128, 0]], ['tRNS', [0, 255]]];
const files = {
  'palette, 8 bits': png(8, 3, repeat(0, 1), palette),
  'palette, 4 bits': png(4, 3, [0, 0, 0x11, 0x11], palette),
  'palette, 1 bit': png(1, 3, [0x0f], palette),
  'one grey': png(8, 0, repeat(200, 50), [['tRNS', [0, 200]]]),
  'one RGB': png(8, 2, repeat([255, 0, 0], [0, 128, 0]), [['tRNS', [0, 255, 0, 0, 0, 0]]]),
  'alpha, 8 bits': png(8, 6, repeat([255, 0, 0, 0], [0, 128, 0, 255])),
  'alpha, 16 bits': png(16, 6, repeat([255, 0, 0, 0, 0, 0, 0, 255], [0, 0, 128, 0, 0, 0, 255, 0])),
};
const writers = {
  pdfkit: async (image) => {
    const document = new PDFKit({ size: [80, 80], margin: 0 });
    document.image(image, 0, 0, { width: 80, height: 80 }).end();
    return Buffer.concat(await document.toArray());
  },
  jspdf: async (image) =>
    Buffer.from(new jsPDF({ unit: 'pt', format: [80, 80] }).addImage(image, 'PNG', 0, 0, 80, 80).output('arraybuffer')),
  'pdf-lib': async (image) => {
    const document = await PDFDocument.create();
    document.addPage([80, 80]).drawImage(await document.embedPng(image), { x: 0, y: 0, width: 80, height: 80 });
    return Buffer.from(await document.save());
  },
};
for (const [form, image] of Object.entries(files))
  for (const [writer, write] of Object.entries(writers)) {
    const page = Document.openDocument(await write(image), 'application/pdf').loadPage(0);
    const drawn = page.toPixmap([1, 0, 0, 1, 0, 0], ColorSpace.DeviceRGB, false);
    const at = (x) => Buffer.from(drawn.getPixels().slice(40 * drawn.getStride() + x * 3).slice(0, 3)).toString('hex');
    console.log(`${form}, ${writer}: ${at(20)} ${at(60)}`);
  }
PROGRAM

run_and_compare program.mjs <<'SEEN'
palette, 8 bits, pdfkit: ffffff 008000
palette, 8 bits, jspdf: ffffff 008000
palette, 8 bits, pdf-lib: ffffff 008000
palette, 4 bits, pdfkit: ff0000 ffffff
palette, 4 bits, jspdf: ffffff 008000
palette, 4 bits, pdf-lib: ffffff 008000
palette, 1 bit, pdfkit: ffffff ffffff
palette, 1 bit, jspdf: ffffff 008000
palette, 1 bit, pdf-lib: ffffff 008000
one grey, pdfkit: c8c8c8 323232
one grey, jspdf: c8c8c8 323232
one grey, pdf-lib: ffffff 323232
one RGB, pdfkit: ff0000 008000
one RGB, jspdf: ff0000 008000
one RGB, pdf-lib: ffffff 008000
alpha, 8 bits, pdfkit: ffffff 008000
alpha, 8 bits, jspdf: ffffff 008000
alpha, 8 bits, pdf-lib: ffffff 008000
alpha, 16 bits, pdfkit: ffffff 008000
alpha, 16 bits, jspdf: 000000 ffffff
alpha, 16 bits, pdf-lib: ffffff 008000
SEEN

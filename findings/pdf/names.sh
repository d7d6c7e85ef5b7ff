#!/usr/bin/env bash
# One letter of a name makes the whole name unreadable in a PDF.
#
# Versions   pdfkit 0.20.2, jspdf 4.2.1, pdf-lib 1.17.1, mupdf 1.28.1 (reads the text), Node.js 22
# Guess      The fonts that each PDF reader has (Helvetica) lack Ł. The name is an error, or lacks that letter.
# Behaviour  pdf-lib raises an error. jspdf writes the whole text as UTF-16 into a font of single bytes: each letter gets an
#            empty sign before it, and Ł becomes A. pdfkit loses its place: the letters behind Ł become others. Names of
#            Western Europe are right in all three.
# Harm       A certificate is made without an error, and the name on it is none. The test with Müller passes.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages pdfkit@0.20.2 jspdf@4.2.1 pdf-lib@1.17.1 mupdf@1.28.1

cat >program.mjs <<'PROGRAM'
import { jsPDF } from 'jspdf';
import { Document } from 'mupdf';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import PDFKit from 'pdfkit';

const writers = {
  pdfkit: async (name) => {
    const document = new PDFKit({ size: [200, 200], margin: 0 });
    document.font('Helvetica').text(name, 20, 100).end();
    return Buffer.concat(await document.toArray());
  },
  jspdf: async (name) =>
    Buffer.from(new jsPDF({ unit: 'pt', format: [200, 200] }).text(name, 20, 100).output('arraybuffer')),
  'pdf-lib': async (name) => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    document.addPage([200, 200]).drawText(name, { x: 20, y: 100, font });
    return Buffer.from(await document.save());
  },
};
for (const name of ['Müller', 'Łukasz', 'Anna Şahin'])
  for (const [writer, write] of Object.entries(writers)) {
    try {
      const page = Document.openDocument(await write(name), 'application/pdf').loadPage(0);
      const text = page.toStructuredText('preserve-whitespace').asText().trim();
      console.log(`${name}, ${writer}: ${text.replaceAll('\ufffd', '?')}`);
    } catch (error) {
      console.log(`${name}, ${writer}: ${error.message}`);
    }
  }
PROGRAM

run_and_compare program.mjs <<'SEEN'
Müller, pdfkit: Müller
Müller, jspdf: Müller
Müller, pdf-lib: Müller
Łukasz, pdfkit: ??V¶?7
Łukasz, jspdf: ?A?u?k?a?s?z
Łukasz, pdf-lib: WinAnsi cannot encode "Ł" (0x0141)
Anna Şahin, pdfkit: Anna ?æ?†–à
Anna Şahin, jspdf: ?A?n?n?a? ?^?a?h?i?n
Anna Şahin, pdf-lib: WinAnsi cannot encode "Ş" (0x015e)
SEEN

#!/usr/bin/env bash
# A colour of CSS becomes blue, black or the colour before it in a PDF.
#
# Versions   pdfkit 0.20.2, jspdf 4.2.1, mupdf 1.28.1 (draws the pages), Node.js 22
# Guess      Both packages take colours as CSS writes them: red is drawn red, or a form that they lack is an error.
# Behaviour  pdfkit ignores `rgb(…)` and other forms that it lacks, so the fill keeps the colour before. It takes any text
#            after `#` for one number: red with an alpha (`#ff000080`) is dark blue, `#f00f` is green. jspdf draws colours
#            with an alpha black, with a broken content stream, and refuses the other forms that it lacks.
# Harm       The colour of a brand that a browser's picker gave is another one on the ticket. No error is raised.
# Seen       The lines at the end. Before each colour the fill is #00ff00.
source "$(dirname "$0")/../finding.sh"
install_packages pdfkit@0.20.2 jspdf@4.2.1 mupdf@1.28.1

cat >program.mjs <<'PROGRAM'
import { jsPDF } from 'jspdf';
import { ColorSpace, Document } from 'mupdf';
import PDFKit from 'pdfkit';

const writers = {
  pdfkit: async (colour) => {
    const document = new PDFKit({ size: [20, 20], margin: 0 });
    document.fillColor('#00ff00').fillColor(colour).rect(0, 0, 20, 20).fill().end();
    return Buffer.concat(await document.toArray());
  },
  jspdf: async (colour) => {
    const document = new jsPDF({ unit: 'pt', format: [20, 20] }).setFillColor('#00ff00').setFillColor(colour);
    return Buffer.from(document.rect(0, 0, 20, 20, 'F').output('arraybuffer'));
  },
};
for (const colour of ['#ff0000', '#f00', 'red', 'rgb(255,0,0)', 'rgb(255 0 0)', '#ff000080', '#f00f'])
  for (const [writer, write] of Object.entries(writers)) {
    try {
      const page = Document.openDocument(await write(colour), 'application/pdf').loadPage(0);
      const drawn = page.toPixmap([1, 0, 0, 1, 0, 0], ColorSpace.DeviceRGB, false);
      console.log(`${colour}, ${writer}: #${Buffer.from(drawn.getPixels().slice(0, 3)).toString('hex')}`);
    } catch (error) {
      console.log(`${colour}, ${writer}: ${error.message}`);
    }
  }
PROGRAM

run_and_compare program.mjs <<'SEEN'
#ff0000, pdfkit: #ff0000
#ff0000, jspdf: #ff0000
#f00, pdfkit: #ff0000
#f00, jspdf: #ff0000
red, pdfkit: #ff0000
red, jspdf: #ff0000
rgb(255,0,0), pdfkit: #00ff00
rgb(255,0,0), jspdf: #ff0000
rgb(255 0 0), pdfkit: #00ff00
rgb(255 0 0), jspdf: Invalid color "rgb(255 0 0)" passed to jsPDF.encodeColorString.
#ff000080, pdfkit: #00007f
#ff000080, jspdf: #000000
#f00f, pdfkit: #00f00f
#f00f, jspdf: #000000
SEEN

#!/usr/bin/env bash
# A photo of a phone inside an SVG file lies on its side.
#
# Versions   @resvg/resvg-js 2.6.2, sharp 0.35.5 (librsvg), Node.js 22; Chromium 156.0.8078.114 draws it upright
# Guess      A JPEG in `<image>` is drawn as the JPEG alone: upright. CSS Images 3 turns images by their EXIF orientation
#            (`image-orientation: from-image`), and SVG 2 has its images so.
# Behaviour  Both renderers draw the stored pixels, and know no `image-orientation`. sharp turns the JPEG alone, with
#            `rotate()`, and has no option for the one inside.
# Harm       A designer sees a portrait upright in the browser and in the program that made the file. In the image that is
#            sent it lies, and does not fill its frame.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages @resvg/resvg-js@2.6.2 sharp@0.35.5

cat >program.cjs <<'PROGRAM'
const { Resvg } = require('@resvg/resvg-js');
const sharp = require('sharp');

const side = 64;
const names = { 'ff0000': 'red', '00ff00': 'green', '0000ff': 'blue', 'ffff00': 'yellow' };
const row = (left, right) => Buffer.from(left.repeat(side / 2) + right.repeat(side / 2), 'hex');
const rows = [...Array(side / 2).fill(row('ff0000', '00ff00')), ...Array(side / 2).fill(row('0000ff', 'ffff00'))];
/** The colours of the four quarters, row by row. */
async function quarters(image) {
  const { data, info } = await image.resize(2, 2, { kernel: 'nearest' }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const round = (value) => (value > 127 ? 'ff' : '00');
  return [0, 1, 2, 3].map((at) => names[[...data.subarray(at * info.channels, at * info.channels + 3)].map(round).join('')]).join(' ');
}

async function run() {
  const raw = { width: side, height: side, channels: 3 };
  const jpeg = await sharp(Buffer.concat(rows), { raw }).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
<image width="64" height="64" style="image-orientation:from-image" xlink:href="data:image/jpeg;base64,${jpeg.toString('base64')}"/></svg>`;
  console.log(`JPEG alone, sharp: ${await quarters(sharp(await sharp(jpeg).rotate().png().toBuffer()))}`);
  console.log(`in SVG, sharp: ${await quarters(sharp(await sharp(Buffer.from(svg)).png().toBuffer()))}`);
  console.log(`in SVG, resvg: ${await quarters(sharp(new Resvg(svg).render().asPng()))}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
JPEG alone, sharp: blue red yellow green
in SVG, sharp: red green blue yellow
in SVG, resvg: red green blue yellow
SEEN

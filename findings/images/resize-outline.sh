#!/usr/bin/env bash
# A logo with a transparent ground gets a dark outline when it is made smaller.
#
# Versions   jimp 1.6.1, @silvia-odwyer/photon-node 0.3.4, @napi-rs/image 1.15.0, sharp 0.35.5, Node.js 22
# Guess      Edges stay red: colours are weighted with their opacity, as in sharp, canvases and browsers.
# Behaviour  Each channel is averaged alone, so the black that transparent pixels have unseen darkens the edge: half red,
#            half nothing becomes half-transparent dark red. jimp's `resize` without a mode is right, and its other
#            modes are not.
# Harm       Logos and cut-out portraits have a dark rim on a light ground, which the original lacks.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages jimp@1.6.1 @silvia-odwyer/photon-node@0.3.4 @napi-rs/image@1.15.0 sharp@0.35.5

cat >program.cjs <<'PROGRAM'
const { Transformer } = require('@napi-rs/image');
const { PhotonImage, resize, SamplingFilter } = require('@silvia-odwyer/photon-node');
const { Jimp } = require('jimp');
const sharp = require('sharp');

const [side, half] = [8, 4];
const pixels = Buffer.alloc(side * side * 4);
for (let at = 0; at < pixels.length; at += 4) if ((at / 4) % side < 3) pixels.set([255, 0, 0, 255], at);
/** The red and the opacity of the pixel that was half red, half transparent. */
function edge(data) {
  const at = (half + 1) * 4;
  return `red ${data[at]}, opacity ${data[at + 3]}`;
}

async function run() {
  const png = await sharp(pixels, { raw: { width: side, height: side, channels: 4 } }).png().toBuffer();
  console.log(`sharp: ${edge(await sharp(png).resize(half).raw().toBuffer())}`);
  for (const mode of [undefined, 'bicubicInterpolation', 'hermiteInterpolation', 'bezierInterpolation']) {
    const image = await Jimp.read(png);
    console.log(`jimp, ${mode ?? 'no mode'}: ${edge(image.resize({ w: half, h: half, mode }).bitmap.data)}`);
  }
  const photon = resize(PhotonImage.new_from_byteslice(new Uint8Array(png)), half, half, SamplingFilter.Triangle);
  console.log(`photon: ${edge(photon.get_raw_pixels())}`);
  const napi = await new Transformer(png).resize(half, half).png();
  console.log(`@napi-rs/image: ${edge(await sharp(napi).raw().toBuffer())}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
sharp: red 255, opacity 128
jimp, no mode: red 255, opacity 128
jimp, bicubicInterpolation: red 175, opacity 175
jimp, hermiteInterpolation: red 172, opacity 172
jimp, bezierInterpolation: red 174, opacity 174
photon: red 128, opacity 128
@napi-rs/image: red 130, opacity 130
SEEN

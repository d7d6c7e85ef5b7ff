#!/usr/bin/env bash
# An animated image that sharp flips plays backwards, and its frames run into each other.
#
# Versions   sharp 0.35.5, Node.js 22
# Guess      With `animated: true` each operation works on each frame. Those that cannot, such as `rotate(90)`, are refused:
#            "not supported for multi-page images".
# Behaviour  sharp holds the frames as one high image. `flip()` and `rotate(180)` turn it whole, so the frames change their
#            order. `blur` and even `resize` take pixels of the frame before and the next at the edge.
# Harm       A mirrored countdown counts upwards. A smaller GIF has a line of the next frame along its edge.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages sharp@0.35.5

cat >program.cjs <<'PROGRAM'
const sharp = require('sharp');

const [side, colours] = [20, ['#ff0000', '#00ff00', '#0000ff']];
const raw = { width: side, height: side * colours.length, channels: 3, pageHeight: side };
const frames = colours.map((colour) => Buffer.from(colour.slice(1).repeat(side * side), 'hex'));

/** The colours of the upper and the lower edge of each frame, after an operation. */
async function edges(gif, change) {
  const webp = await change(sharp(gif, { animated: true })).webp({ lossless: true }).toBuffer();
  const { data, info } = await sharp(webp, { animated: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { pageHeight } = await sharp(webp, { animated: true }).metadata();
  const at = (row) => data.subarray(row * info.width * 3, row * info.width * 3 + 3).toString('hex');
  return colours.map((_, page) => `${at(page * pageHeight)}–${at((page + 1) * pageHeight - 1)}`).join(' ');
}

async function run() {
  const gif = await sharp(Buffer.concat(frames), { raw }).gif().toBuffer();
  const changes = {
    nothing: (image) => image,
    flip: (image) => image.flip(),
    'rotate(180)': (image) => image.rotate(180),
    flop: (image) => image.flop(),
    'blur(4)': (image) => image.blur(4),
    'resize(10)': (image) => image.resize(10),
    'resize(30)': (image) => image.resize(30),
  };
  for (const [name, change] of Object.entries(changes)) console.log(`${name}: ${await edges(gif, change)}`);
  try {
    await edges(gif, (image) => image.rotate(90));
  } catch (error) {
    console.log(`rotate(90): ${error.message}`);
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
nothing: ff0000–ff0000 00ff00–00ff00 0000ff–0000ff
flip: 0000ff–0000ff 00ff00–00ff00 ff0000–ff0000
rotate(180): 0000ff–0000ff 00ff00–00ff00 ff0000–ff0000
flop: ff0000–ff0000 00ff00–00ff00 0000ff–0000ff
blur(4): ff0000–8d7200 728d00–008d72 00728d–0000ff
resize(10): ff0000–f10e00 0ef100–00f10e 000ef1–0000ff
resize(30): ff0000–ff0000 808000–00ff00 008080–0000ff
rotate(90): Rotate is not supported for multi-page images
SEEN

/** Draws the source images of the golden cases: `node test/golden/images/draw.ts` writes them all again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { u32, withChunks } from '../../fixtures/images-files.ts';

/** An image as PNG from its SVG markup. */
function drawSvg(width: number, height: number, markup: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${markup}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function write(name: string, bytes: Buffer): void {
  writeFileSync(join(import.meta.dirname, name), bytes);
}

/** Hills under a sky with the sun at the upper right: left, right, top and bottom can be distinguished. */
const photo = await drawSvg(
  180,
  120,
  `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#3b6fb5"/><stop offset="1" stop-color="#f6d7a7"/></linearGradient></defs>
   <rect width="180" height="120" fill="url(#sky)"/><circle cx="140" cy="35" r="16" fill="#fff3c4"/>
   <path d="M0 95L45 50L80 85L110 60L180 100V120H0Z" fill="#35523f"/><path d="M0 110Q60 80 180 115V120H0Z" fill="#7a9a4b"/>
   <rect x="28" y="84" width="14" height="20" fill="#b3402f"/>`,
);
write('photo.jpg', await sharp(photo).jpeg({ quality: 82 }).toBuffer());
write('photo.webp', await sharp(photo).webp({ quality: 82 }).toBuffer());
write('photo.avif', await sharp(photo).avif({ quality: 60 }).toBuffer());
write('photo.gif', await sharp(photo).gif().toBuffer());
write('photo.tiff', await sharp(photo).tiff({ compression: 'deflate' }).toBuffer());
// The same numbers as other colours: of linear light, of Display P3, and as inks without a profile.
write('photo-linear.png', withChunks(photo, [['gAMA', u32(100_000)]]));
write('photo-p3.png', withChunks(photo, [['cICP', Buffer.of(12, 13, 0, 1)]]));
const inks = sharp(photo).flatten().toColourspace('cmyk');
write('photo-cmyk.jpg', await inks.jpeg({ quality: 82 }).toBuffer());

/** How to store an upright image so that each EXIF orientation turns it upright again (Exif 2.32, 4.6.4). */
const storedAs: Record<number, (image: Sharp) => Sharp> = {
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flop().rotate(270),
  6: (image) => image.rotate(270),
  7: (image) => image.flop().rotate(90),
  8: (image) => image.rotate(90),
};
const letter = await drawSvg(
  48,
  36,
  `<rect width="48" height="36" fill="#f4efe6"/><path d="M14 30V6H34M14 17H28" stroke="#20639b" stroke-width="6" fill="none"/>
   <circle cx="40" cy="29" r="4" fill="#d7263d"/>`,
);
for (const [orientation, store] of Object.entries(storedAs)) {
  // sharp mirrors before it turns, whatever the order of the calls.
  const turned = await store(sharp(letter)).png().toBuffer();
  const bytes = await sharp(turned)
    .withMetadata({ orientation: Number(orientation) })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
  write(`exif-${orientation}.jpg`, bytes);
}

/** A ring that is half transparent inside, on nothing. */
write(
  'ring.png',
  await drawSvg(
    80,
    80,
    `<circle cx="40" cy="40" r="34" fill="#2f8f9d" fill-opacity=".4" stroke="#12355b" stroke-width="8"/>`,
  ),
);

/** A silhouette, as icons come. */
write(
  'heart.png',
  await drawSvg(
    64,
    64,
    `<path d="M32 56C8 38 4 26 8 16C13 6 26 7 32 18C38 7 51 6 56 16C60 26 56 38 32 56Z"/>`,
  ),
);

/** Four pixels by four. */
const tiny = Buffer.from(
  Array.from(
    { length: 16 },
    (_, index) =>
      [
        [215, 38, 61],
        [244, 211, 94],
        [32, 99, 155],
        [60, 174, 163],
      ][(index + (index >> 2)) % 4] ?? [],
  ).flat(),
);
write(
  'tiny.png',
  await sharp(tiny, { raw: { width: 4, height: 4, channels: 3 } })
    .png()
    .toBuffer(),
);

/** Fine lines, 1600 pixels wide: what a bad downscale turns into a moiré. */
write(
  'lines.png',
  await sharp(
    await drawSvg(
      1600,
      1600,
      `<defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="#fff"/><rect width="4" height="8" fill="#000"/></pattern></defs>
       <rect width="1600" height="1600" fill="url(#p)"/><circle cx="800" cy="800" r="500" fill="#d7263d"/>`,
    ),
  )
    .png({ palette: true, colours: 8, compressionLevel: 9 })
    .toBuffer(),
);

/** Dull ground with one lively thing far to the right. */
write(
  'attention.jpg',
  await sharp(
    await drawSvg(
      360,
      120,
      `<rect width="360" height="120" fill="#9aa5a8"/><rect y="80" width="360" height="40" fill="#8a9497"/>
       <circle cx="300" cy="52" r="26" fill="#e0a383"/><circle cx="291" cy="48" r="4" fill="#222"/><circle cx="309" cy="48" r="4" fill="#222"/>
       <path d="M288 62Q300 74 312 62" stroke="#a02020" stroke-width="4" fill="none"/><rect x="272" y="78" width="56" height="42" fill="#d7263d"/>`,
    ),
  )
    .jpeg({ quality: 85 })
    .toBuffer(),
);

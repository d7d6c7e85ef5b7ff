/** Draws the sample pictures again: `node data/templates/pictures/draw/draw.ts [file…]`, all of them without a name. */
import { writeFile } from 'node:fs/promises';
import { drawAvatar } from './avatar.ts';
import { drawCoast } from './coast.ts';
import { drawFabric } from './fabric.ts';
import { developFilm, type Development, encodeJpeg, type Film } from './film.ts';
import { COLOURWAYS, drawMug } from './mug.ts';
import { drawStage } from './stage.ts';

/** How one file is made; `quality` is that of JPEG, 1 to 100. */
interface Picture extends Development {
  readonly draw: () => Film;
  readonly quality: number;
}

const MUG = { exposure: 0.85, film: true, grain: 0.8, saturation: 1.05, quality: 92 } as const;

const PICTURES: Readonly<Record<string, Picture>> = {
  'coast.jpg': {
    draw: drawCoast,
    exposure: 0.36,
    film: true,
    grain: 1.2,
    saturation: 1,
    quality: 89,
  },
  'mug.jpg': { draw: () => drawMug(COLOURWAYS.cream), ...MUG },
  'mug-blue.jpg': { draw: () => drawMug(COLOURWAYS.blue), ...MUG },
  'avatar.jpg': {
    draw: drawAvatar,
    exposure: 1,
    film: false,
    grain: 0,
    saturation: 1,
    quality: 87,
  },
  'stage.jpg': { draw: drawStage, exposure: 1, film: true, grain: 1.2, saturation: 1, quality: 91 },
  'fabric.jpg': {
    draw: drawFabric,
    exposure: 1.4,
    film: true,
    grain: 0.7,
    saturation: 1,
    quality: 92,
  },
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(PICTURES)) {
  const picture = PICTURES[name];
  if (!picture) {
    throw new Error(
      `There is no picture "${name}". Expected one of: ${Object.keys(PICTURES).join(', ')}.`,
    );
  }
  const film = picture.draw();
  const file = await encodeJpeg(
    developFilm(film, picture),
    film.width,
    film.height,
    picture.quality,
  );
  await writeFile(new URL(`../${name}`, import.meta.url), file);
  process.stdout.write(`${name} ${film.width}×${film.height} ${file.length} bytes\n`);
}

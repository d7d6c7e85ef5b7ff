/** The mug pictures: a stoneware mug in a photo studio, path-traced and smoothed within each surface. */
import { createFilm, expose, type Film } from './film.ts';
import { addScaled, createRandom, cross, fromHex, normalize, type Triple } from './light.ts';
import { fallingLight, mirroredLight } from './mug-light.ts';
import { type Colourway, meetSurface, PARTS } from './mug-scene.ts';

/** Side of the picture in pixels. */
const SIZE = 1000;
/** Paths a pixel, along each side. */
const GRID = 3;
const BLACK: Triple = [0, 0, 0];

/** The two mugs. */
export const COLOURWAYS = {
  cream: {
    glaze: fromHex(0xf0e6d6),
    thin: fromHex(0xb98a62),
    clay: fromHex(0x9c6049),
    inside: fromHex(0xf3ebde),
    paper: fromHex(0xdcbda4),
  },
  blue: {
    glaze: fromHex(0x28486e),
    thin: fromHex(0x8a6a58),
    clay: fromHex(0xcbb6a0),
    inside: fromHex(0xefe6d8),
    paper: fromHex(0xdcc3aa),
  },
} satisfies Record<string, Colourway>;

const EYE: Triple = [0, 23.5, 45.6];
const AIM: Triple = [0.95, 4.2, 0];
/** Half the picture's width at one unit from the eye. */
const HALF_VIEW = 0.182;

/** What the camera collects for each pixel before smoothing. */
interface Plates {
  readonly falling: Film;
  readonly mirrored: Film;
  readonly albedo: Film;
  readonly normal: Film;
  /** Samples of each part that a pixel holds, `PARTS` numbers a pixel. */
  readonly counts: Uint8Array;
  /** The only part in a pixel, or `MIXED` on an edge. */
  readonly part: Uint8Array;
}

const MIXED = 255;

function exposePlates(colours: Colourway): Plates {
  const plates: Plates = {
    falling: createFilm(SIZE, SIZE),
    mirrored: createFilm(SIZE, SIZE),
    albedo: createFilm(SIZE, SIZE),
    normal: createFilm(SIZE, SIZE),
    counts: new Uint8Array(SIZE * SIZE * PARTS),
    part: new Uint8Array(SIZE * SIZE),
  };
  const random = createRandom(2024);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) exposePixel(plates, x, y, colours, random);
  }
  return plates;
}

const FORWARD = normalize(addScaled(AIM, EYE, -1));
const RIGHT = normalize(cross(FORWARD, [0, 1, 0]));
const UP = cross(RIGHT, FORWARD);

function exposePixel(
  plates: Plates,
  x: number,
  y: number,
  colours: Colourway,
  random: () => number,
): void {
  const share = 1 / (GRID * GRID);
  const at = y * SIZE + x;
  let [falling, mirrored, albedo, normal] = [BLACK, BLACK, BLACK, BLACK];
  for (let sample = 0; sample < GRID * GRID; sample++) {
    const u = (2 * (x + ((sample % GRID) + random()) / GRID)) / SIZE - 1;
    const v = 1 - (2 * (y + (Math.floor(sample / GRID) + random()) / GRID)) / SIZE;
    const d = normalize(addScaled(addScaled(FORWARD, RIGHT, u * HALF_VIEW), UP, v * HALF_VIEW));
    const surface = meetSurface(EYE, d, colours);
    if (!surface) continue;
    falling = addScaled(falling, fallingLight(surface, colours, 1, random), share);
    mirrored = addScaled(mirrored, mirroredLight(surface, d, colours, random), share);
    albedo = addScaled(albedo, surface.albedo, share);
    normal = addScaled(normal, surface.normal, share);
    const slot = at * PARTS + surface.part;
    const count = (plates.counts[slot] ?? 0) + 1;
    plates.counts[slot] = count;
    plates.part[at] = count === GRID * GRID ? surface.part : MIXED;
  }
  expose(plates.falling, x, y, falling);
  expose(plates.mirrored, x, y, mirrored);
  expose(plates.albedo, x, y, albedo);
  expose(plates.normal, x, y, normal);
}

/** Weights of the five-point smoothing kernel. */
const KERNEL = [0.0625, 0.25, 0.375, 0.25, 0.0625] as const;

/**
 * Smooths noise of `film` within one part. `step` is the reach in pixels; the larger `bend` and `jump`, the less
 * light crosses a turn of the surface and a change of the light itself.
 */
function smoothPlate(film: Film, plates: Plates, step: number, bend: number, jump: number): Film {
  const out = createFilm(SIZE, SIZE);
  const normals = plates.normal.light;
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const at = y * SIZE + x;
      const part = plates.part[at];
      if (part === MIXED) continue;
      let [red, green, blue, weights] = [0, 0, 0, 0];
      for (let j = -2; j <= 2; j++) {
        for (let i = -2; i <= 2; i++) {
          const [px, py] = [x + i * step, y + j * step];
          const other = py * SIZE + px;
          if (px < 0 || py < 0 || px >= SIZE || py >= SIZE || plates.part[other] !== part) continue;
          let turn = 0;
          for (let c = 0; c < 3; c++)
            turn += ((normals[at * 3 + c] ?? 0) - (normals[other * 3 + c] ?? 0)) ** 2;
          const change = (film.light[at * 3 + 1] ?? 0) - (film.light[other * 3 + 1] ?? 0);
          const weight =
            (KERNEL[i + 2] ?? 0) *
            (KERNEL[j + 2] ?? 0) *
            Math.exp(-turn * bend - change * change * jump);
          red += (film.light[other * 3] ?? 0) * weight;
          green += (film.light[other * 3 + 1] ?? 0) * weight;
          blue += (film.light[other * 3 + 2] ?? 0) * weight;
          weights += weight;
        }
      }
      expose(out, x, y, [red / weights, green / weights, blue / weights]);
    }
  }
  return out;
}

/** Sets an edge pixel to the mean of its parts, each taken from the clean pixels around it. */
function mendEdge(film: Film, plates: Plates, x: number, y: number): void {
  const at = y * SIZE + x;
  const sums = new Float64Array(PARTS * 4);
  for (let py = Math.max(0, y - 2); py <= Math.min(SIZE - 1, y + 2); py++) {
    for (let px = Math.max(0, x - 2); px <= Math.min(SIZE - 1, x + 2); px++) {
      const other = py * SIZE + px;
      const part = plates.part[other] ?? MIXED;
      if (part === MIXED) continue;
      const weight = Math.exp(-0.7 * ((px - x) ** 2 + (py - y) ** 2));
      for (let c = 0; c < 3; c++) {
        sums[part * 4 + c] = (sums[part * 4 + c] ?? 0) + weight * (film.light[other * 3 + c] ?? 0);
      }
      sums[part * 4 + 3] = (sums[part * 4 + 3] ?? 0) + weight;
    }
  }
  let [red, green, blue, total] = [0, 0, 0, 0];
  for (let part = 0; part < PARTS; part++) {
    const count = plates.counts[at * PARTS + part] ?? 0;
    const weight = sums[part * 4 + 3] ?? 0;
    if (count === 0 || weight === 0) continue;
    red += ((sums[part * 4] ?? 0) / weight) * count;
    green += ((sums[part * 4 + 1] ?? 0) / weight) * count;
    blue += ((sums[part * 4 + 2] ?? 0) / weight) * count;
    total += count;
  }
  if (total > 0) expose(film, x, y, [red / total, green / total, blue / total]);
}

/** Draws one mug as linear light; 1000 × 1000 pixels. */
export function drawMug(colours: Colourway): Film {
  const plates = exposePlates(colours);
  let falling = plates.falling;
  for (const step of [1, 2, 4]) falling = smoothPlate(falling, plates, step, 60, 0);
  // By now the noise is faint: longer reaches clear what is left and stop at the rims of shadows.
  for (const step of [6, 12]) falling = smoothPlate(falling, plates, step, 120, 1500);
  const mirrored = smoothPlate(smoothPlate(plates.mirrored, plates, 1, 200, 0), plates, 2, 300, 0);
  const film = createFilm(SIZE, SIZE);
  for (let at = 0; at < film.light.length; at++) {
    film.light[at] =
      (falling.light[at] ?? 0) * (plates.albedo.light[at] ?? 0) + (mirrored.light[at] ?? 0);
  }
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++)
      if (plates.part[y * SIZE + x] === MIXED) mendEdge(film, plates, x, y);
  }
  return film;
}

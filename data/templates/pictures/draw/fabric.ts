/** The fabric picture: folds of silk in dusk colours, soft enough for text. */
import { createFilm, expose, type Film } from './film.ts';
import {
  addScaled,
  blend,
  clamp,
  dot,
  fromHex,
  fractal2,
  mix,
  noise2,
  normalize,
  scale,
  smoothstep,
  type Triple,
} from './light.ts';

const WIDTH = 1200;
const HEIGHT = 800;
/** Samples a pixel, along each side. */
const GRID = 2;

/** Colours across the cloth from the lower left to the upper right, linear. */
const DUSK: readonly Triple[] = [0x171b42, 0x29265f, 0x55357f, 0x9c4684, 0xd96c78, 0xf4a884].map(
  fromHex,
);

function duskAt(t: number): Triple {
  const place = clamp(t, 0, 1) * (DUSK.length - 1.001);
  const index = Math.floor(place);
  const black: Triple = [0, 0, 0];
  return blend(DUSK[index] ?? black, DUSK[index + 1] ?? black, smoothstep(0, 1, place - index));
}

/** A row of folds, −1 to 1: the crest leans to one side, as cloth that has slid does. */
function folds(phase: number, lean: number): number {
  return Math.sin(phase + lean * Math.sin(phase + 0.6));
}

/** Height of the cloth, in units of the picture's height: long folds that gather, swing and run out. */
function heightAt(u: number, v: number): number {
  const bend =
    0.34 * noise2(u * 0.75 + 2.3, v * 0.8 + 5.1, 3) + 0.13 * noise2(u * 1.6, v * 1.5 + 4, 4);
  const across = u * 0.8 - v * 0.5 + bend;
  const along = u * 0.5 + v * 0.8 + 0.2 * noise2(u, v, 12);
  const gather = 1 + 0.25 * noise2(along * 0.6 + 3, across * 0.5, 9);
  const large = folds(across * 11.5 * gather + 1.3 * noise2(along * 0.8, across * 0.6, 6), 0.62);
  const middle = folds(across * 27 * gather + 2.2 * noise2(along * 1.1, across * 1.2, 7), 0.55);
  const fine = folds(across * 64 + 3 * noise2(along * 1.4, across * 2, 8), 0.4);
  const swell = 0.65 + 0.6 * noise2(across * 1.1 + 8, along * 0.8, 5);
  const where = smoothstep(-0.35, 0.45, noise2(across * 1.6, along * 0.9, 10));
  const edge = smoothstep(-0.1, 0.5, noise2(across * 2.1 + 5, along * 1.1, 13));
  return 0.07 * swell * large + 0.021 * (0.2 + 0.8 * where) * middle + 0.0042 * edge * where * fine;
}

const LAMP = normalize([-0.8, 0.45, 0.42]);
const HALFWAY = normalize([LAMP[0], LAMP[1], LAMP[2] + 1]);
const BACK_LAMP = normalize([0.9, -0.25, 0.3]);
/** Light of the lamp behind, cool against the warm gleam. */
const RIM: Triple = fromHex(0x6d6ad6);

/** Heights of the cloth on a grid of `GRID` samples a pixel with a margin all around. */
interface Cloth {
  readonly columns: number;
  readonly heights: Float32Array;
}

/** Samples beyond each edge of the picture: the widest reach of a neighbour. */
const MARGIN = 56;
const SAMPLES = HEIGHT * GRID;

function hangCloth(): Cloth {
  const columns = WIDTH * GRID + 2 * MARGIN;
  const rows = SAMPLES + 2 * MARGIN;
  const heights = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      heights[row * columns + column] = heightAt(
        (column - MARGIN) / SAMPLES,
        (row - MARGIN) / SAMPLES,
      );
    }
  }
  return { columns, heights };
}

function clothLight(cloth: Cloth, column: number, row: number): Triple {
  const { columns, heights } = cloth;
  const at = (row + MARGIN) * columns + column + MARGIN;
  const height = heights[at] ?? 0;
  const slope = (step: number): number =>
    (((heights[at + step] ?? 0) - (heights[at - step] ?? 0)) * SAMPLES) / 2;
  const normal = normalize([-slope(1), slope(columns), 1]);
  // Height against the mean around it: valleys see less of the sky.
  let open = 0.9;
  for (const reach of [14, 28, 56]) {
    const [beside, below] = [reach, reach * columns];
    const sum =
      (heights[at + beside] ?? 0) +
      (heights[at - beside] ?? 0) +
      (heights[at + below] ?? 0) +
      (heights[at - below] ?? 0);
    open += ((height - sum / 4) * 620) / reach;
  }
  const [u, v] = [column / SAMPLES, row / SAMPLES];
  const place =
    0.06 + u * 0.4 + (1 - v) * 0.16 + height * 0.7 + 0.1 * fractal2(u * 0.8, v * 0.8, 2, 11);
  const body = duskAt(place);
  const front = clamp(dot(normal, LAMP), 0, 1);
  const shine = clamp(dot(normal, HALFWAY), 0, 1);
  // Threads run along the folds: a narrow gleam on a broad one.
  const gleam = 0.35 * shine ** 8 + 1.3 * shine ** 48;
  const rim = clamp(dot(normal, BACK_LAMP), 0, 1) ** 2.2;
  const warm = duskAt(clamp(place + 0.26, 0, 1));
  const part = (c: 0 | 1 | 2): number =>
    clamp(open, 0.13, 1.25) *
    (body[c] * (0.07 + 0.95 * front ** 1.2) +
      warm[c] * gleam * 0.75 +
      mix(body[c], RIM[c], 0.5) * rim * 0.7);
  return [part(0), part(1), part(2)];
}

/** Draws the cloth as linear light; 1200 × 800 pixels. */
export function drawFabric(): Film {
  const cloth = hangCloth();
  const film = createFilm(WIDTH, HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let sum: Triple = [0, 0, 0];
      for (let sample = 0; sample < GRID * GRID; sample++) {
        const light = clothLight(
          cloth,
          x * GRID + (sample % GRID),
          y * GRID + Math.floor(sample / GRID),
        );
        sum = addScaled(sum, light, 1 / GRID ** 2);
      }
      const corner = 1 - 0.5 * ((x / WIDTH - 0.5) ** 2 + (y / HEIGHT - 0.5) ** 2);
      expose(film, x, y, scale(sum, corner));
    }
  }
  return film;
}

/** The light-sensitive plane of a drawing: linear light in, bloom and grain, one JPEG file out. */
import sharp from 'sharp';
import { clamp, filmCurve, gaussian, hash, mix, toDisplay, type Triple } from './light.ts';

/** Linear light, three numbers a pixel, row by row from the top left. */
export interface Film {
  readonly width: number;
  readonly height: number;
  readonly light: Float32Array;
}

/** A black film of `width` × `height` pixels; the caller owns it. */
export function createFilm(width: number, height: number): Film {
  return { width, height, light: new Float32Array(width * height * 3) };
}

/** Writes one pixel; outside the film nothing happens. */
export function expose(film: Film, x: number, y: number, light: Triple): void {
  if (x < 0 || y < 0 || x >= film.width || y >= film.height) return;
  film.light.set(light, (y * film.width + x) * 3);
}

/** Light at a place between pixels, bilinear, edges repeated; (0.5, 0.5) is the first pixel's middle. */
export function sampleFilm(film: Film, x: number, y: number): Triple {
  const { width, height, light } = film;
  const px = clamp(x - 0.5, 0, width - 1.001);
  const py = clamp(y - 0.5, 0, height - 1.001);
  const ix = Math.floor(px);
  const iy = Math.floor(py);
  const u = px - ix;
  const v = py - iy;
  const at = (iy * width + ix) * 3;
  const right = width > 1 ? 3 : 0;
  const below = height > 1 ? width * 3 : 0;
  const part = (c: number): number =>
    mix(
      mix(light[at + c] ?? 0, light[at + right + c] ?? 0, u),
      mix(light[at + below + c] ?? 0, light[at + below + right + c] ?? 0, u),
      v,
    );
  return [part(0), part(1), part(2)];
}

/** The film at half its size by averaging squares; both sides must be even. */
export function halveFilm(film: Film): Film {
  const half = createFilm(film.width >> 1, film.height >> 1);
  const row = film.width * 3;
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      for (let c = 0; c < 3; c++) {
        const at = y * 2 * row + x * 6 + c;
        const { light } = film;
        half.light[(y * half.width + x) * 3 + c] =
          ((light[at] ?? 0) +
            (light[at + 3] ?? 0) +
            (light[at + row] ?? 0) +
            (light[at + row + 3] ?? 0)) /
          4;
      }
    }
  }
  return half;
}

function blurLine(
  source: Float32Array,
  target: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
): void {
  const last = count - 1;
  let sum = 0;
  for (let k = -radius; k <= radius; k++) sum += source[start + clamp(k, 0, last) * step] ?? 0;
  for (let k = 0; k < count; k++) {
    target[start + k * step] = sum / (2 * radius + 1);
    sum += source[start + Math.min(k + radius + 1, last) * step] ?? 0;
    sum -= source[start + Math.max(k - radius, 0) * step] ?? 0;
  }
}

/** A blurred copy, close to a Gaussian of deviation `radius` pixels (three passes of a box). */
export function blurFilm(film: Film, radius: number): Film {
  const { width, height } = film;
  const box = Math.max(1, Math.round(radius));
  const from = Float32Array.from(film.light);
  const to = new Float32Array(from.length);
  for (let pass = 0; pass < 3; pass++) {
    for (let line = 0; line < height * 3; line++) {
      blurLine(from, to, Math.floor(line / 3) * width * 3 + (line % 3), 3, width, box);
    }
    for (let line = 0; line < width * 3; line++) blurLine(to, from, line, width * 3, height, box);
  }
  return { width, height, light: from };
}

/** Adds a share of the blurred film, as stray light in a lens does; changes `film` in place. */
export function addBloom(film: Film, radii: readonly number[], share: number): void {
  const clear = 1 - share * radii.length;
  const halos = radii.map((radius) => blurFilm(film, radius).light);
  for (let at = 0; at < film.light.length; at++) {
    let sum = (film.light[at] ?? 0) * clear;
    for (const halo of halos) sum += (halo[at] ?? 0) * share;
    film.light[at] = sum;
  }
}

/** How a film becomes a file. */
export interface Development {
  /** Light is multiplied by this before the curve. */
  readonly exposure: number;
  /** `true`: film-like curve; `false`: light 1 is white (illustrations). */
  readonly film: boolean;
  /** Deviation of the grain in 8-bit steps; 0 for none. */
  readonly grain: number;
  /** 1 keeps colours, more makes them stronger. */
  readonly saturation: number;
}

/** Tone curve, saturation, grain and dither: 8-bit sRGB, three bytes a pixel. */
export function developFilm(film: Film, how: Development): Buffer {
  const bytes = Buffer.alloc(film.width * film.height * 3);
  const curve = how.film ? filmCurve : (light: number): number => clamp(light, 0, 1);
  for (let pixel = 0; pixel < film.width * film.height; pixel++) {
    const at = pixel * 3;
    const red = (film.light[at] ?? 0) * how.exposure;
    const green = (film.light[at + 1] ?? 0) * how.exposure;
    const blue = (film.light[at + 2] ?? 0) * how.exposure;
    const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const x = pixel % film.width;
    const y = Math.floor(pixel / film.width);
    const grain = how.grain * gaussian(hash(x, y, 1), hash(x, y, 2));
    const parts = [red, green, blue];
    for (let c = 0; c < 3; c++) {
      const value = 255 * toDisplay(curve(mix(grey, parts[c] ?? 0, how.saturation)));
      // Grain is weakest in pure black and white, as on film; half a step of dither stops banding.
      const strength = 4 * (value / 255) * (1 - value / 255) * 0.7 + 0.3;
      bytes[at + c] = clamp(Math.round(value + grain * strength + hash(x, y, 3 + c) - 0.5), 0, 255);
    }
  }
  return bytes;
}

/** JPEG quality from which colour keeps its full resolution: half of it blurs red edges of flat drawings. */
const FULL_COLOUR_FROM = 85;
/** JFIF header of version 1.1 that says 96 dots per inch and holds no thumbnail (ITU-T T.871, 10.1). */
const JFIF_HEADER = Buffer.from('ffe000104a46494600010101006000600000', 'hex');

/** Encodes 8-bit sRGB as a baseline JPEG of 96 dpi without other metadata. */
export async function encodeJpeg(
  bytes: Buffer,
  width: number,
  height: number,
  quality: number,
): Promise<Buffer> {
  const file = await sharp(bytes, { raw: { width, height, channels: 3 } })
    .jpeg({
      quality,
      chromaSubsampling: quality >= FULL_COLOUR_FROM ? '4:4:4' : '4:2:0',
      trellisQuantisation: true,
      quantisationTable: 3,
    })
    .toBuffer();
  // sharp writes no header segment of its own: it goes right after the two bytes that start the file.
  return Buffer.concat([file.subarray(0, 2), JFIF_HEADER, file.subarray(2)]);
}

/** Water of the coast picture: wave slopes, mirrored light by Fresnel's law and the glitter of the sun. */
import { SUN_AT, VIEW } from './coast-sky.ts';
import { type Film, sampleFilm } from './film.ts';
import { clamp, createRandom, gaussian, mix, noise2, smoothstep, type Triple } from './light.ts';

/** One train of waves: wave numbers in radians a metre, its heading, the slope it can reach, its phase. */
interface Wave {
  readonly kx: number;
  readonly kz: number;
  readonly toX: number;
  readonly toZ: number;
  readonly slope: number;
  readonly phase: number;
}

function createWaves(): readonly Wave[] {
  const random = createRandom(5);
  return Array.from({ length: 36 }, (_, index) => {
    const length = 0.16 * 1.14 ** index;
    const turn = 0.5 + gaussian(random(), random()) * 0.75;
    const k = (2 * Math.PI) / length;
    const slope = 0.0068 * (length < 1.2 ? 1 : (1.2 / length) ** 0.35);
    const [toX, toZ] = [Math.sin(turn), Math.cos(turn)];
    return { kx: k * toX, kz: k * toZ, toX, toZ, slope, phase: random() * 7 };
  });
}

const WAVES = createWaves();

/** Wind on the water, 0.32 in the calm to 1 in a gust. */
function windAt(x: number, z: number): number {
  const gust = noise2(x / 60 + 4, z / 26, 61) + 0.6 * noise2(x / 17, z / 9, 62);
  const far = smoothstep(300, 1600, z);
  return mix(0.32 + 0.68 * smoothstep(-0.25, 0.5, gust), 0.55, far);
}

/** Slopes of the water that a pixel resolves, and the spread of those it cannot. */
interface Slopes {
  readonly x: number;
  readonly z: number;
  readonly spread: number;
}

function slopesAt(x: number, z: number, seenX: number, seenZ: number, wind: number): Slopes {
  // Bent coordinates break up the parallel crests of plain sine waves.
  const bentX = x + 0.9 * noise2(x / 5, z / 5, 63);
  const bentZ = z + 0.9 * noise2(x / 5 + 30, z / 5, 64);
  let sumX = 0;
  let sumZ = 0;
  let rest = 0.00001;
  for (const wave of WAVES) {
    const blur = (wave.kx * seenX) ** 2 + (wave.kz * seenZ) ** 2;
    const kept = blur > 20 ? 0 : Math.exp(-blur * 0.25);
    if (kept > 0.02) {
      const slope =
        Math.cos(wave.kx * bentX + wave.kz * bentZ + wave.phase) * wave.slope * wind * kept;
      sumX += slope * wave.toX;
      sumZ += slope * wave.toZ;
    }
    rest += 0.5 * (wave.slope * wind) ** 2 * (1 - kept * kept);
  }
  return { x: sumX, z: sumZ, spread: Math.sqrt(rest) };
}

/** Light that the scene sends down to the water: the drawn upper half, the sun's beam and the water's own colour. */
export interface WaterLights {
  readonly above: Film;
  readonly sun: Triple;
  readonly depth: Triple;
}

/** Samples a pixel is divided into, along each side. */
const GRID = 4;

/** Waves across the view are this much steeper than those along it, which widens the path of the sun. */
const SIDE_SPREAD = 3;

/** Light of one water pixel: the mean of its samples, each weighted by how much of it faces the eye. */
export function waterLight(
  column: number,
  row: number,
  lights: WaterLights,
  random: () => number,
): Triple {
  const sum: [number, number, number] = [0, 0, 0];
  let weights = 0;
  const middle = VIEW.eye / ((row + 0.5 - VIEW.horizon) / VIEW.focal);
  const wind = windAt(((column - VIEW.middle) / VIEW.focal) * middle, middle);
  for (let sample = 0; sample < GRID * GRID; sample++) {
    const px = column + ((sample % GRID) + random()) / GRID;
    const py = row + (Math.floor(sample / GRID) + random()) / GRID;
    const down = Math.max(0.5, py - VIEW.horizon) / VIEW.focal;
    const side = (px - VIEW.middle) / VIEW.focal;
    const z = VIEW.eye / down;
    const pixel = z / VIEW.focal / GRID;
    const slopes = slopesAt(side * z, z, pixel, pixel / down, wind);
    const slopeX = slopes.x + slopes.spread * gaussian(random(), random());
    const slopeZ = slopes.z + slopes.spread * gaussian(random(), random());
    const facing = down + slopeZ;
    const weight = clamp(facing, 0.0005, 1);
    const up = Math.abs(down + 2 * slopeZ);
    const turned = side - SIDE_SPREAD * 2 * facing * slopeX;
    const mirrored = sampleFilm(
      lights.above,
      VIEW.middle + turned * VIEW.focal,
      VIEW.horizon - up * VIEW.focal,
    );
    const fresnel = 0.02 + 0.98 * (1 - clamp(facing, 0.01, 1)) ** 5;
    const glint = sunGlint(down, side, slopes);
    for (const c of [0, 1, 2] as const) {
      sum[c] +=
        weight *
        (fresnel * (mirrored[c] + lights.sun[c] * glint) + (1 - fresnel) * lights.depth[c]);
    }
    weights += weight;
  }
  return [sum[0] / weights, sum[1] / weights, sum[2] / weights];
}

/** Share of the sun's beam that slopes finer than a pixel turn to the eye (after Cox and Munk, 1954). */
function sunGlint(down: number, side: number, slopes: Slopes): number {
  const sunUp = (VIEW.horizon - SUN_AT.y) / VIEW.focal;
  const sunSide = (SUN_AT.x - VIEW.middle) / VIEW.focal;
  const spread = Math.hypot(slopes.spread, 0.004);
  const offZ = ((sunUp - down) / 2 - slopes.z) / spread;
  const offX = ((side - sunSide) / (SIDE_SPREAD * (down + sunUp)) - slopes.x) / spread;
  const chance = Math.exp(-0.5 * (offZ * offZ + offX * offX)) / (2 * Math.PI * spread * spread);
  return chance / (4 * Math.max(down, 0.06));
}

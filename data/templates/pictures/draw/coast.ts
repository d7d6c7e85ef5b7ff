/** The coast picture: mountains over a lake at sunrise, dark and calm on the left for text. */
import { cloudLight, rayThrough, skyLight, sunlightAt, SUN, SUN_AT, VIEW } from './coast-sky.ts';
import { type LandLights, landLight, marchColumn } from './coast-land.ts';
import { waterLight } from './coast-water.ts';
import { addBloom, createFilm, expose, type Film, sampleFilm } from './film.ts';
import {
  addScaled,
  blend,
  createRandom,
  fractal3,
  hash,
  mix,
  multiply,
  normalize,
  scale,
  smoothstep,
  type Triple,
} from './light.ts';

/** Pixels of the sky between two computed directions. */
const SKY_STEP = 8;
/** Light, on the scale of the sky, from which the film is white anyway. */
const BRIGHTEST = 4;
/** Columns and rows of land samples a pixel, along each side. */
const LAND_GRID = 2;

/** What the land is lit by: the computed sky and the lights taken from it. */
interface Scene {
  readonly sky: Film;
  readonly lights: LandLights;
}

function drawSky(): Film {
  const columns = Math.ceil(VIEW.width / SKY_STEP) + 1;
  const rows = Math.ceil(VIEW.horizon / SKY_STEP) + 1;
  const sky = createFilm(columns, rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const row = Math.min((y + 0.5) * SKY_STEP, VIEW.horizon - 2);
      expose(sky, x, y, skyLight(rayThrough((x + 0.5) * SKY_STEP, row)));
    }
  }
  return sky;
}

function skyAt(sky: Film, x: number, y: number): Triple {
  return sampleFilm(sky, x / SKY_STEP, y / SKY_STEP);
}

/** Radius of the sun's disc in pixels. */
const SUN_RADIUS = 7.5;

/** Pixels of the sky that share one march through the clouds, along each side. */
const CLOUD_STEP = 2;

function drawHeaven(sky: Film, sun: Triple, shade: Triple): Film {
  const [columns, rows] = [VIEW.width / CLOUD_STEP, VIEW.horizon / CLOUD_STEP];
  const clouds = createFilm(columns, rows);
  const clear = createFilm(columns, rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const direction = rayThrough((x + 0.5) * CLOUD_STEP, (y + 0.5) * CLOUD_STEP);
      const cloud = cloudLight(direction, hash(x, y, 40), sun, shade);
      expose(clouds, x, y, cloud.light);
      expose(clear, x, y, [cloud.clear, 0, 0]);
    }
  }
  const heaven = createFilm(VIEW.width, VIEW.horizon);
  for (let y = 0; y < VIEW.horizon; y++) {
    for (let x = 0; x < VIEW.width; x++) {
      const [u, v] = [(x + 0.5) / CLOUD_STEP, (y + 0.5) / CLOUD_STEP];
      const away = Math.hypot(x + 0.5 - SUN_AT.x, y + 0.5 - SUN_AT.y);
      const disc = smoothstep(SUN_RADIUS + 1, SUN_RADIUS - 1, away);
      const behind = addScaled(skyAt(sky, x + 0.5, y + 0.5), sun, disc * 60);
      expose(heaven, x, y, addScaled(sampleFilm(clouds, u, v), behind, sampleFilm(clear, u, v)[0]));
    }
  }
  return heaven;
}

/** Haze between the eye and a piece of land: clear air that thins with height, and a bank of mist on the lake. */
function throughHaze(light: Triple, side: number, y: number, z: number, glow: Triple): Triple {
  const thin = 1100;
  const rise = Math.max(1, y);
  const air = 4.2e-5 * z * ((thin * (1 - Math.exp(-rise / thin))) / rise);
  let mist = 0;
  const steps = 14;
  for (let k = 0; k < steps; k++) {
    const t = (k + 0.5) / steps;
    const at = z * t;
    const height = VIEW.eye + (y - VIEW.eye) * t;
    if (height > 420) break;
    const patch = fractal3((side * at) / 700, height / 130, at / 1100, 3);
    const bank = Math.exp(-height / (46 + 70 * smoothstep(1500, 7000, at)));
    mist += Math.max(0, 0.45 + patch * 1.3) * bank * smoothstep(500, 1500, at) * (z / steps);
  }
  const lost = (factor: number): number => Math.exp(-air * factor - mist * 3.4e-4);
  const seen: Triple = [lost(0.8), lost(1), lost(1.3)];
  return [
    mix(glow[0], light[0], seen[0]),
    mix(glow[1], light[1], seen[1]),
    mix(glow[2], light[2], seen[2]),
  ];
}

/** Land light of one column, kept so that neighbours on the same slope share it. */
interface Shaded {
  z: number;
  light: Triple;
}

/** Nearer land is shaded sample by sample, so that trees keep their tips. */
const SHARED_FROM = 2600;

function addColumn(
  x: number,
  part: number,
  shaded: Shaded[],
  sums: Float32Array,
  scene: Scene,
): void {
  const rows = VIEW.horizon * LAND_GRID;
  const side = (x + (part + 0.5) / LAND_GRID - VIEW.middle) / VIEW.focal;
  const column = marchColumn(side, rows, LAND_GRID);
  for (let row = 0; row < rows; row++) {
    const z = column.distance[row] ?? 0;
    if (z === 0) continue;
    const line = Math.floor(row / LAND_GRID);
    const last = shaded[line];
    let light = last?.light;
    if (!last || !light || z < SHARED_FROM || Math.abs(z / last.z - 1) > 0.04) {
      const y = column.height[row] ?? 0;
      const glow = skyAt(scene.sky, x + 0.5, VIEW.horizon - 20 - (y / z) * 250);
      light = throughHaze(landLight(side * z, y, z, scene.lights), side, y, z, glow);
      shaded[line] = { z, light };
    }
    for (const c of [0, 1, 2] as const) {
      sums[line * 4 + c] = (sums[line * 4 + c] ?? 0) + light[c] / LAND_GRID ** 2;
    }
    sums[line * 4 + 3] = (sums[line * 4 + 3] ?? 0) + 1 / LAND_GRID ** 2;
  }
}

/** Limits one pixel to `BRIGHTEST` and keeps its colour. */
function dim(film: Film, at: number): void {
  const most = Math.max(...film.light.subarray(at, at + 3));
  if (most <= BRIGHTEST) return;
  for (let c = 0; c < 3; c++) film.light[at + c] = ((film.light[at + c] ?? 0) * BRIGHTEST) / most;
}

function drawLand(heaven: Film, scene: Scene): void {
  for (let x = 0; x < VIEW.width; x++) {
    const sums = new Float32Array(VIEW.horizon * 4);
    const shaded: Shaded[] = [];
    for (let part = 0; part < LAND_GRID; part++) addColumn(x, part, shaded, sums, scene);
    for (let y = 0; y < VIEW.horizon; y++) {
      const covered = sums[y * 4 + 3] ?? 0;
      if (covered === 0) continue;
      const at = (y * VIEW.width + x) * 3;
      // Very bright sky would eat the edge of the land.
      dim(heaven, at);
      for (let c = 0; c < 3; c++) {
        heaven.light[at + c] = (sums[y * 4 + c] ?? 0) + (heaven.light[at + c] ?? 0) * (1 - covered);
      }
    }
  }
}

/** Darkens and cools the left, where text stands, and the corners; changes the film in place. */
function grade(film: Film): void {
  for (let y = 0; y < film.height; y++) {
    for (let x = 0; x < film.width; x++) {
      const [u, v] = [x / film.width, y / film.height];
      const calm = smoothstep(0.72, 0.36, u);
      const corner = 1 - 0.9 * ((u - 0.55) ** 2 * 0.7 + (v - 0.5) ** 2);
      const at = (y * film.width + x) * 3;
      const tint: Triple = [1.02 - 0.5 * calm, 0.91 - 0.38 * calm, 0.9 - 0.27 * calm];
      for (const c of [0, 1, 2] as const) {
        film.light[at + c] = (film.light[at + c] ?? 0) * tint[c] * corner;
      }
    }
  }
}

/** Filter on the sunlit clouds: the film's curve turns bright orange towards yellow, this turns it back. */
const WARM: Triple = [1.05, 0.8, 0.62];

/** Draws the picture as linear light; 1600 × 840 pixels. */
export function drawCoast(): Film {
  const sky = drawSky();
  const sun = sunlightAt(300);
  const lights: LandLights = {
    sun,
    above: scale(skyLight(normalize([-0.2, 1, 0.1])), Math.PI),
    behind: scale(skyLight(normalize([-SUN[0], 0.35, -SUN[2]])), Math.PI),
  };
  const shade = blend(scale(lights.above, 0.2), skyLight(normalize([SUN[0], 0.15, SUN[2]])), 0.12);
  const heaven = drawHeaven(sky, multiply(sunlightAt(2800), WARM), shade);
  drawLand(heaven, { sky, lights });
  const film = createFilm(VIEW.width, VIEW.height);
  film.light.set(heaven.light);
  for (let at = 0; at < heaven.light.length; at += 3) dim(heaven, at);
  const random = createRandom(11);
  const water = { above: heaven, sun: scale(sun, 0.035), depth: scale(lights.above, 0.008) };
  for (let y = VIEW.horizon; y < VIEW.height; y++) {
    for (let x = 0; x < VIEW.width; x++) expose(film, x, y, waterLight(x, y, water, random));
  }
  addBloom(film, [5, 24, 90], 0.06);
  grade(film);
  return film;
}
